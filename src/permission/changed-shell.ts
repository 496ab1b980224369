/**
 * What stands between a command's words and what they mean: functions, aliases and variables that were changed before, or that
 * the text itself changes. An allowance that was given for the words does not hold then (SECURITY A15).
 */
import type { ShellState } from '../contract/shell-state.ts';
import type { CommandReading } from './read-command/command-reading.ts';
import { isTameVariable } from './read-command/variable-names.ts';

/** Set by any shell, or with no say in what a program does. */
const ownVariables = new Set(['PWD', 'OLDPWD', 'SHLVL', '_', 'COLUMNS', 'LINES', 'PS1', 'PS2', 'VIRTUAL_ENV_PROMPT']);

/** Run by bash around commands of any name: traps that need no signal from outside, and the function for names that are not found. */
const unasked = new Set(['DEBUG', 'ERR', 'RETURN', 'EXIT', 'SIGCHLD', 'command_not_found_handle']);

/** In words for the question; empty when a command means what it says. */
export function findShellChanges(reading: CommandReading, state: ShellState | undefined): readonly string[] {
  const heads = new Set(reading.heads);
  // What could not be read asks by itself, and may be anything.
  const isKnown = !heads.has('?');
  const found = new Set<string>();
  for (const name of state?.functions ?? [])
    if (!isKnown || heads.has(name) || unasked.has(name)) found.add(`the shell's function ${name}`);
  for (const name of state?.traps ?? []) if (unasked.has(name)) found.add(`the shell's trap on ${name}`);
  for (const name of state?.aliases ?? []) if (!isKnown || heads.has(name)) found.add(`the shell's alias ${name}`);
  for (const name of state?.variables ?? []) if (isWeighty(name)) found.add(`the shell's changed ${name}`);
  for (const name of [...reading.shellChanges, ...reading.overrides]) {
    if (name === '?') {
      if (isKnown) found.add('its own change of something that cannot be known');
    } else if (isWeighty(name) || heads.has(name)) found.add(`its own change of ${name}`);
  }
  return [...found].toSorted();
}

/**
 * Unknown names in capitals are mostly a project's own settings, which its programs read; those that the shell, the loader, git
 * and interpreters obey are weighty.
 */
function isWeighty(name: string): boolean {
  if (isTameVariable(name) || ownVariables.has(name)) return false;
  return obeyed.test(name);
}

const obeyed =
  /^(?:PATH|HOME|SHELL|IFS|CDPATH|ENV|BASH_\w+|BASHOPTS|SHELLOPTS|PROMPT_COMMAND|PS[04]|GLOBIGNORE|EXECIGNORE|FPATH|LD_\w+|DYLD_\w+|GCONV_PATH|LOCPATH|NLSPATH|MALLOC_\w+|GIT_\w+|\w*PAGER|LESS\w*|\w*EDITOR|VISUAL|BROWSER|\w*ASKPASS|SSH_\w+|RSYNC_\w+|CVS_RSH|PYTHON\w*|NODE_\w+|npm_\w+|NPM_\w+|PERL\w*|RUBY\w*|GEM_\w+|BUNDLE_\w+|JAVA_\w+|_JAVA_OPTIONS|JDK_\w+|CLASSPATH|GO\w+|CARGO\w*|RUST\w+|CC|CXX|CPP|LD|AR|AS|CFLAGS|CXXFLAGS|LDFLAGS|MAKE\w*|GNUMAKEFLAGS|LUA_\w+|PHP\w*|R_\w+|TCL\w*|TMPDIR|TMP|TEMP|XDG_\w+|\w*_?(?:http|https|all|ftp|no)_proxy|\w*_PROXY|DOCKER_\w+|KUBECONFIG|AWS_\w+|TERMINFO\w*|TERMCAP|MANPATH|INFOPATH|INPUTRC|HISTFILE|MAIL\w*|POSIXLY_CORRECT|TAR_\w+|GZIP|BZIP2?|XZ_\w+|ZSTD_\w+|GREP_\w+|FZF_\w+|RIPGREP_\w+|FIGNORE)$/;
