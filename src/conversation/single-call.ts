/** One call outside a turn (`run`, `/tool`, MCP, library): the same executor and the same journal. */
import type { JournalEvent } from '../contract/event.ts';
import type { CallOutcome } from '../contract/output.ts';
import type { ApproveMode, Asker } from '../contract/permission.ts';
import type { Conversation } from '../contract/storage.ts';
import type { Call } from '../contract/call.ts';
import { createJournal } from './journal.ts';
import type { TurnServices } from './start-turn.ts';

export type SingleCallOptions = {
  readonly approve: ApproveMode;
  readonly asker: Asker | undefined;
  readonly signal: AbortSignal;
  readonly onEvent?: (event: JournalEvent) => void;
};

export async function runSingleCall(
  services: Pick<TurnServices, 'storage' | 'now' | 'newId' | 'executeCalls'>,
  conversation: Conversation,
  call: Omit<Call, 'callId'>,
  options: SingleCallOptions,
): Promise<CallOutcome> {
  const { storage, now, newId } = services;
  const lastSeq = conversation.isThrowaway ? 0 : await storage.events.lastSeq(conversation.id);
  const journal = createJournal({
    store: storage.events,
    conversationId: conversation.id,
    lastSeq,
    now,
    ...(options.onEvent === undefined ? {} : { onEvent: options.onEvent }),
  });
  const { id, workspace, isThrowaway } = conversation;
  const { signal, approve, asker } = options;
  const record = journal.recorder(newId());
  const context = { conversation: { id, workspace, isThrowaway }, signal, approve, asker, record };
  const [outcome] = await services.executeCalls([{ ...call, callId: newId() }], context);
  if (outcome === undefined) throw new Error('A call ended without an outcome.');
  return outcome;
}
