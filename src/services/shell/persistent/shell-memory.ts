/** What is known of a conversation's shell when the shell itself is gone: what the next one gets, and what is lost. */
import { type Declaration, parseDeclarations, readStatements } from './exported-variables.ts';
import type { ShellState } from './status-reader.ts';

/** Texts are bytes, one per character, and only ever given back to a shell. */
export type ShellMemory = {
  readonly cwd: string;
  /** Exported variables that a fresh shell does not have, or not with this value, as bash prints them. */
  readonly exports: readonly Declaration[];
  /** What a fresh shell exports and this one did not. */
  readonly unset: readonly string[];
  /** Not kept: their names are for the sentence that says so. */
  readonly functions: readonly string[];
  readonly aliases: readonly string[];
  readonly variables: readonly string[];
  /** Exported variables that are too large to be kept. */
  readonly tooLarge: readonly string[];
  /** That change what later commands do, exported or not, against a fresh shell. */
  readonly influences: readonly string[];
  /** How many processes lived beside it. */
  readonly background: number;
};

/** How many names the sentence for people holds. */
const maxNamed = 12;
const maxVariableBytes = 120_000;
const maxExportBytes = 1_000_000;

/** The shell's own affair: set anew by every shell. */
const ownNames = new Set(['PWD', 'SHLVL', '_', 'HANDRAIL_COMMAND']);
/** Set by bash itself as commands run. */
const isBashOwn = (name: string): boolean =>
  /^(BASH.*|COLUMNS|COMP_.*|COPROC.*|DIRSTACK|EPOCH.*|EUID|FUNCNAME|GROUPS|HISTCMD|HOSTNAME|HOSTTYPE|LINENO|LINES|MACHTYPE|MAPFILE|OLDPWD|OPT.*|OSTYPE|PIPESTATUS|PPID|PS[0-4]|PWD|RANDOM|READLINE_.*|REPLY|SECONDS|SHELLOPTS|SHLVL|SRANDOM|UID|_|__handrail_.*)$/.test(
    name,
  );

/** Makes another program run than the one that was approved, or makes it do something else (CVE-2026-22708). */
const isInfluence = (name: string): boolean =>
  /^(PATH|LD_.*|DYLD_.*|BASH_.*|ENV|PROMPT_COMMAND|PS0|PS4|IFS|CDPATH|GLOBIGNORE|EXECIGNORE|GIT_.*|.*PAGER|LESS.*|.*EDITOR|VISUAL|BROWSER|PYTHON.*|NODE_.*|NPM_.*|npm_.*|PERL5?.*|RUBY.*|JAVA_.*|_JAVA_OPTIONS|CLASSPATH|GCONV_PATH|LOCPATH|SSH_.*|SHELL|HOME|TMPDIR|XDG_.*|MAKEFLAGS|CC|CXX|RUSTC.*|CARGO_.*|GO.*|PIP_.*|.*_PROXY|.*_proxy|SSL_.*|CURL_.*|TAR_OPTIONS|GZIP|GREP_.*|SUDO_.*)$/.test(
    name,
  );

export function rememberShell(state: ShellState, baseline: ShellState, background: number): ShellMemory {
  const fresh = declared(baseline.exports);
  const now = declared(state.exports);
  const changed = [...now.values()].filter(
    ({ name, text }) => fresh.get(name) !== now.get(name) && fresh.get(name)?.text !== text,
  );
  const kept: Declaration[] = [];
  const tooLarge: string[] = [];
  let bytes = 0;
  for (const declaration of changed) {
    const fits = declaration.text.length <= maxVariableBytes && bytes + declaration.text.length <= maxExportBytes;
    if (!fits) tooLarge.push(declaration.name);
    else {
      kept.push(declaration);
      bytes += declaration.text.length;
    }
  }
  const unset = [...fresh.keys()].filter((name) => !now.has(name));
  const known = new Set(baseline.variables);
  return {
    cwd: state.cwd,
    exports: kept,
    unset,
    functions: [...without(state.functions, baseline.functions), ...without(trapped(state), trapped(baseline))],
    aliases: without(state.aliases, baseline.aliases),
    variables: state.variables.filter((name) => !known.has(name) && !now.has(name) && !isBashOwn(name)),
    tooLarge,
    influences: [...new Set([...changed.map(({ name }) => name), ...unset, ...changedWatched(state, baseline)])].filter(
      isInfluence,
    ),
    background,
  };
}

/** Everything in a fresh shell of this conversation is as it was. */
export function isFreshShell(memory: ShellMemory, workspace: string): boolean {
  const { cwd, exports, unset, functions, aliases, variables, tooLarge } = memory;
  return (
    cwd === workspace && [exports, unset, functions, aliases, variables, tooLarge].every(({ length }) => length === 0)
  );
}

/** For the next shell and for the one after a restart. */
export function keptSentence(memory: ShellMemory, workspace: string): string {
  const names = memory.exports.map(({ name }) => name).filter((name) => name !== 'OLDPWD');
  const parts = [
    ...(memory.cwd === workspace ? [] : [`the directory ${asText(memory.cwd)}`]),
    ...named('the exported variable', names),
  ];
  return parts.length === 0 ? '' : ` Kept: ${parts.join(' and ')}.`;
}

export function lostSentence(memory: ShellMemory): string {
  const { background } = memory;
  const parts = [
    ...named('the function', functionsOf(memory)),
    ...named('the trap', trapsOf(memory)),
    ...named('the alias', memory.aliases, 'es'),
    ...named('the variable', memory.variables, 's', ' (not exported)'),
    ...named('the variable', memory.tooLarge, 's', ' (too large)'),
    ...(background === 0 ? [] : [background === 1 ? '1 background process' : `${background} background processes`]),
  ];
  return parts.length === 0 ? '' : ` Lost: ${parts.join('; ')}.`;
}

function named(what: string, names: readonly string[], plural = 's', remark = ''): readonly string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, maxNamed).join(', ') + (names.length > maxNamed ? `, … (${names.length} in all)` : '');
  return [`${what}${names.length === 1 ? '' : plural} ${shown}${remark}`];
}

/** For people and models; a shell gets the bytes. */
export function asText(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

function declared(printed: string): ReadonlyMap<string, Declaration> {
  return new Map(
    parseDeclarations(printed)
      .filter(({ name }) => !ownNames.has(name))
      .map((declaration) => [declaration.name, declaration]),
  );
}

/** A trap is a function without a name of its own; no function can be called so. */
const trapPrefix = 'trap ';

function trapped(state: ShellState): readonly string[] {
  return [...state.traps.matchAll(/^trap -- (?!'__handrail_)(?:'(?:[^']|'\\'')*'|\S*) ([A-Z][A-Z0-9+-]*)$/gm)].map(
    (match) => trapPrefix + match[1],
  );
}

export const functionsOf = (memory: ShellMemory): readonly string[] =>
  memory.functions.filter((name) => !name.startsWith(trapPrefix));

export const trapsOf = (memory: ShellMemory): readonly string[] =>
  memory.functions.filter((name) => name.startsWith(trapPrefix)).map((name) => name.slice(trapPrefix.length));

function changedWatched(state: ShellState, baseline: ShellState): readonly string[] {
  const fresh = new Map(readStatements(baseline.watched).map(({ name, text }) => [name, text]));
  return readStatements(state.watched)
    .filter(({ name, text }) => fresh.get(name) !== text)
    .map(({ name }) => name);
}

function without(names: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(others);
  return names.filter((name) => !known.has(name));
}
