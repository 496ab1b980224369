/** One turn from what the user said to its end, with everything in the journal. */
import type { JournalEvent, Recorder } from '../contract/event.ts';
import type { TurnSummary } from '../contract/handrail.ts';
import type { UserMessage } from '../contract/message.ts';
import type { ModelClient, ModelInfo, OfferedTool } from '../contract/model.ts';
import type { CallOutcome } from '../contract/output.ts';
import type { ApproveMode, Asker } from '../contract/permission.ts';
import type { ConversationInfo } from '../contract/services.ts';
import type { Conversation, Storage } from '../contract/storage.ts';
import type { Call, CallContext } from '../contract/call.ts';
import { runTurn, type TurnEnd } from '../loop/run-turn.ts';
import type { TurnParts } from '../loop/turn.ts';
import { foldContext, type FoldedContext } from './fold-context.ts';
import { createJournal } from './journal.ts';
import { closeOpenCalls, finishOpenCalls } from './recover-turn.ts';

export type TurnServices = {
  readonly storage: Storage;
  readonly now: () => Date;
  readonly newId: () => string;
  /** Claims the conversation for a turn. Rejects with ToolFailure('busy') while another process works in it. */
  own(conversationId: string): Promise<() => Promise<void>>;
  /** `found`: the names that find_tools has given in this conversation, in order. */
  offeredTools(model: ModelInfo, found: readonly string[]): Promise<readonly OfferedTool[]>;
  executeCalls(calls: readonly Call[], context: CallContext): Promise<readonly CallOutcome[]>;
  polls(tool: string, input: string): Promise<boolean>;
  systemPrompt(conversation: ConversationInfo): Promise<string>;
};

export type TurnOptions = {
  readonly model: ModelClient;
  readonly approve: ApproveMode;
  readonly asker: Asker | undefined;
  readonly signal: AbortSignal;
  readonly maxRounds: number;
  readonly onEvent?: (event: JournalEvent) => void;
};

/** A new message of the user. A turn that a crash left open is closed first; its open calls are not run again. */
export async function startTurn(
  services: TurnServices,
  conversation: Conversation,
  message: UserMessage,
  options: TurnOptions,
): Promise<TurnSummary> {
  const { storage, now, newId } = services;
  const folded = foldContext(await storage.events.read(conversation.id));
  const journal = createJournal({ ...journalOf(services, conversation, options), lastSeq: folded.lastSeq });
  if (folded.openTurn !== undefined) await closeTurn(folded.openTurn, journal.recorder(folded.openTurn.turnId));
  const context = folded.openTurn === undefined ? folded : await readAgain(services, conversation);
  const record = journal.recorder(newId());
  await record({ type: 'turn-start', message, origin: options.asker?.origin ?? 'program' }, { durable: true });
  await storage.conversations.update(conversation.id, { updatedAt: now().toISOString() });
  context.messages.push(message);
  return finishTurn(services, conversation, context, record, options);
}

/** Goes on with the turn that a crash left open; undefined when there is none. */
export async function resumeTurn(
  services: TurnServices,
  conversation: Conversation,
  options: TurnOptions,
): Promise<TurnSummary | undefined> {
  const folded = foldContext(await services.storage.events.read(conversation.id));
  if (folded.openTurn === undefined) return undefined;
  const journal = createJournal({ ...journalOf(services, conversation, options), lastSeq: folded.lastSeq });
  const record = journal.recorder(folded.openTurn.turnId);
  await record({ type: 'note', text: 'Going on with the turn that was cut off.' });
  await finishOpenCalls(folded.openTurn, callContext(conversation, record, options), (calls, context) =>
    services.executeCalls(calls, context),
  );
  const context = await readAgain(services, conversation);
  return finishTurn(services, conversation, context, record, { ...options, before: folded.openTurn.finished });
}

async function finishTurn(
  services: TurnServices,
  conversation: Conversation,
  { messages, foundTools }: FoldedContext,
  record: Recorder,
  options: TurnOptions & Pick<TurnParts, 'before'>,
): Promise<TurnSummary> {
  const end = await runTurn({
    model: options.model,
    messages,
    system: await services.systemPrompt(infoOf(conversation)),
    offeredTools: () => services.offeredTools(options.model.info, [...foundTools]),
    async executeCalls(calls, context) {
      const outcomes = await services.executeCalls(calls, context);
      for (const { offers = [] } of outcomes) for (const name of offers) foundTools.add(name);
      return outcomes;
    },
    polls: (tool, input) => services.polls(tool, input),
    context: callContext(conversation, record, options),
    record,
    maxRounds: options.maxRounds,
    ...(options.before === undefined ? {} : { before: options.before }),
  });
  await recordTurnEnd(record, end);
  const { rounds: _rounds, ...summary } = end;
  return { conversationId: conversation.id, ...summary };
}

async function recordTurnEnd(record: Recorder, end: TurnEnd): Promise<void> {
  await record({ type: 'turn-end', ...end }, { durable: true });
}

async function closeTurn(turn: NonNullable<FoldedContext['openTurn']>, record: Recorder): Promise<void> {
  await closeOpenCalls(turn, record);
  await recordTurnEnd(record, {
    reason: 'failed',
    answer: '',
    rounds: turn.rounds,
    usage: turn.finished.usage,
    error: { kind: 'interrupted', message: 'The program was ended before this turn was.' },
  });
}

async function readAgain(services: TurnServices, conversation: Conversation): Promise<FoldedContext> {
  return foldContext(await services.storage.events.read(conversation.id));
}

function journalOf(services: TurnServices, conversation: Conversation, options: TurnOptions) {
  const { storage, now } = services;
  return {
    store: storage.events,
    conversationId: conversation.id,
    now,
    ...(options.onEvent === undefined ? {} : { onEvent: options.onEvent }),
  };
}

function callContext(conversation: Conversation, record: Recorder, options: TurnOptions): CallContext {
  const { signal, approve, asker } = options;
  return { conversation: infoOf(conversation), signal, approve, asker, record };
}

const infoOf = ({ id, workspace, isThrowaway }: Conversation): ConversationInfo => ({ id, workspace, isThrowaway });
