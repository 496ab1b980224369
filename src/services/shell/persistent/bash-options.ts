/** How the bash of a conversation is started, on whichever rung. */

/** Nothing of a poisoned home: no startup file, no history. */
export const bashOptions = ['--noprofile', '--norc', '--noediting', '-i'];
export const quietEnvironment = { HISTFILE: '/dev/null' };

/** What a shell forks and is no program of its own looks like the shell. */
export const isLineOfShell = (commandLine: string): boolean => commandLine.includes(bashOptions.join(' '));
