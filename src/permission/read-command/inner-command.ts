/** What a command would run in turn, before it is read itself. */
import type { Field } from './expand-word.ts';

export type Fields = readonly (Field | undefined)[];

/** What a wrapper would run. */
export type Inner =
  | { readonly kind: 'command'; readonly fields: Fields; readonly change: InnerChange }
  | { readonly kind: 'code'; readonly code: string; readonly dialect: 'bash' | 'posix'; readonly change: InnerChange }
  /** Something runs, and nobody can say what. */
  | { readonly kind: 'unknown'; readonly reason: string };

export type InnerChange = {
  readonly isForeign?: boolean;
  /** In which directory is not known. */
  readonly isMoved?: boolean;
  /** More words may follow those that are known. */
  readonly isAppended?: boolean;
  /** Runs in the calling shell itself, so its `cd` counts. */
  readonly isSameShell?: boolean;
  /** Names of variables that are set for it. */
  readonly names?: readonly string[];
  /** The environment is not ours any more. */
  readonly isDynamic?: boolean;
};

/** Words joined by spaces, for commands that hand them to a shell. */
export function joinCode(words: Fields, isAppended: boolean, change: InnerChange): Inner {
  if (isAppended || words.some((field) => field === undefined || field.isPattern)) {
    return { kind: 'unknown', reason: 'code that is put together while it runs' };
  }
  return { kind: 'code', code: words.map((field) => field?.text).join(' '), dialect: 'posix', change };
}

export function codeOf(field: Field | undefined, dialect: 'bash' | 'posix', change: InnerChange): Inner {
  if (field === undefined) return { kind: 'unknown', reason: 'code that is put together while it runs' };
  // A quoted pattern is not expanded; an unquoted one may become anything.
  if (field.isPattern) return { kind: 'unknown', reason: 'code that holds a file pattern' };
  return { kind: 'code', code: field.text, dialect, change };
}

/** Something runs, and what it is cannot be read. */
export function unknownCode(reason: string): Inner[] {
  return [{ kind: 'unknown', reason }];
}
