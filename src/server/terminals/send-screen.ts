/** What a terminal prints, on its way to one page: a page that cannot keep up gets the newest state instead of all before it. */
import type { WebSocket } from 'ws';
import type { TerminalView } from '../../contract/terminals.ts';
import type { TerminalServerMessage } from '../../contract/web-terminals.ts';
import { closeCodes } from './close-codes.ts';
import type { SocketLimits } from './terminal-limits.ts';

export type SentScreen = {
  /** What is typed goes to the newest one. */
  view(): TerminalView;
  say(message: TerminalServerMessage): void;
  /** The page has drawn so much since the last `begin`. */
  seen(bytes: number): void;
};

export type ScreenParts = {
  readonly socket: WebSocket;
  readonly limits: SocketLimits;
  /** The terminal as it is now. Rejects when it is gone. */
  readonly attach: () => Promise<TerminalView>;
};

export function sendScreen({ socket, limits, attach }: ScreenParts, first: TerminalView): SentScreen {
  let view = first;
  let sentBytes = 0;
  let seenBytes = 0;
  /** What is printed is not sent, and nothing of it is kept here: the newest state is, once the page has caught up. */
  let isBehind = false;
  let isAttaching = false;

  const say = (message: TerminalServerMessage): void => socket.send(JSON.stringify(message));

  function end(exitCode: number | null): void {
    say({ type: 'exit', exitCode });
    socket.close(closeCodes.ended);
  }

  function begin(next: TerminalView): void {
    view = next;
    isBehind = false;
    [sentBytes, seenBytes] = [0, 0];
    say({ type: 'begin' });
    send(next.replay);
    next.onData((bytes) => {
      if (view === next) send(bytes);
    });
    // Otherwise the next view tells it, behind the last that was printed.
    void next.exit.then((exitCode) => view === next && !isBehind && end(exitCode));
  }

  function send(bytes: Buffer): void {
    if (isBehind) return;
    if (bytes.length > 0) socket.send(bytes, { binary: true });
    sentBytes += bytes.length;
    isBehind = sentBytes - seenBytes > limits.maxUnseenBytes;
  }

  async function catchUp(): Promise<void> {
    isAttaching = true;
    // None: it ended meanwhile, and is gone.
    const next = await attach().catch(() => undefined);
    isAttaching = false;
    if (socket.readyState !== socket.OPEN) return next?.detach();
    if (next === undefined) return end(null);
    view.detach();
    begin(next);
  }

  socket.on('close', () => view.detach());
  begin(first);
  return {
    say,
    view: () => view,
    seen(bytes) {
      // Of a state before the last `begin`, or made up.
      if (bytes < seenBytes || bytes > sentBytes) return;
      seenBytes = bytes;
      if (isBehind && !isAttaching && sentBytes - seenBytes <= limits.enoughSeenBytes) void catchUp();
    },
  };
}
