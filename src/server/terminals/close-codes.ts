/** Why a socket was closed. */

/** RFC 6455 7.4.1, and of the range that is free for programs. */
export const closeCodes = { goingAway: 1001, notUnderstood: 4000, ended: 4001, signedOut: 4003 } as const;
