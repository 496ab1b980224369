/** A query compiled once for its database and run many times with other values: compiling costs more than running. */
import type { CompiledQuery, Kysely, RawBuilder } from 'kysely';
import type { Tables } from './tables.ts';

export type Statement<Row> = (...values: readonly (string | number | null)[]) => CompiledQuery<Row>;

/** `query` was built with any values; those of a call take their places in the order of the text. */
export function compileStatement<Row>(kysely: Kysely<Tables>, query: RawBuilder<Row>): Statement<Row> {
  const compiled = query.compile(kysely);
  return (...values) => {
    if (values.length !== compiled.parameters.length) {
      throw new Error(`the statement takes ${compiled.parameters.length} values, not ${values.length}`);
    }
    return { query: compiled.query, queryId: compiled.queryId, sql: compiled.sql, parameters: values };
  };
}
