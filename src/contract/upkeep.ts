/** What lies where on this machine, and the copies of it. */

export type StatePlace = {
  readonly kind: 'database' | 'artifacts' | 'settings' | 'secrets' | 'backups';
  /** A path, or for people: where else it lies. */
  readonly place: string;
  /** Omitted: it is not there, or it lies elsewhere. */
  readonly bytes?: number;
};

export type Backup = {
  readonly name: string;
  readonly path: string;
  /** `by-hand`: a folder with database, settings and artifacts. `migration`: the database before its tables changed. */
  readonly kind: 'by-hand' | 'migration';
  readonly at: string;
  readonly bytes: number;
};

export type Upkeep = {
  places(): Promise<readonly StatePlace[]>;
  /** Newest first. */
  list(): Promise<readonly Backup[]>;
  /**
   * Database, settings and artifacts in a folder of their own, secrets left out; also while everything works. Rejects with
   * SetupFailure: where there is no room, and where the database has an owner of its own (Postgres).
   */
  make(): Promise<Backup>;
};
