/** What a model that misbehaves does, and what may become of the turn. */
import type { TurnEndReason } from '../../../src/contract/event.ts';
import type { Turn, WireDialectName } from '../model-server.ts';

export type Request = {
  readonly dialect: WireDialectName;
  /** From 0. */
  readonly index: number;
  readonly offersTools: boolean;
};

export type Misbehaviour = {
  readonly name: string;
  turn(request: Request): Turn;
  readonly reasons: readonly TurnEndReason[];
  /** Requests that may be burnt on it. */
  readonly maxRequests: number;
  /** Somewhere in the turn's error, answer or notes. */
  readonly says?: RegExp;
  /** Beside what every misbehaviour is run with. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Calls that may run. Omitted: any number. */
  readonly maxCalls?: number;
};

export const read = (offset: number, path = 'a.txt') => ({ name: 'read_file', input: { path, offset } });
/** Goes on with `turn` for `times` requests, then answers. */
export const first =
  (times: number, turn: Misbehaviour['turn']): Misbehaviour['turn'] =>
  (request) =>
    request.index < times ? turn(request) : { text: 'Done after all.' };
