/** What a conversation looks like, as data: turns made of parts, in the order in which they happened. */
import type { TurnEndReason } from '../../contract/event.ts';
import type { CallOutcome } from '../../contract/output.ts';
import type { Answer, Decision, Question } from '../../contract/permission.ts';

/** `asking`: a person is asked. `lost`: its turn ended without a word about it. */
export type StepStatus = 'running' | 'asking' | 'done' | 'failed' | 'lost';

/** One call on the rail. */
export type Step = {
  readonly callId: string;
  readonly tool: string;
  readonly title: string;
  readonly summary: string;
  /** The arguments as JSON text, as the call runs. */
  readonly input: string;
  readonly repairs: readonly string[];
  readonly isTyped: boolean;
  readonly status: StepStatus;
  /** Since it was answered, when it had to be asked about. */
  readonly startedAtMs: number;
  /** When it was asked about. Omitted: it was not. */
  readonly askedAtMs?: number;
  readonly question?: Question;
  readonly answer?: Answer;
  /** The end of what it printed so far. */
  readonly progress: string;
  readonly outcome?: CallOutcome;
  readonly decision?: Decision;
  /** While it ran; waiting for an answer is not counted. */
  readonly durationMs: number;
};

export type StepsPart = { readonly kind: 'steps'; readonly id: number; readonly steps: readonly Step[] };

/** `id`: the seq of its first event. */
export type Part =
  | { readonly kind: 'text'; readonly id: number; readonly text: string; readonly isOpen: boolean }
  | {
      readonly kind: 'thought';
      readonly id: number;
      readonly text: string;
      readonly startedAtMs: number;
      /** Omitted: it goes on. */
      readonly durationMs?: number;
    }
  | StepsPart
  | { readonly kind: 'note'; readonly id: number; readonly text: string }
  /** Older messages are one summary in the model's context from here on. */
  | { readonly kind: 'compaction'; readonly id: number; readonly summary: string }
  | {
      readonly kind: 'retry';
      readonly id: number;
      readonly message: string;
      readonly attempt: number;
      /** Omitted: another model is asked at once. */
      readonly waitMs?: number;
      readonly nextModel?: string;
    };

export type TurnImage = { readonly mediaType: string; readonly data: string };

export type TurnEnd = {
  readonly seq: number;
  readonly atMs: number;
  readonly reason: TurnEndReason;
  readonly error?: { readonly kind: string; readonly message: string };
  readonly durationMs: number;
  readonly tokens: number;
  /** Omitted: the price is unknown. */
  readonly costUsd?: number;
};

export type Turn = {
  readonly turnId: string;
  readonly startedAtMs: number;
  /** What the person said. Omitted: a call that a person typed, or a turn whose beginning is not loaded. */
  readonly said?: { readonly seq: number; readonly text: string; readonly images: readonly TurnImage[] };
  readonly model?: string;
  readonly parts: readonly Part[];
  /** Omitted: it goes on, or was cut off. */
  readonly end?: TurnEnd;
};

export type ChatScreen = {
  readonly turns: readonly Turn[];
  /** Of the last event. */
  readonly lastSeq: number;
  /** Tokens of the last request: how full the context is. */
  readonly contextTokens: number;
  /** Dollars of all turns whose price is known. */
  readonly costUsd: number;
};

export const emptyScreen: ChatScreen = { turns: [], lastSeq: 0, contextTokens: 0, costUsd: 0 };
