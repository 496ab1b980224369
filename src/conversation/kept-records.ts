/** What is kept and can be looked at, without running anything: conversations, grants, costs, the ledger. */
import type { FolderListing } from '../contract/folders.ts';
import type { Handrail } from '../contract/handrail.ts';
import type { Grant } from '../contract/permission.ts';
import type { Conversation, GrantStore, Storage } from '../contract/storage.ts';
import { branchConversation } from './branch-conversation.ts';
import { localDay } from './budget/local-day.ts';
import { ownWhile } from './own-while.ts';
import type { TurnServices } from './start-turn.ts';

export type RecordParts = {
  /** Opened on first use, so that looking at tools needs no database. */
  storage(): Promise<Storage>;
  turnServices(): Promise<TurnServices>;
  /** Ends what the conversation has running and drops what is kept for it. */
  releaseConversation(id: string): Promise<void>;
  /** Undefined when the program was opened without one. */
  readonly workspace: string | undefined;
  readonly workspaces: Workspaces;
};

export type Workspaces = {
  /** Absolute, links followed. Rejects with MisuseFailure for a folder that cannot be one. */
  choose(folder: string): Promise<string>;
  /** A new folder for a conversation that was given none. */
  make(conversationId: string): Promise<string>;
  list(folder: string | undefined): Promise<FolderListing>;
};

export function createKeptRecords(parts: RecordParts): Pick<Handrail, 'conversations' | 'grants' | 'costs' | 'ledger'> {
  return {
    conversations: {
      list: async (options) => (await parts.storage()).conversations.list(options),
      get: async (id) => (await parts.storage()).conversations.get(id),
      create: (wanted) => createConversation(parts, wanted),
      branch: async (id, beforeSeq) => branchConversation(await parts.turnServices(), id, beforeSeq),
      update: async (id, change) => (await parts.storage()).conversations.update(id, change),
      events: async (id, page) => (await parts.storage()).events.read(id, page),
      lastSeq: async (id) => (await parts.storage()).events.lastSeq(id),
      remove: (id) => removeConversation(parts, id),
    },
    grants: {
      list: async (conversationId) => listShown((await parts.storage()).grants, conversationId),
      all: async () => (await parts.storage()).grants.all(),
      revoke: async (id) => (await parts.storage()).grants.revoke(id),
    },
    async costs(days) {
      const today = new Date();
      const first = new Date(today.getFullYear(), today.getMonth(), today.getDate() - days + 1);
      const lines = await (await parts.storage()).spending.list({ fromDay: localDay(first) });
      return { today: localDay(today), lines };
    },
    ledger: {
      list: async (filter) => (await parts.storage()).ledger.list(filter),
      count: async (filter) => (await parts.storage()).ledger.count(filter),
      find: async (callId) => (await parts.storage()).ledger.find(callId),
    },
  };
}

async function createConversation(
  parts: RecordParts,
  { title = '', workspace, kind = 'chat' }: Parameters<Handrail['conversations']['create']>[0],
): Promise<Conversation> {
  const { newId, now, storage } = await parts.turnServices();
  const id = newId();
  const chosen = typeof workspace === 'string' ? await parts.workspaces.choose(workspace) : parts.workspace;
  const at = now().toISOString();
  const folder = workspace === null || chosen === undefined ? await parts.workspaces.make(id) : chosen;
  const made = {
    id,
    title,
    workspace: folder,
    isThrowaway: false,
    createdAt: at,
    updatedAt: at,
    ...(kind === 'chat' ? {} : { kind }),
  };
  await storage.conversations.create(made);
  return made;
}

async function removeConversation(parts: RecordParts, id: string): Promise<boolean> {
  const services = await parts.turnServices();
  const { conversations } = services.storage;
  const conversation = await conversations.get(id);
  if (conversation === undefined) return false;
  await ownWhile(services, conversation, async () => {
    // First what runs: a job without its conversation could not be found any more.
    await parts.releaseConversation(id);
    await conversations.remove(id);
  });
  return true;
}

/** What `list` gives is for comparing: it names secrets as they are. */
async function listShown(grants: GrantStore, conversationId: string | undefined): Promise<readonly Grant[]> {
  const holding = new Set((await grants.list(conversationId)).map(({ id }) => id));
  return (await grants.all()).filter(({ id }) => holding.has(id));
}
