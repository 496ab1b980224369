/** How the bash of a conversation is started, on whichever rung. */

/** Nothing of a poisoned home: no startup file, no history. */
export const bashOptions = ['--noprofile', '--norc', '--noediting', '-i'];
export const quietEnvironment = { HISTFILE: '/dev/null' };
