/** What the stores and the migrations need of a database, whichever it is. */
import type { CompiledQuery, Expression, Kysely, Transaction } from 'kysely';
import type { StorageUpkeep } from '../contract/storage.ts';
import type { Tables } from './tables.ts';

/**
 * `duplicate`: a key is taken. `missing-reference`: the row it belongs to is gone. `missing-table`: not migrated yet.
 * `damaged`: the file is not what was written. `failed`: anything else that the user must know or mend.
 */
export type StorageProblem = {
  readonly kind: 'duplicate' | 'missing-reference' | 'missing-table' | 'damaged' | 'failed';
  /** One plain line: what happened and what to try. Never a credential. */
  readonly line: string;
};

/** A statement that is compiled. `orElse`: what all of the writing fails with when it has touched no row; omitted: that is no failure. */
export type Writing = { readonly query: CompiledQuery; readonly orElse?: () => Error };

export type WriteOptions = {
  /** True: on disk before it resolves. False: a crash of the machine may lose it, a crash of the program may not. */
  readonly durable: boolean;
};

export type Database = {
  readonly kysely: Kysely<Tables>;
  /** For people; without credentials. */
  readonly place: string;
  /** All of them or none. */
  write(statements: readonly Writing[], options: WriteOptions): Promise<void>;
  /** The same for a writing that depends on what it reads. */
  transact<T>(options: WriteOptions, work: (transaction: Kysely<Tables>) => Promise<T>): Promise<T>;
  /** Lets one transaction at a time past `place`, of all processes; until that transaction ends. */
  takeTurns(transaction: Kysely<Tables>, place: string): Promise<void>;
  /** Undefined for what is no error of the database. */
  explain(error: unknown): StorageProblem | undefined;
  /** Called when reading or writing has found it damaged: it is looked at whole when it is opened the next time. */
  noteDamage?(): void;
  /** Undefined: its owner looks after it. */
  upkeep?(): StorageUpkeep;
  readonly migration: MigrationSupport;
  close(): Promise<void>;
};

/** Where the two databases differ while their tables change. */
export type MigrationSupport = {
  /** The type of text columns whose order must be the same everywhere. */
  readonly text: 'text' | Expression<unknown>;
  /** True: nobody else has tables in it, so any table that is not ours is a mistake. */
  readonly ownsDatabase: boolean;
  /** Keeps every other process out until the transaction ends. */
  lock(transaction: Transaction<Tables>): Promise<void>;
  /** Keeps a copy of what was there before. Undefined: the database's owner makes the backups. */
  readonly backUp?: (version: number) => Promise<void>;
  /** Names of tables that are there; asked before the first migration only. */
  tableNames(transaction: Transaction<Tables>): Promise<readonly string[]>;
};
