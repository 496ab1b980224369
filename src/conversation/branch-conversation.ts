/** A branch: a new conversation that begins with what was said in another one before a place. The other one stays as it is. */
import { MisuseFailure, ToolFailure } from '../contract/failure.ts';
import type { Conversation, ConversationStore } from '../contract/storage.ts';
import { foldContext } from './fold-context.ts';
import { createJournal } from './journal.ts';
import type { TurnServices } from './start-turn.ts';

/** Rejects with ToolFailure('not_found') for a conversation and with MisuseFailure for a place that is none. */
export async function branchConversation(
  services: Pick<TurnServices, 'storage' | 'newId' | 'now'>,
  id: string,
  beforeSeq: number,
): Promise<Conversation> {
  const { storage, newId, now } = services;
  const { conversations } = storage;
  const origin = await conversations.get(id);
  if (origin === undefined)
    throw new ToolFailure('not_found', `There is no conversation ${id}. It may have been removed.`);
  await checkPlace(services, id, beforeSeq);
  const at = now().toISOString();
  const { workspace, kind } = origin;
  const branch = {
    ...{ id: newId(), title: await titleFor(conversations, origin.title), workspace, isThrowaway: false },
    ...{ createdAt: at, updatedAt: at, branchedFrom: { conversationId: id, beforeSeq } },
    ...(kind === undefined ? {} : { kind }),
  };
  await conversations.createBranch(branch);
  const journal = createJournal({ store: storage.events, conversationId: branch.id, lastSeq: beforeSeq - 1, now });
  // The first event of its own: whoever shows the branch finds here where it begins.
  await journal.recorder(newId())({ type: 'note', text: note, ...(beforeSeq === 1 ? {} : { forModel }) });
  return branch;
}

const note =
  'A branch begins here. Its shell starts in the workspace; jobs, terminals and permissions stay with the other chat.';

/** What it did before is in its context and not in its reach: it would look for jobs and variables that are not there. */
const forModel =
  '(This conversation goes on as a copy from here. Files are as they are now; the shell starts anew in the workspace, without the variables, folder, jobs and terminals of before.)';

/** A turn is copied whole or not at all: half of one would be gone on with as after a crash. */
async function checkPlace({ storage }: Pick<TurnServices, 'storage'>, id: string, beforeSeq: number): Promise<void> {
  const events = await storage.events.read(id, { limit: beforeSeq - 1 });
  if (events.length < beforeSeq - 1)
    throw new MisuseFailure(
      `The conversation has ${events.length} events, so nothing stands before event ${beforeSeq}.`,
    );
  const openCalls = new Set<string>();
  for (const event of events) {
    if (event.type === 'tool-start') openCalls.add(event.callId);
    if (event.type === 'tool-end') openCalls.delete(event.callId);
  }
  if (foldContext(events).openTurn !== undefined || openCalls.size > 0)
    throw new MisuseFailure(
      `Event ${beforeSeq} lies in the middle of a turn. Branch off before a message, or wait until the turn has ended.`,
    );
}

/** "Fix the test", "Fix the test (2)", "Fix the test (3)". */
async function titleFor(conversations: Pick<ConversationStore, 'list'>, title: string): Promise<string> {
  const stem = title.replace(/ \(\d{1,4}\)$/, '');
  if (stem === '') return '';
  const like = await conversations.list({ search: stem, limit: 500 });
  const numbers = like.map((each) =>
    each.title.startsWith(`${stem} (`)
      ? Number(/^\((\d{1,4})\)$/.exec(each.title.slice(stem.length + 1))?.[1] ?? 1)
      : 1,
  );
  return `${stem} (${Math.max(1, ...numbers) + 1})`;
}
