/** What one page, and all of them, may take of the server by sockets of terminals. */

export type SocketLimits = {
  readonly maxSockets: number;
  /** Of one message: a large paste comes in several. */
  readonly maxMessageBytes: number;
  /** Sent and not yet drawn: more is not sent, and the terminal is let go meanwhile. */
  readonly maxUnseenBytes: number;
  /** Drawn so far that the newest state can be sent. */
  readonly enoughSeenBytes: number;
  readonly pingMs: number;
};

export const socketLimits: SocketLimits = {
  maxSockets: 32,
  maxMessageBytes: 64 * 1024,
  maxUnseenBytes: 1024 * 1024,
  enoughSeenBytes: 64 * 1024,
  pingMs: 15_000,
};
