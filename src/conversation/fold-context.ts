/**
 * The model's context as a fold over the journal: what was said, called and answered, in order, without what compaction and
 * trimming took out. The running turn feeds it event by event, a start feeds it what is on disk: both are the same context.
 */
import type { JournalEvent } from '../contract/event.ts';
import type { Message } from '../contract/message.ts';
import { type ContextEntry, createContextList } from './context-list.ts';
import { type Calibration, createCalibration } from './context-window/calibration.ts';
import type { MessageSize } from './context-window/count-tokens.ts';
import { addAnswer, addOutcome, addPaid, newTurn, type OpenTurn } from './open-turn.ts';
import { outcomeText } from '../loop/tool-message.ts';

export type ConversationContext = {
  /** As the next request will carry them. This array stays and changes with each event. */
  readonly messages: readonly Message[];
  /** The same with their events and sizes. */
  readonly entries: readonly ContextEntry[];
  /** What they take together. */
  readonly size: MessageSize;
  /** Tools that find_tools has given since the last compaction, in order. */
  readonly foundTools: ReadonlySet<string>;
  /** The turn that has not ended: it runs, or its process was killed. Undefined when all turns ended. */
  readonly openTurn: OpenTurn | undefined;
  readonly calibration: Pick<Calibration, 'ratio' | 'refused'>;
  /** What came of the last summary that was asked for, and the context's own tokens after it. Undefined: none was. */
  readonly lastCompaction: { readonly hasFailed: boolean; readonly size: number } | undefined;
  readonly lastSeq: number;
  add(event: JournalEvent): void;
};

/** Deltas are left out: `model-end` holds the whole, and an answer that was cut off by a crash was never whole. */
export function createContext(): ConversationContext {
  const list = createContextList();
  const foundTools = new Set<string>();
  const calibration = createCalibration();
  let open = newTurn('');
  let isOpen = false;
  let lastSeq = 0;
  let lastCompaction: ConversationContext['lastCompaction'];
  let asked: { readonly model: string; readonly rough: number } | undefined;

  function add(event: JournalEvent): void {
    lastSeq = event.seq;
    switch (event.type) {
      case 'turn-start':
        open = newTurn(event.turnId);
        isOpen = true;
        list.add('exchange', event.seq, event.message);
        break;
      case 'model-start':
        open.rounds = event.round;
        asked =
          event.roughInputTokens === undefined ? undefined : { model: event.model, rough: event.roughInputTokens };
        break;
      case 'model-end':
        if (event.message.parts.length > 0) list.add('message', event.seq, event.message);
        if (asked?.model === event.model) calibration.observe(event.model, asked.rough, event.usage.inputTokens);
        addAnswer(open, event);
        break;
      case 'compaction':
        list.compact(event, event.seq);
        foundTools.clear();
        addPaid(open, event);
        lastCompaction = { hasFailed: false, size: list.size.textTokens };
        break;
      case 'compaction-failed':
        addPaid(open, event);
        lastCompaction = { hasFailed: true, size: list.size.textTokens };
        break;
      case 'trim':
        if (event.refused !== undefined) calibration.refuse(event.refused.model, event.refused.roughTokens);
        list.trim(event, event.seq);
        if (lastCompaction !== undefined)
          lastCompaction = { ...lastCompaction, size: Math.min(lastCompaction.size, list.size.textTokens) };
        break;
      case 'note':
        if (event.forModel !== undefined) list.add('message', event.seq, said(event.forModel));
        break;
      case 'turn-end':
        isOpen = false;
        break;
      default:
        addOfCall(event);
    }
  }

  function addOfCall(event: JournalEvent): void {
    if (event.type === 'tool-start') open.started.set(event.callId, event);
    else if (event.type === 'permission-ask') open.asked.add(event.question.callId);
    else if (event.type === 'permission-answer') open.asked.delete(event.callId);
    else if (event.type === 'tool-end') {
      for (const name of event.outcome.offers ?? []) foundTools.add(name);
      const typed = open.started.get(event.callId);
      const answers = addOutcome(open, event);
      if (typed?.origin === 'user') list.add('message', event.seq, typedCall(typed.input, event));
      if (answers !== undefined) list.add('message', event.seq, answers);
    }
  }

  return {
    messages: list.messages,
    get entries() {
      return list.entries;
    },
    get size() {
      return list.size;
    },
    foundTools,
    calibration,
    get openTurn() {
      return isOpen ? open : undefined;
    },
    get lastCompaction() {
      return lastCompaction;
    },
    get lastSeq() {
      return lastSeq;
    },
    add,
  };
}

export function foldContext(events: readonly JournalEvent[]): ConversationContext {
  const context = createContext();
  for (const event of events) context.add(event);
  return context;
}

const said = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] });

/** What the user ran by hand belongs to what was said: the model may refer to it. */
function typedCall(input: string, { tool, outcome }: Extract<JournalEvent, { type: 'tool-end' }>): Message {
  const text = `(I ran ${tool} ${input} myself. Its result:)\n${outcomeText(outcome)}`;
  return { role: 'user', parts: [{ type: 'text', text }, ...(outcome.images ?? [])] };
}
