/** What one page, and all of them, may take of the server by sockets of terminals. */

export type SocketLimits = {
  readonly maxSockets: number;
  /** Of one message: a large paste comes in several. */
  readonly maxMessageBytes: number;
  /** Sent and not yet drawn: more is not sent. What an attached terminal begins with is half of it. */
  readonly maxUnseenBytes: number;
  /** Drawn so far that the newest state can be sent. */
  readonly enoughSeenBytes: number;
  readonly pingMs: number;
};

export const socketLimits: SocketLimits = {
  maxSockets: 32,
  maxMessageBytes: 64 * 1024,
  // A key is answered behind all of it: so much is drawn in a moment, also by a phone.
  maxUnseenBytes: 512 * 1024,
  enoughSeenBytes: 64 * 1024,
  pingMs: 15_000,
};
