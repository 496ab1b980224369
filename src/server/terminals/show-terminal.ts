/** One page at one terminal: what it types, and whose size counts. */
import { z } from 'zod';
import type { TerminalView } from '../../contract/terminals.ts';
import type { TerminalPageMessage } from '../../contract/web-terminals.ts';
import { closeCodes } from './close-codes.ts';
import { type ScreenParts, sendScreen } from './send-screen.ts';

export type Showing = {
  /** Another page has changed the size. */
  tellSize(size: TerminalSize): void;
};

export type TerminalSize = { readonly columns: number; readonly rows: number };

export type ShowParts = ScreenParts & {
  /** This page is the one whose size counts from now on. */
  readonly onSize: (size: TerminalSize) => void;
};

const side = z.int().min(1).max(1_000);
const pageMessage = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('size'), columns: side, rows: side }),
  z.strictObject({ type: z.literal('seen'), bytes: z.int().min(0) }),
]);

/** `first`: attached already, so that a terminal that is not there is refused before the upgrade. */
export function showTerminal(parts: ShowParts, first: TerminalView): Showing {
  const { socket, onSize } = parts;
  const screen = sendScreen(parts, first);
  let size: TerminalSize | undefined;
  let isSizer = false;

  function applySize(): void {
    if (size === undefined) return;
    isSizer = true;
    screen.view().resize(size.columns, size.rows);
    onSize(size);
  }

  function take(message: TerminalPageMessage): void {
    if (message.type === 'seen') return screen.seen(message.bytes);
    size = { columns: message.columns, rows: message.rows };
    applySize();
  }

  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary) {
      if (!isSizer) applySize();
      screen.view().write(data);
      return;
    }
    const message = readMessage(data);
    if (message === undefined) socket.close(closeCodes.notUnderstood);
    else take(message);
  });
  return {
    tellSize(other) {
      isSizer = false;
      screen.say({ type: 'size', ...other });
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
