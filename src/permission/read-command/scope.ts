/** What is known while commands are gone through in order: the directory, the variables, what stands at standard input. */
import { createExpansionBudget, type ExpansionBudget } from './expand-braces.ts';
import type { Notes } from './syntax/cursor.ts';
import type { Variables } from './expand-word.ts';

/** Where the caller stands. Paths are as the command sees them. */
export type ReadContext = {
  readonly cwd: string;
  /** The private home, `/home/handrail` in the sandbox. */
  readonly home: string;
  readonly workspace: string;
  /** Variables of the shell that are known; others count as unknown. */
  readonly env?: Readonly<Record<string, string>>;
  /** False on the host rung: nothing is then the sandbox's own. */
  readonly isSandboxed: boolean;
  /**
   * The real path behind one, where the caller can look; undefined when it cannot tell. Without it a link
   * that an earlier command made below /tmp goes unseen.
   */
  readonly realPath?: (path: string) => string | undefined;
  /** Whether a path of the workspace is there. Omitted: nobody can look. */
  readonly exists?: (path: string) => boolean;
  /** False: the shell was changed so that what it makes as temporary need not be. */
  readonly hasOwnTemporary?: boolean;
};

/** The directories a command may run in; undefined when they cannot be known, empty when it is never reached. */
export type Places = readonly string[] | undefined;

/** The directories after a command that succeeded, and after one that failed. */
export type Outcome = { readonly success: Places; readonly failure: Places };

export type StandardInput =
  | { readonly kind: 'inherited' | 'file' | 'pipe' }
  | { readonly kind: 'text'; readonly text: string };

/** A chain rather than a set: each shell inside a shell adds a link and copies nothing. */
export type OuterNames = {
  readonly notes: Notes | undefined;
  readonly names: ReadonlySet<string>;
  readonly next: OuterNames | undefined;
};

export type Scope = {
  readonly notes: Notes;
  /** Values of the variables that this text sets exactly once, from then on. */
  readonly values: Map<string, string>;
  /** Names in `values` in the order they came, so that the end of a branch can take them back. */
  readonly order: string[];
  /** Variables that an outer text or a wrapper changed: their value here is not known. */
  readonly outer: OuterNames | undefined;
  readonly isDynamic: boolean;
  /** Read by `sh`: what only bash understands means something else. */
  readonly isPosix: boolean;
  /** Another machine, container or root folder: no path says anything about ours. */
  readonly isForeign: boolean;
  /** What findings quote instead of the inner text. */
  readonly label: string | undefined;
  readonly handovers: number;
  readonly input: StandardInput;
  readonly budget: ExpansionBudget;
};

const maxPlaces = 8;

// No path is longer (limits.h, PATH_MAX); values that grow by being put together must end somewhere.
export const maxValueLength = 4096;

export function unite(left: Places, right: Places): Places {
  if (left === undefined || right === undefined || left === right) return left === right ? left : undefined;
  const all = [...new Set([...left, ...right])];
  return all.length > maxPlaces ? undefined : all;
}

export function stay(places: Places): Outcome {
  return { success: places, failure: places };
}

export function createScope(notes: Notes): Scope {
  return {
    notes,
    values: new Map(),
    order: [],
    outer: undefined,
    isDynamic: notes.isDynamic,
    isPosix: false,
    isForeign: false,
    label: undefined,
    handovers: 0,
    input: { kind: 'inherited' },
    budget: createExpansionBudget(),
  };
}

/** The scope of code that is handed to another shell, or read again by `eval`. */
export function createInnerScope(outer: Scope, notes: Notes, isPosix: boolean): Scope {
  return {
    ...outer,
    notes,
    isPosix,
    values: new Map(),
    order: [],
    outer: { notes: outer.notes, names: new Set(), next: outer.outer },
    isDynamic: outer.isDynamic || notes.isDynamic,
  };
}

/** The same text, in which some variables are not what they were. */
export function withChangedNames(scope: Scope, names: readonly string[]): Scope {
  return names.length === 0
    ? scope
    : { ...scope, outer: { notes: undefined, names: new Set(names), next: scope.outer } };
}

/** Whether the variable was changed outside this text. */
export function isChangedOutside(scope: Scope, name: string): boolean {
  for (let link = scope.outer; link !== undefined; link = link.next) {
    if (link.names.has(name) || isSetIn(link.notes, name)) return true;
  }
  return false;
}

/** Whether this text or one around it may change the variable. */
export function isChanged(scope: Scope, name: string): boolean {
  return isSetIn(scope.notes, name) || isChangedOutside(scope, name);
}

function isSetIn(notes: Notes | undefined, name: string): boolean {
  return notes !== undefined && (notes.assigned.has(name) || notes.touched.has(name));
}

/** How words are expanded here. */
export function createVariables(scope: Scope, context: ReadContext, places: Places): Variables {
  return {
    hasBraces: !scope.isPosix,
    budget: scope.budget,
    lookUp: (name) => lookUp(name, scope, context, places),
  };
}

// Bash itself sets these, or refuses to have them set (bash manual, "Bash Variables").
const movesByItself =
  /^(?:PWD|OLDPWD|UID|EUID|PPID|RANDOM|SRANDOM|SECONDS|LINENO|EPOCH\w+|BASH\w*|FUNCNAME|GROUPS|DIRSTACK|PIPESTATUS|HISTCMD|REPLY|OPT\w+|SHELLOPTS|SHLVL|MAPFILE|COPROC|_)$/;

function lookUp(name: string, scope: Scope, context: ReadContext, places: Places): string | undefined {
  const { notes } = scope;
  if (scope.isDynamic || notes.touched.has(name) || isChangedOutside(scope, name)) return undefined;
  if (movesByItself.test(name) && (notes.assigned.has(name) || name !== 'PWD')) return undefined;
  if (isChanged(scope, 'IFS')) return undefined;
  if (notes.assigned.has(name)) return notes.assigned.get(name) === 1 ? scope.values.get(name) : undefined;
  if (name === 'PWD') return places?.length === 1 ? places[0] : undefined;
  if (name === 'HOME') return scope.isForeign ? undefined : context.home;
  const value = context.env?.[name];
  return value !== undefined && value.length <= maxValueLength ? value : undefined;
}

/** Remembers a value until the branch that set it ends. */
export function settle(scope: Scope, name: string, value: string | undefined): void {
  if (value === undefined || value.length > maxValueLength || scope.notes.assigned.get(name) !== 1) return;
  scope.values.set(name, value);
  scope.order.push(name);
}

/** Runs something that may not run, or runs in a shell of its own: what it set is not certain afterwards. */
export function inBranch<Result>(scope: Scope, run: () => Result): Result {
  const mark = scope.order.length;
  const result = run();
  for (const name of scope.order.splice(mark)) scope.values.delete(name);
  return result;
}
