/** One page at one terminal: bytes both ways, and a page that cannot keep up gets the newest state instead of all before it. */
import type { WebSocket } from 'ws';
import { z } from 'zod';
import type { TerminalView } from '../../contract/terminals.ts';
import type { TerminalPageMessage, TerminalServerMessage } from '../../contract/web-terminals.ts';
import type { SocketLimits } from './terminal-limits.ts';

export type Showing = {
  /** Another page has changed the size. */
  tellSize(size: TerminalSize): void;
};

export type TerminalSize = { readonly columns: number; readonly rows: number };

export type ShowParts = {
  readonly socket: WebSocket;
  readonly limits: SocketLimits;
  /** The terminal as it is now. Rejects when it is gone. */
  readonly attach: () => Promise<TerminalView>;
  /** This page is the one whose size counts from now on. */
  readonly onSize: (size: TerminalSize) => void;
};

/** RFC 6455 7.4.1, and of the range that is free for programs: 4000 what was sent is not understood. */
export const closeCodes = { goingAway: 1001, notUnderstood: 4000, ended: 4001, signedOut: 4003 } as const;

const side = z.int().min(1).max(1_000);
const pageMessage = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('size'), columns: side, rows: side }),
  z.strictObject({ type: z.literal('seen'), bytes: z.int().min(0) }),
]);

/** `first`: attached already, so that a terminal that is not there is refused before the upgrade. */
export function showTerminal({ socket, limits, attach, onSize }: ShowParts, first: TerminalView): Showing {
  let view: TerminalView | undefined;
  let sentBytes = 0;
  let seenBytes = 0;
  let size: TerminalSize | undefined;
  let isSizer = false;
  /** What is printed is not sent, and nothing of it is kept here: the newest state is, once the page has caught up. */
  let isBehind = false;
  let isAttaching = false;

  const say = (message: TerminalServerMessage): void => socket.send(JSON.stringify(message));

  function begin(next: TerminalView): void {
    view?.detach();
    view = next;
    isBehind = false;
    [sentBytes, seenBytes] = [0, 0];
    say({ type: 'begin' });
    send(next.replay);
    next.onData((bytes) => {
      if (view === next) send(bytes);
    });
    void next.exit.then((exitCode) => {
      // The next view tells it, behind the last that was printed; or nobody looks any more.
      if (view !== next || isBehind) return;
      say({ type: 'exit', exitCode });
      socket.close(closeCodes.ended);
    });
  }

  function send(bytes: Buffer): void {
    if (isBehind) return;
    if (bytes.length > 0) socket.send(bytes, { binary: true });
    sentBytes += bytes.length;
    isBehind = sentBytes - seenBytes > limits.maxUnseenBytes;
  }

  function takeSeen(bytes: number): void {
    // Of a state before the last `begin`, or made up.
    if (bytes < seenBytes || bytes > sentBytes) return;
    seenBytes = bytes;
    if (!isBehind || isAttaching || sentBytes - seenBytes > limits.enoughSeenBytes) return;
    isAttaching = true;
    attach().then(
      (next) => {
        isAttaching = false;
        if (socket.readyState === socket.OPEN) begin(next);
        else next.detach();
      },
      // It ended meanwhile, and is gone.
      () => {
        say({ type: 'exit', exitCode: null });
        socket.close(closeCodes.ended);
      },
    );
  }

  function take(message: TerminalPageMessage): void {
    if (message.type === 'seen') return takeSeen(message.bytes);
    size = { columns: message.columns, rows: message.rows };
    applySize();
  }

  function applySize(): void {
    if (size === undefined) return;
    isSizer = true;
    view?.resize(size.columns, size.rows);
    onSize(size);
  }

  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary) {
      if (!isSizer) applySize();
      view?.write(data);
      return;
    }
    const message = readMessage(data);
    if (message === undefined) socket.close(closeCodes.notUnderstood);
    else take(message);
  });
  socket.on('close', () => {
    view?.detach();
    view = undefined;
  });
  begin(first);
  return {
    tellSize(other) {
      isSizer = false;
      say({ type: 'size', ...other });
    },
  };
}

function readMessage(data: Buffer): TerminalPageMessage | undefined {
  try {
    return pageMessage.safeParse(JSON.parse(data.toString())).data;
  } catch {
    // No JSON, which is not understood either.
    return undefined;
  }
}
