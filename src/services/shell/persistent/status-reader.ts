/** Reads what the shell says about itself: records of fields that each end with NUL. Texts are bytes, one per character. */
import { stateFieldCount } from './shell-script.ts';

/** The shell as it describes itself after a command. Not to be believed beyond words: a command may have changed the shell. */
export type ShellState = {
  readonly cwd: string;
  readonly exports: string;
  readonly functions: readonly string[];
  readonly aliases: readonly string[];
  readonly variables: readonly string[];
  readonly watched: string;
  readonly traps: string;
};

export type ShellRecord =
  | { readonly kind: 'ready' | 'restored' | 'leave'; /** Of `ready` the shell's number, as it sees itself. */ readonly nonce: string; readonly problem: string; readonly state: ShellState }
  | { readonly kind: 'end'; readonly id: number; readonly nonce: string; readonly code: number; readonly problem: string; readonly state: ShellState }
  | { readonly kind: 'fork'; readonly id: number; readonly nonce: string; readonly code: number; readonly problem: string }; // prettier-ignore

/** How many fields follow the kind. */
const fieldCounts = {
  ready: 2 + stateFieldCount,
  restored: 2 + stateFieldCount,
  leave: 1 + stateFieldCount,
  end: 4 + stateFieldCount,
  fork: 4,
};

type Kind = keyof typeof fieldCounts;
const isKind = (text: string): text is Kind => Object.hasOwn(fieldCounts, text);

/** More than this without an end is no record of ours. */
const maxPendingBytes = 64 * 1024 * 1024;

export function createStatusReader(onRecord: (record: ShellRecord) => void): (bytes: Buffer) => void {
  let fields: string[] = [];
  let rest: string[] = [];
  let restBytes = 0;

  function takeField(field: string): void {
    // Only a kind begins a record, and none of ours holds one: what stands before it was printed by somebody else.
    if (isKind(field)) fields = [];
    else if (fields.length === 0) return;
    fields.push(field);
    const [kind = '', ...values] = fields;
    if (!isKind(kind) || values.length < fieldCounts[kind]) return;
    fields = [];
    onRecord(toRecord(kind, values));
  }

  return (bytes) => {
    let from = 0;
    for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, from)) {
      takeField(rest.join('') + bytes.toString('latin1', from, end));
      rest = [];
      restBytes = 0;
      from = end + 1;
    }
    restBytes += bytes.length - from;
    if (restBytes > maxPendingBytes) {
      fields = [];
      rest = [];
      restBytes = 0;
    } else if (from < bytes.length) rest.push(bytes.toString('latin1', from));
  };
}

function toRecord(kind: Kind, values: readonly string[]): ShellRecord {
  const [first = '', second = '', third = '', fourth = ''] = values;
  switch (kind) {
    case 'ready':
    case 'restored':
      return { kind, nonce: first, problem: second, state: toState(values.slice(2)) };
    case 'leave':
      return { kind, nonce: first, problem: '', state: toState(values.slice(1)) };
    case 'end':
      return {
        kind,
        id: Number(first),
        nonce: second,
        code: Number(third),
        problem: fourth,
        state: toState(values.slice(4)),
      };
    case 'fork':
      return { kind, id: Number(first), nonce: second, code: Number(third), problem: fourth };
  }
}

function toState([
  cwd = '',
  exports = '',
  functions = '',
  aliases = '',
  variables = '',
  watched = '',
  traps = '',
]: readonly string[]): ShellState {
  return {
    // The line's end is printed by `pwd`; a folder's own name may hold others.
    cwd: cwd.endsWith('\n') ? cwd.slice(0, -1) : cwd,
    exports,
    functions: lines(functions),
    aliases: lines(aliases),
    variables: lines(variables),
    watched,
    traps,
  };
}

function lines(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('__handrail_'));
}
