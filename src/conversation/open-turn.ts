/** What is known of the turn that runs, or that a crash cut off: its calls, their fate, what it took. */
import type { JournalEvent } from '../contract/event.ts';
import type { CallPart, ToolMessage } from '../contract/message.ts';
import type { CallOutcome } from '../contract/output.ts';
import { addUsage, noUsage } from '../loop/add-usage.ts';
import { toolMessage } from '../loop/tool-message.ts';
import type { TurnProgress } from '../loop/turn.ts';

type OfType<Type extends JournalEvent['type']> = Extract<JournalEvent, { type: Type }>;
type Paid = OfType<'model-end' | 'compaction' | 'compaction-failed'>;

export type OpenTurn = {
  readonly turnId: string;
  /** Calls of the last response, in order; none when all are answered. */
  readonly calls: readonly CallPart[];
  readonly outcomes: ReadonlyMap<string, CallOutcome>;
  /** Calls whose start was recorded and whose end was not. */
  readonly started: ReadonlyMap<string, OfType<'tool-start'>>;
  /** Calls that were waiting for a person. */
  readonly asked: ReadonlySet<string>;
  readonly rounds: number;
  /** Its answers that came whole. */
  readonly finished: TurnProgress;
};

export type MutableTurn = {
  turnId: string;
  calls: readonly CallPart[];
  outcomes: Map<string, CallOutcome>;
  started: Map<string, OfType<'tool-start'>>;
  asked: Set<string>;
  rounds: number;
  finished: TurnProgress;
};

export function newTurn(turnId: string): MutableTurn {
  return {
    turnId,
    calls: [],
    outcomes: new Map(),
    started: new Map(),
    asked: new Set(),
    rounds: 0,
    finished: { rounds: 0, usage: noUsage, finish: undefined },
  };
}

export function addPaid(turn: MutableTurn, event: Paid): void {
  const { finished } = turn;
  const costUsd = event.costUsd === undefined ? finished.costUsd : (finished.costUsd ?? 0) + event.costUsd;
  const usage = addUsage(finished.usage, event.usage);
  turn.finished = { ...finished, usage, ...(costUsd === undefined ? {} : { costUsd }) };
}

export function addAnswer(turn: MutableTurn, event: OfType<'model-end'>): void {
  addPaid(turn, event);
  turn.finished = { ...turn.finished, rounds: turn.rounds, finish: event.finish };
  turn.calls = event.message.parts.filter((part) => part.type === 'call');
  turn.outcomes.clear();
}

/** The message that answers all calls of a response together, in their order, as soon as the last has ended. */
export function addOutcome(turn: MutableTurn, event: OfType<'tool-end'>): ToolMessage | undefined {
  turn.outcomes.set(event.callId, event.outcome);
  turn.started.delete(event.callId);
  const outcomes = turn.calls.map((call) => turn.outcomes.get(call.callId)).filter((each) => each !== undefined);
  if (turn.calls.length === 0 || outcomes.length < turn.calls.length) return undefined;
  const message = toolMessage(turn.calls, outcomes);
  turn.calls = [];
  return message;
}
