/** What the server has of terminals: those that it opens, the sockets that show them, and what ends both. */
import type { Handrail } from '../../contract/handrail.ts';
import type { Guards } from '../guards.ts';
import type { RouteParts } from '../routes/route-parts.ts';
import { createPersonTerminals, type PersonTerminals, temporaryOwner } from './open-terminal.ts';
import { socketLimits, type SocketLimits } from './terminal-limits.ts';
import { createTerminalSockets, type TerminalSockets } from './terminal-sockets.ts';

export type TerminalParts = {
  readonly personTerminals: PersonTerminals;
  readonly upgrade: TerminalSockets['accept'];
  /** The same, and a socket ends with the session that opened it, and with its conversation. */
  readonly sessions: RouteParts['sessions'];
  readonly feeds: RouteParts['feeds'];
  close(): Promise<void>;
};

export function createTerminalParts(
  handrail: Pick<Handrail, 'terminals' | 'scratchFolder'>,
  parts: Pick<RouteParts, 'list' | 'sessions' | 'feeds'> & {
    readonly isSignedIn: Guards['isSignedIn'];
    /** Omitted: the usual ones. */
    readonly limits?: Partial<SocketLimits> | undefined;
  },
): TerminalParts {
  const personTerminals = createPersonTerminals(handrail);
  const sockets = createTerminalSockets({
    terminals: () => handrail.terminals(),
    checkConversation: async (id) => {
      if (id !== temporaryOwner) await parts.list.find(id);
    },
    isSignedIn: parts.isSignedIn,
    limits: { ...socketLimits, ...parts.limits },
  });
  return {
    personTerminals,
    upgrade: sockets.accept,
    sessions: {
      ...parts.sessions,
      end(value) {
        parts.sessions.end(value);
        sockets.sessionEnded();
      },
    },
    feeds: {
      ...parts.feeds,
      end(id) {
        parts.feeds.end(id);
        sockets.conversationEnded(id);
      },
    },
    async close() {
      sockets.close();
      await personTerminals.close();
    },
  };
}
