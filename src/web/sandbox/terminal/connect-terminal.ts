/** The socket of one terminal: bytes both ways, connected again when it breaks. Contract: contract/web-terminals.ts. */
import type { TerminalPageMessage, TerminalServerMessage, WebTerminal } from '../../../contract/web-terminals.ts';

export type TerminalLink = {
  type(bytes: Uint8Array<ArrayBuffer>): void;
  say(message: TerminalPageMessage): void;
  close(): void;
};

export type LinkEvents = {
  onBytes(bytes: Uint8Array): void;
  onMessage(message: TerminalServerMessage): void;
  /** `lost`: it is tried again. */
  onState(state: 'open' | 'lost'): void;
};

const largestWait = 10_000;
/** The server takes no larger message. */
const pieceBytes = 32 * 1024;

export function connectTerminal({ conversation, name }: WebTerminal, events: LinkEvents): TerminalLink {
  const { protocol, host } = window.location;
  const scheme = protocol === 'https:' ? 'wss:' : 'ws:';
  const address = `${scheme}//${host}/api/terminals/${conversation}/${name}/socket`;
  let socket = connect();
  let waitMs = 500;
  let timer = 0;
  let isClosed = false;

  function connect(): WebSocket {
    const made = new WebSocket(address);
    made.binaryType = 'arraybuffer';
    made.onopen = () => {
      waitMs = 500;
      events.onState('open');
    };
    made.onmessage = ({ data }: MessageEvent<ArrayBuffer | string>) => {
      if (typeof data !== 'string') return events.onBytes(new Uint8Array(data));
      const message = JSON.parse(data) as TerminalServerMessage;
      if (message.type === 'exit') isClosed = true;
      return events.onMessage(message);
    };
    made.onclose = () => {
      if (isClosed) return;
      events.onState('lost');
      timer = window.setTimeout(() => (socket = connect()), waitMs);
      waitMs = Math.min(waitMs * 2, largestWait);
    };
    return made;
  }

  const isOpen = (): boolean => socket.readyState === WebSocket.OPEN;
  return {
    type(bytes) {
      for (let at = 0; at < bytes.length && isOpen(); at += pieceBytes)
        socket.send(bytes.subarray(at, at + pieceBytes));
    },
    say(message) {
      if (isOpen()) socket.send(JSON.stringify(message));
    },
    close() {
      isClosed = true;
      window.clearTimeout(timer);
      socket.close();
    },
  };
}
