/** Names a Postgres database for people: host, port and name, never user or password. */
import { SetupFailure } from '../../contract/failure.ts';

/** The parts of an address as pg understands it; a file for each would be needed to parse all its forms again. */
export type ParsedAddress = { readonly host: string; readonly port: number; readonly database?: string | undefined };

/** Rejects what is no address of Postgres, without repeating it: it may hold a password. */
export function describePlace(databaseUrl: string, parse: (databaseUrl: string) => ParsedAddress): string {
  if (!/^postgres(ql)?:\/\//i.test(databaseUrl)) {
    throw new SetupFailure('HANDRAIL_DATABASE_URL must begin with postgres:// (leave it unset to use SQLite).');
  }
  const { host, port, database } = parseOrRefuse(databaseUrl, parse);
  const name = database ?? '';
  // A path is the folder of a Unix socket.
  if (host.startsWith('/')) return `${name} at ${host} port ${port}`;
  return `${name} at ${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function parseOrRefuse(databaseUrl: string, parse: (databaseUrl: string) => ParsedAddress): ParsedAddress {
  try {
    return parse(databaseUrl);
  } catch {
    // No cause: URL errors carry the whole address, password included.
    throw new SetupFailure(
      'HANDRAIL_DATABASE_URL is no readable address: write postgres://user:password@host:5432/database, and percent-encode special characters of the password.',
    );
  }
}
