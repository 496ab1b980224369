/** Statements of one connection, prepared once. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

/** IMMEDIATE takes the write lock at once: a transaction that read first could not upgrade past another writer. */
export const beginText = 'begin immediate';

export type Prepared = {
  /** Undefined: it gives no rows. */
  rows(text: string, parameters: readonly unknown[]): readonly unknown[] | undefined;
  run(text: string, parameters?: readonly unknown[]): ReturnType<StatementSync['run']>;
};

/** More than all our statements together; a statement costs a few kilobytes. */
const maxPrepared = 100;

export function createPrepared(sqlite: DatabaseSync): Prepared {
  const known = new Map<string, { readonly statement: StatementSync; readonly returnsRows: boolean }>();

  function prepare(text: string) {
    const before = known.get(text);
    if (before !== undefined) return before;
    const statement = sqlite.prepare(text);
    const made = { statement, returnsRows: statement.columns().length > 0 };
    if (known.size >= maxPrepared) known.clear();
    known.set(text, made);
    return made;
  }

  return {
    rows(text, parameters) {
      const { statement, returnsRows } = prepare(text);
      return returnsRows ? statement.all(...(parameters as SQLInputValue[])) : undefined;
    },
    run: (text, parameters = []) => prepare(text).statement.run(...(parameters as SQLInputValue[])),
  };
}
