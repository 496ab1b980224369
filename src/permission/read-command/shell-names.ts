/** Shells and interpreters: programs that run the text they are given. */
import type { OptionTable } from './read-options.ts';

/** Shells whose `-c` we can read, and whether they are bash. Others (`fish`, `csh`, `nu`) speak another language. */
export const shells: ReadonlyMap<string, 'bash' | 'posix' | 'other'> = new Map([
  ...['bash', 'rbash'].map((name) => [name, 'bash'] as const),
  ...['sh', 'dash', 'ash', 'ksh', 'ksh93', 'mksh', 'yash', 'zsh', 'rzsh', 'posh', 'lksh'].map(
    (name) => [name, 'posix'] as const,
  ),
  ...['fish', 'csh', 'tcsh', 'nu', 'xonsh', 'pwsh', 'elvish', 'rc', 'es', 'osh', 'ysh'].map(
    (name) => [name, 'other'] as const,
  ),
]);

export const shellOptions: OptionTable = {
  values: 'oO',
  flags: 'abcefhiklmnprstuvxBCDEHPTV',
  longValues: 'rcfile init-file',
  longFlags:
    'login noprofile norc posix noediting restricted verbose debugger dump-strings dump-po-strings help version',
};

/** Interpreters that run a program from standard input when they are given none. */
export const interpreters =
  /^(?:python[\d.]*|pypy\d*|perl[\d.]*|ruby[\d.]*|node|nodejs|deno|bun|php[\d.]*|lua[\d.]*|luajit|tclsh|wish|Rscript|R|guile|gawk|osascript|julia)$/;
