/** One turn from what the user said to its end, with everything in the journal. */
import type { JournalEvent, Recorder } from '../contract/event.ts';
import type { TurnSummary } from '../contract/handrail.ts';
import type { UserMessage } from '../contract/message.ts';
import type { ModelClient, ModelInfo, OfferedTool } from '../contract/model.ts';
import type { CallOutcome } from '../contract/output.ts';
import type { ApproveMode, Asker } from '../contract/permission.ts';
import type { ConversationInfo } from '../contract/services.ts';
import type { Settings } from '../contract/settings.ts';
import type { Conversation, Storage } from '../contract/storage.ts';
import type { Call, CallContext } from '../contract/call.ts';
import { runTurn } from '../loop/run-turn.ts';
import type { TurnParts } from '../loop/turn.ts';
import { createTurnBudget } from './budget/turn-budget.ts';
import { type ContextCache, createContextCache } from './context-cache.ts';
import { createContextWindow } from './context-window/create-context-window.ts';
import type { ConversationContext } from './fold-context.ts';
import { createJournal } from './journal.ts';
import { closeTurn, finishOpenCalls } from './recover-turn.ts';

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
  /** What is known of conversations from their last turns. Omitted: each turn reads the whole journal. */
  readonly contexts?: ContextCache;
};

export type TurnOptions = {
  readonly model: ModelClient;
  readonly approve: ApproveMode;
  readonly asker: Asker | undefined;
  readonly signal: AbortSignal;
  readonly maxRounds: number;
  /** Limits on what is spent. Omitted: none. */
  readonly budgets?: Settings['budgets'];
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
  const context = await openContext(services, conversation);
  const journal = createJournal(journalOf(services, conversation, context, options));
  const { openTurn } = context;
  if (openTurn !== undefined) await closeTurn(openTurn, journal.recorder(openTurn.turnId));
  const record = journal.recorder(newId());
  await record({ type: 'turn-start', message, origin: options.asker?.origin ?? 'program' }, { durable: true });
  await storage.conversations.update(conversation.id, { updatedAt: now().toISOString() });
  return finishTurn(services, conversation, context, record, options);
}

/** Goes on with the turn that a crash left open; undefined when there is none. */
export async function resumeTurn(
  services: TurnServices,
  conversation: Conversation,
  options: TurnOptions,
): Promise<TurnSummary | undefined> {
  const context = await openContext(services, conversation);
  const { openTurn } = context;
  if (openTurn === undefined) return undefined;
  const before = openTurn.finished;
  const record = createJournal(journalOf(services, conversation, context, options)).recorder(openTurn.turnId);
  await record({ type: 'note', text: 'Going on with the turn that was cut off.' });
  await finishOpenCalls(openTurn, callContext(conversation, record, options), (calls, given) =>
    services.executeCalls(calls, given),
  );
  return finishTurn(services, conversation, context, record, { ...options, before });
}

async function finishTurn(
  services: TurnServices,
  conversation: Conversation,
  context: ConversationContext,
  record: Recorder,
  options: TurnOptions & Pick<TurnParts, 'before'>,
): Promise<TurnSummary> {
  const { model, maxRounds, before } = options;
  const budget = createTurnBudget(services, infoOf(conversation), options);
  const end = await runTurn({
    model,
    messages: context.messages,
    system: await services.systemPrompt(infoOf(conversation)),
    offeredTools: () => services.offeredTools(model.info, [...context.foundTools]),
    executeCalls: (calls, given) => services.executeCalls(calls, given),
    polls: (tool, input) => services.polls(tool, input),
    context: callContext(conversation, record, options),
    record,
    maxRounds,
    window: createContextWindow({ context, model, budget }),
    budget,
    ...(before === undefined ? {} : { before }),
  });
  await record({ type: 'turn-end', ...end }, { durable: true });
  const { rounds: _rounds, ...summary } = end;
  return { conversationId: conversation.id, ...summary };
}

function openContext(services: TurnServices, conversation: Conversation): Promise<ConversationContext> {
  return (services.contexts ?? createContextCache(services.storage.events)).open(conversation);
}

function journalOf(
  services: TurnServices,
  conversation: Conversation,
  context: ConversationContext,
  options: TurnOptions,
) {
  const { storage, now } = services;
  return {
    store: storage.events,
    conversationId: conversation.id,
    lastSeq: context.lastSeq,
    now,
    follow: context.add,
    ...(options.onEvent === undefined ? {} : { onEvent: options.onEvent }),
  };
}

function callContext(conversation: Conversation, record: Recorder, options: TurnOptions): CallContext {
  const { signal, approve, asker } = options;
  return { conversation: infoOf(conversation), signal, approve, asker, record };
}

const infoOf = ({ id, workspace, isThrowaway, kind }: Conversation): ConversationInfo => ({
  ...{ id, workspace, isThrowaway },
  ...(kind === undefined ? {} : { kind }),
});
