/** What a tab and the worker that all tabs share say to each other. */
import type { StreamState } from '../api/follow-stream.ts';
import { RequestFailure } from '../api/request.ts';

export type ToWorker =
  /** `seat`: the tab's own number for it. */
  | { readonly type: 'join'; readonly seat: number; readonly path: string; readonly after: number | undefined }
  | { readonly type: 'leave' | 'retry'; readonly seat: number }
  /** From time to time: a tab that has crashed says nothing. */
  | { readonly type: 'alive' }
  | { readonly type: 'bye' };

export type ToTab =
  | { readonly type: 'items'; readonly seat: number; readonly items: readonly string[] }
  | { readonly type: 'state'; readonly seat: number; readonly state: SentState }
  /** The tab was taken for dead: all its seats are gone. */
  | { readonly type: 'forgotten' };

/** An error keeps nothing but its message on the way. */
type SentState =
  | Exclude<StreamState, { kind: 'refused' }>
  | { readonly kind: 'refused'; readonly code: RequestFailure['code']; readonly message: string };

export function sentState(state: StreamState): SentState {
  if (state.kind !== 'refused') return state;
  return { kind: 'refused', code: state.failure.code, message: state.failure.message };
}

export function receivedState(state: SentState): StreamState {
  if (state.kind !== 'refused') return state;
  return { kind: 'refused', failure: new RequestFailure(state.code, state.message) };
}
