/** What must outlive the process. Implemented by storage/ on SQLite and on Postgres alike; every method is one transaction. */
import type { EventBody, JournalEvent } from './event.ts';
import type { LedgerStore } from './ledger.ts';
import type { Grant } from './permission.ts';
import type { SpendingStore } from './spending.ts';

export type ConversationKind = 'chat' | 'interactive';

export type Conversation = {
  readonly id: string;
  readonly title: string;
  readonly workspace: string;
  readonly isThrowaway: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Omitted: false. */
  readonly isPinned?: boolean;
  /** `interactive`: the model answers with screens made of `kai-ui`. Fixed when it is made. Omitted: `chat`. */
  readonly kind?: ConversationKind;
  /** It began as a copy of that conversation's events before `beforeSeq`, which may be gone by now. Omitted: with none. */
  readonly branchedFrom?: { readonly conversationId: string; readonly beforeSeq: number };
};

export type ConversationFilter = {
  /** Omitted: 50. */
  readonly limit?: number;
  /** So many of the first are left out. Omitted: none. */
  readonly offset?: number;
  readonly workspace?: string;
  /** Part of the title or of the workspace, in any case of letters. */
  readonly search?: string;
  /** Pinned ones before all others. Omitted: false. */
  readonly pinnedFirst?: boolean;
};

export type ConversationStore = {
  /** Rejects with ToolFailure('conflict') when the id is taken. */
  create(conversation: Conversation): Promise<void>;
  /**
   * Makes it with a copy of the events that it was branched off behind: all of it or nothing. The calls in them are lines of
   * the ledger already and become no others. Rejects with ToolFailure('conflict') when the id is taken.
   */
  createBranch(conversation: Conversation & Required<Pick<Conversation, 'branchedFrom'>>): Promise<void>;
  get(id: string): Promise<Conversation | undefined>;
  /** Newest first, throw-away ones left out. */
  list(filter?: ConversationFilter): Promise<readonly Conversation[]>;
  update(
    id: string,
    change: { readonly title?: string; readonly updatedAt?: string; readonly isPinned?: boolean },
  ): Promise<void>;
  /** Removes it with its events and grants. */
  remove(id: string): Promise<void>;
};

export type EventStore = {
  /**
   * Appends behind `afterSeq`. Rejects with ToolFailure('conflict') when another process has appended there first.
   * `durable`: the commit reaches the disk before it resolves.
   */
  append(
    events: readonly (EventBody & { readonly at: string })[],
    position: {
      readonly conversationId: string;
      readonly turnId: string;
      readonly afterSeq: number;
      readonly durable: boolean;
    },
  ): Promise<readonly JournalEvent[]>;
  /** The newest position; 0 when there is none. */
  lastSeq(conversationId: string): Promise<number>;
  /** In order. `afterSeq` omitted: from the start. `limit` omitted: to the end. */
  read(
    conversationId: string,
    options?: { readonly afterSeq?: number; readonly limit?: number },
  ): Promise<readonly JournalEvent[]>;
  /** What `append` gave back, as it was handed in: for a model's context alone, never to show or keep. */
  forModel(event: JournalEvent): JournalEvent;
  /** The same with the secrets that were taken out when it was written: for a model's context alone, never to show or keep. */
  readForModel(conversationId: string, options?: { readonly afterSeq?: number }): Promise<readonly JournalEvent[]>;
  /** When a result of others (CallOutcome.untrusted) first entered the conversation; undefined when none has. */
  firstUntrusted(conversationId: string): Promise<string | undefined>;
};

export type GrantStore = {
  /** Those of the conversation and those that always hold, to compare with: secrets in them are as they were, so show `all` instead. */
  list(conversationId?: string): Promise<readonly Grant[]>;
  /** Those of all conversations. */
  all(): Promise<readonly Grant[]>;
  add(grant: Grant): Promise<void>;
  /** Counts one use each; not on disk before it resolves. Ids that are gone by now count nothing. */
  used(ids: readonly string[], at: string): Promise<void>;
  /** False when there was none. */
  revoke(id: string): Promise<boolean>;
};

/** What lies beside a database that we look after ourselves. */
export type StorageUpkeep = {
  readonly backupFolder: string;
  /** Names of the copies in it, oldest first. */
  readonly copies: readonly string[];
  /** Paths of databases that could not be read any more, oldest first. */
  readonly setAside: readonly string[];
  /** One moment of the whole database, while it is in use. The file must not be there yet. */
  copyTo(file: string): Promise<void>;
};

export type Storage = {
  /** For people: the file's path, or the database's host and name without credentials. */
  readonly place: string;
  readonly conversations: ConversationStore;
  readonly events: EventStore;
  readonly grants: GrantStore;
  readonly spending: SpendingStore;
  readonly ledger: LedgerStore;
  /** Undefined: the database's owner looks after it. */
  upkeep(): StorageUpkeep | undefined;
  close(): Promise<void>;
};
