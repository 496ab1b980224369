/** What SQLite's and the file system's errors mean, in one line each. Codes: https://www.sqlite.org/rescode.html */
import type { StorageProblem } from '../database.ts';

const primary = {
  internal: 1,
  permission: 3,
  busy: 5,
  locked: 6,
  readOnly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  tooBig: 18,
  notADatabase: 26,
};
const extended = { foreignKey: 787, primaryKey: 1555, unique: 2067 };

/** Undefined for an error of another origin. */
export function explainSqliteError(error: unknown, path: string): StorageProblem | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, errcode } = error as Error & { code?: unknown; errcode?: unknown };
  if (code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number') return explainCode(errcode, error.message, path);
  if (code === 'ERR_INVALID_STATE' || error.message === 'driver has already been destroyed') {
    return failed(`The database ${path} is closed already: start Handrail again.`);
  }
  return typeof code === 'string' ? explainFileError(code, path) : undefined;
}

function explainCode(code: number, message: string, path: string): StorageProblem {
  if (code === extended.primaryKey || code === extended.unique)
    return { kind: 'duplicate', line: `${path}: ${message}` };
  if (code === extended.foreignKey) return { kind: 'missing-reference', line: `${path}: ${message}` };
  if (code === primary.internal && message.startsWith('no such table')) {
    return { kind: 'missing-table', line: `The database ${path} lacks a table (${message}): restore a backup.` };
  }
  // The low byte is the class, the rest says more: https://www.sqlite.org/rescode.html#extrc
  switch (code & 0xff) {
    case primary.notADatabase:
    case primary.corrupt:
      return { kind: 'damaged', line: damagedLine(path) };
    case primary.full:
      return failed(fullLine(path));
    case primary.busy:
    case primary.locked:
      return failed(`The database ${path} is locked by another program: close it, then try again.`);
    case primary.readOnly:
    case primary.permission:
      return failed(readOnlyLine(path));
    case primary.cannotOpen:
      return failed(
        `The database ${path} cannot be opened: check that its folder exists and is yours, and that the disk is not full.`,
      );
    case primary.io:
      return failed(
        `The disk failed or is full while using the database ${path} (${message}): free some space or check the disk.`,
      );
    case primary.tooBig:
      return failed(`The database ${path} takes no text that large: make it shorter.`);
    default:
      return failed(`The database ${path} refused: ${message}.`);
  }
}

function explainFileError(code: string, path: string): StorageProblem | undefined {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return failed(fullLine(path));
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return failed(readOnlyLine(path));
    case 'ENOTDIR':
    case 'EEXIST':
      return failed(`The database ${path} cannot be made: a part of its path is a file, not a folder.`);
    case 'ELOOP':
      return failed(`The database ${path} cannot be opened: it is a link that leads to itself.`);
    default:
      return undefined;
  }
}

const failed = (line: string): StorageProblem => ({ kind: 'failed', line });

/** Also said by the check of the file before SQLite sees it. */
export const damagedLine = (path: string): string =>
  `The database ${path} is damaged or is no database. It was left as it is: move it away (and the files beside it that begin with its name), or put a copy from the backups folder in its place.`;

const fullLine = (path: string) =>
  `The disk is full: the database ${path} cannot grow. Free some space, then try again.`;

const readOnlyLine = (path: string) =>
  `The database ${path} cannot be written: make the file and its folder writable for you, or set HANDRAIL_HOME to a folder that is.`;
