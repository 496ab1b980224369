/** The sockets of terminals: which upgrade is one, how many there are, which are dead, and when they end. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { AllTerminals } from '../../contract/terminals.ts';
import { RequestFailure } from '../request-failure.ts';
import { closeCodes } from './close-codes.ts';
import { showTerminal, type Showing, type TerminalSize } from './show-terminal.ts';
import type { SocketLimits } from './terminal-limits.ts';

export type TerminalSockets = {
  /** Upgrades, or rejects with a failure that is to be answered. The guards have let it pass. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
  /** A session has ended: pages of others go on. */
  sessionEnded(): void;
  conversationEnded(id: string): void;
  close(): void;
};

export type SocketParts = {
  readonly terminals: () => Promise<AllTerminals>;
  /** Rejects with RequestFailure('not_found') where there is no such conversation. */
  readonly checkConversation: (id: string) => Promise<void>;
  readonly isSignedIn: (cookies: string | undefined) => boolean;
  readonly limits: SocketLimits;
};

type Open = {
  readonly socket: WebSocket;
  readonly conversation: string;
  readonly name: string;
  readonly cookies: string | undefined;
  showing?: Showing;
  isAlive: boolean;
};

export function createTerminalSockets(parts: SocketParts): TerminalSockets {
  const { limits } = parts;
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: limits.maxMessageBytes,
  });
  const open = new Set<Open>();
  /** Between the question and the upgrade. */
  let coming = 0;
  let isClosed = false;
  const pings = setInterval(() => {
    for (const each of open) {
      if (!each.isAlive || !parts.isSignedIn(each.cookies)) each.socket.terminate();
      each.isAlive = false;
      each.socket.ping();
    }
  }, limits.pingMs);

  function shareSize(by: Open, size: TerminalSize): void {
    for (const each of open) {
      if (each === by || each.conversation !== by.conversation || each.name !== by.name) continue;
      each.showing?.tellSize(size);
    }
  }

  async function attach(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { conversation, name } = readPath(request.url ?? '');
    await parts.checkConversation(conversation);
    const look = async () => (await parts.terminals()).attach(conversation, name);
    const view = await look();
    if (isClosed || socket.destroyed) return view.detach();
    // A handshake that is none, `ws` answers by itself.
    socket.once('close', () => view.detach());
    server.handleUpgrade(request, socket, head, (upgraded) => {
      const entry: Open = { socket: upgraded, conversation, name, cookies: request.headers.cookie, isAlive: true };
      open.add(entry);
      upgraded.on('pong', () => (entry.isAlive = true));
      upgraded.on('close', () => open.delete(entry));
      // Too large a message, or no WebSocket at all: `ws` closes it, with the reason.
      upgraded.on('error', () => undefined);
      const onSize = (size: TerminalSize): void => shareSize(entry, size);
      entry.showing = showTerminal({ socket: upgraded, limits, attach: look, onSize }, view);
    });
  }

  return {
    async accept(request, socket, head) {
      if (!parts.isSignedIn(request.headers.cookie))
        throw new RequestFailure('no_session', 'This browser is not signed in.');
      if (open.size + coming >= limits.maxSockets)
        throw new RequestFailure('too_many', `${limits.maxSockets} pages look at terminals, which is the most.`);
      coming += 1;
      await attach(request, socket, head).finally(() => (coming -= 1));
    },
    sessionEnded() {
      for (const each of open) if (!parts.isSignedIn(each.cookies)) each.socket.close(closeCodes.signedOut);
    },
    conversationEnded(id) {
      for (const each of open) if (each.conversation === id) each.socket.close(closeCodes.ended);
    },
    close() {
      isClosed = true;
      clearInterval(pings);
      for (const { socket } of open) {
        socket.close(closeCodes.goingAway);
        socket.terminate();
      }
      server.close();
    },
  };
}

/** Nothing but these characters: no encoding, no query, no step up. The session stands in the cookie alone. */
function readPath(url: string): { readonly conversation: string; readonly name: string } {
  const match = /^\/api\/terminals\/([\w-]{1,64})\/([\w-]{1,40})\/socket$/.exec(url);
  const [, conversation, name] = match ?? [];
  if (conversation === undefined || name === undefined)
    throw new RequestFailure('not_found', 'There is no such channel.');
  return { conversation, name };
}
