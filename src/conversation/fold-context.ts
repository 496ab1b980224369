/** The model's context as a fold over the journal: what was said, called and answered, in order. */
import type { JournalEvent } from '../contract/event.ts';
import type { CallPart, Message } from '../contract/message.ts';
import type { CallOutcome } from '../contract/output.ts';
import { addUsage, noUsage } from '../loop/add-usage.ts';
import type { TurnProgress } from '../loop/turn.ts';
import { toolMessage } from '../loop/tool-message.ts';

export type FoldedContext = {
  readonly messages: Message[];
  /** Tools that find_tools has given, in order. */
  readonly foundTools: Set<string>;
  /** The turn that never ended: its process was killed. Undefined when all turns ended. */
  readonly openTurn: OpenTurn | undefined;
  readonly lastSeq: number;
};

export type OpenTurn = {
  readonly turnId: string;
  /** Calls of the last response, in order. */
  readonly calls: readonly CallPart[];
  readonly outcomes: ReadonlyMap<string, CallOutcome>;
  /** Calls whose start was recorded. */
  readonly started: ReadonlyMap<string, Extract<JournalEvent, { type: 'tool-start' }>>;
  /** Calls that were waiting for a person. */
  readonly asked: ReadonlySet<string>;
  readonly rounds: number;
  /** Its answers that came whole. */
  readonly finished: TurnProgress;
};

/** Deltas are left out: `model-end` holds the whole, and an answer that was cut off by a crash was never whole. */
export function foldContext(events: readonly JournalEvent[]): FoldedContext {
  const messages: Message[] = [];
  const foundTools = new Set<string>();
  let open = newTurn('');
  let isOpen = false;
  for (const event of events) {
    switch (event.type) {
      case 'turn-start':
        open = newTurn(event.turnId);
        isOpen = true;
        messages.push(event.message);
        break;
      case 'model-start':
        open.rounds = event.round;
        break;
      case 'model-end':
        if (event.message.parts.length > 0) messages.push(event.message);
        open.calls = event.message.parts.filter((part) => part.type === 'call');
        open.outcomes.clear();
        open.finished = finishedWith(open, event);
        break;
      case 'tool-start':
        open.started.set(event.callId, event);
        break;
      case 'permission-ask':
        open.asked.add(event.question.callId);
        break;
      case 'permission-answer':
        open.asked.delete(event.callId);
        break;
      case 'tool-end':
        open.outcomes.set(event.callId, event.outcome);
        for (const name of event.outcome.offers ?? []) foundTools.add(name);
        if (open.started.get(event.callId)?.origin === 'user')
          messages.push(typedCall(open.started.get(event.callId)?.input ?? '', event));
        if (isAnswered(open)) messages.push(answersOf(open));
        break;
      case 'note':
        if (event.forModel !== undefined)
          messages.push({ role: 'user', parts: [{ type: 'text', text: event.forModel }] });
        break;
      case 'turn-end':
        isOpen = false;
        break;
      default:
        break;
    }
  }
  return { messages, foundTools, openTurn: isOpen ? open : undefined, lastSeq: events.at(-1)?.seq ?? 0 };
}

function finishedWith(
  { rounds, finished }: MutableTurn,
  end: Extract<JournalEvent, { type: 'model-end' }>,
): TurnProgress {
  const costUsd = end.costUsd === undefined ? finished.costUsd : (finished.costUsd ?? 0) + end.costUsd;
  const usage = addUsage(finished.usage, end.usage);
  return { rounds, usage, finish: end.finish, ...(costUsd === undefined ? {} : { costUsd }) };
}

const isAnswered = ({ calls, outcomes }: MutableTurn): boolean =>
  calls.length > 0 && calls.every((call) => outcomes.has(call.callId));

/** All calls of a response are answered together, in their order. */
function answersOf(open: MutableTurn): Message {
  const outcomes = open.calls.map((call) => open.outcomes.get(call.callId)).filter((each) => each !== undefined);
  const message = toolMessage(open.calls, outcomes);
  open.calls = [];
  return message;
}

type MutableTurn = {
  turnId: string;
  calls: CallPart[];
  outcomes: Map<string, CallOutcome>;
  started: Map<string, Extract<JournalEvent, { type: 'tool-start' }>>;
  asked: Set<string>;
  rounds: number;
  finished: TurnProgress;
};

function newTurn(turnId: string): MutableTurn {
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

/** What the user ran by hand belongs to what was said: the model may refer to it. */
function typedCall(input: string, end: Extract<JournalEvent, { type: 'tool-end' }>): Message {
  return {
    role: 'user',
    parts: [{ type: 'text', text: `(I ran ${end.tool} ${input} myself. Its result:)\n${end.outcome.text}` }],
  };
}
