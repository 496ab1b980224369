/** What Postgres' and the network's errors mean, in one line each. Codes: https://www.postgresql.org/docs/current/errcodes-appendix.html */
import type { StorageProblem } from '../database.ts';

const unreachable = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EACCES',
]);

/** The messages of pg itself carry no code. */
const lostConnection =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** Undefined for an error of another origin. The server's own words name no password, and the user's name is not repeated. */
export function explainPostgresError(error: unknown, place: string): StorageProblem | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as Error & { code?: unknown };
  if (lostConnection.test(error.message))
    return failed(
      `The database ${place} does not answer: check that Postgres runs there and that the network reaches it.`,
    );
  if (/driver has already been destroyed|after calling end on the pool/.test(error.message)) {
    return failed(`The connection to the database ${place} is closed already: start Handrail again.`);
  }
  if (error.message.startsWith('SASL')) return failed(refusedLine(place));
  if (typeof code !== 'string') return undefined;
  if (unreachable.has(code)) {
    return failed(
      `The database ${place} cannot be reached (${code}): check HANDRAIL_DATABASE_URL, and that Postgres runs there.`,
    );
  }
  return /^[0-9A-Z]{5}$/.test(code) ? explainState(code, error.message, place) : undefined;
}

function explainState(state: string, message: string, place: string): StorageProblem {
  if (state === '23505') return { kind: 'duplicate', line: `${place}: ${message}` };
  if (state === '23503') return { kind: 'missing-reference', line: `${place}: ${message}` };
  if (state === '42P01')
    return { kind: 'missing-table', line: `The database ${place} lacks a table: restore a backup.` };
  if (state.startsWith('28')) return failed(refusedLine(place));
  if (state === '3D000')
    return failed(`There is no such database: ${place}. Create it with createdb, or correct HANDRAIL_DATABASE_URL.`);
  if (state === '3F000')
    return failed(`The database ${place} has no schema to make tables in: create one, or correct the search_path.`);
  if (state === '42501')
    return failed(`The database user may not do that in ${place}: grant it the right to create and use tables there.`);
  if (state === '53100')
    return failed(`The disk of the database ${place} is full: free some space on its machine, then try again.`);
  if (state === '53300')
    return failed(`The database ${place} has too many connections: close some, or raise max_connections.`);
  if (state === '25006')
    return failed(`The database ${place} is read-only: name its primary server in HANDRAIL_DATABASE_URL.`);
  if (state.startsWith('57P') || state.startsWith('08'))
    return failed(`The database ${place} is shutting down or starting: try again in a moment.`);
  return failed(`The database ${place} refused: ${message} (${state}).`);
}

const failed = (line: string): StorageProblem => ({ kind: 'failed', line });

const refusedLine = (place: string) =>
  `The database ${place} refused the user name or password: correct them in HANDRAIL_DATABASE_URL.`;
