/** What a terminal shows, from what its program printed: the same model that a browser's terminal has, without a picture. */
import type { Terminal } from '@xterm/headless';

export type Screen = {
  readonly lines: readonly string[];
  readonly cursor: { readonly row: number; readonly column: number };
  /** Lines that have left the screen at its top, the newest last. Empty on the alternate screen. */
  readonly history: readonly string[];
};

export type ScreenModel = {
  /** Resolves when it has been taken in. */
  write(bytes: Buffer): Promise<void>;
  /** After everything written so far. */
  look(historyLines: number): Promise<Screen>;
  resize(columns: number, rows: number): void;
  /** A full-screen program has it. */
  isAlternate(): boolean;
  usesApplicationCursorKeys(): boolean;
  /** What the terminal answers to its program's questions (where the cursor is, what it can do). */
  onReply(listener: (text: string) => void): void;
  close(): void;
};

const keptLines = 2_000;

export async function createScreenModel(columns: number, rows: number): Promise<ScreenModel> {
  const { default: xterm } = await import('@xterm/headless');
  const terminal = new xterm.Terminal({ cols: columns, rows, scrollback: keptLines, allowProposedApi: true });
  const write = (bytes: Buffer | ''): Promise<void> => new Promise((resolve) => terminal.write(bytes, resolve));
  return {
    write,
    async look(historyLines) {
      await write('');
      return readScreen(terminal, historyLines);
    },
    resize: (newColumns, newRows) => terminal.resize(newColumns, newRows),
    isAlternate: () => terminal.buffer.active.type === 'alternate',
    usesApplicationCursorKeys: () => terminal.modes.applicationCursorKeysMode,
    onReply: (listener) => void terminal.onData(listener),
    close: () => terminal.dispose(),
  };
}

function readScreen(terminal: Terminal, historyLines: number): Screen {
  const buffer = terminal.buffer.active;
  // Programs also fill lines with blanks of their own.
  const read = (row: number): string => (buffer.getLine(row)?.translateToString(true) ?? '').trimEnd();
  const from = Math.max(0, buffer.baseY - historyLines);
  return {
    lines: Array.from({ length: terminal.rows }, (_, row) => read(buffer.baseY + row)),
    cursor: { row: buffer.cursorY, column: buffer.cursorX },
    history: Array.from({ length: buffer.baseY - from }, (_, row) => read(from + row)),
  };
}
