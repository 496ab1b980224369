/** What runs in a terminal: a shell that starts clean, or one command. */
import { findBash } from '../shell/find-bash.ts';

/**
 * Job control, so that Ctrl-C and Ctrl-Z reach the command and nothing around it: the sandbox's own processes are in the
 * terminal's session. A command that is stopped goes on at once, since there is no shell to wake it from.
 */
const runner = `
set -m
"$BASH" -c -- "$1" bash
code=$?
while [ -n "$(jobs -s -p)" ]; do fg >/dev/null 2>&1; code=$?; done
exit "$code"
`;

/** A session leader without a terminal gets the one it opens (tty_ioctl(4), TIOCSCTTY); Node has no call for it. */
const taker = 'exec 0<>"$0" 1>&0 2>&0 && exec "$@"';

/** `command` omitted: an interactive shell. Never one that reads what another conversation left in the home. */
export function terminalProgram(command: string | undefined, shell = findBash()): [string, ...string[]] {
  // A bare userland has no bash; its sh reads no file but the one that ENV names, and there is none.
  if (!shell.endsWith('/bash')) return isPlainShell(command) ? [shell, '-i'] : [shell, '-c', command];
  const bash: [string, ...string[]] = [shell, '--noprofile', '--norc'];
  return isPlainShell(command) ? [...bash, '-i'] : [...bash, '-c', runner, 'bash', command];
}

export function isPlainShell(command: string | undefined): command is undefined {
  return command === undefined || /^\s*(\/(usr\/)?bin\/)?bash\s*$/.test(command);
}

export const takeTerminal = (path: string, command: readonly [string, ...string[]]): readonly [string, ...string[]] => [
  ...(['/bin/sh', '-c', taker, path] as const),
  ...command,
];

export const terminalEnvironment: Readonly<Record<string, string>> = {
  TERM: 'xterm-256color',
  COLORTERM: 'truecolor',
  PS1: '\\w\\$ ',
  // Neither kept in the home that all conversations share nor, with key bindings, taken from it.
  HISTFILE: '',
  INPUTRC: '/dev/null',
};
