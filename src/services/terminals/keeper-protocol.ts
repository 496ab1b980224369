/** What is said between a program and the keeper of its terminals: one JSON object per line. */
import type { Socket } from 'node:net';
import { ToolFailure, type ToolFailureCode, toolFailureCodes } from '../../contract/failure.ts';
import type { Settings } from '../../contract/settings.ts';
import type { StateFolders } from '../state-folder/resolve-state-folders.ts';
import type { TerminalKey } from './create-keeper.ts';

/** In the socket's name: terminals may outlive an update of the program, and the two sides must understand each other. */
export const protocolVersion = 1;

/** What a sandbox is made from, as the asking program knows it. Without keys. */
export type KeeperSources = {
  readonly folders: StateFolders;
  readonly settings: Settings;
  readonly userHome: string;
  readonly programFolder: string;
  readonly environment: Readonly<Record<string, string>>;
};

export type OpenRequest = TerminalKey & {
  readonly workspace: string;
  /** Omitted: bash. */
  readonly command: string | undefined;
  readonly workingDir: string | undefined;
  readonly columns: number;
  readonly rows: number;
  /** How long to wait for the screen to come to rest. */
  readonly waitMs: number;
  readonly sources: KeeperSources;
};

export type KeeperRequest =
  | ({ readonly op: 'open' } & Omit<OpenRequest, 'command' | 'workingDir'> &
      Partial<Pick<OpenRequest, 'command' | 'workingDir'>>)
  | ({ readonly op: 'send'; readonly input: string; readonly waitMs: number; readonly count?: number } & TerminalKey)
  | ({ readonly op: 'read'; readonly historyLines: number } & TerminalKey)
  | ({ readonly op: 'resize'; readonly columns: number; readonly rows: number } & TerminalKey)
  | ({ readonly op: 'typed-state' } & TerminalKey)
  | ({ readonly op: 'close' } & TerminalKey)
  /** `conversation` omitted: of all. */
  | { readonly op: 'list' | 'close-all'; readonly conversation?: string }
  /** Then `ViewMessage`s go both ways until one side closes the connection. */
  | ({ readonly op: 'attach' } & TerminalKey);

/** Bytes as base64. */
export type ViewMessage =
  | { readonly data: string }
  | { readonly columns: number; readonly rows: number }
  | { readonly exitCode: number | null };

export type KeeperAnswer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: ToolFailureCode; readonly message: string };

/** Said first, by the keeper: whoever has heard it will be answered. */
export const greeting = 'handrail-terminals';

/** False when the other side is slow: it has not taken what was sent before. */
export function sendLine(socket: Socket, value: unknown): boolean {
  return socket.write(`${JSON.stringify(value)}\n`);
}

/** What is typed at once may be large; nothing is as large as this. */
const maxLineChars = 64 * 1024 * 1024;

/** Calls `onLine` with each line that has come whole. A peer that sends one without end is cut off. */
export function readLines(socket: Socket, onLine: (line: string) => void): void {
  let parts: string[] = [];
  let chars = 0;
  socket.setEncoding('utf8');
  socket.on('data', (text: string) => {
    const [first = '', ...more] = text.split('\n');
    parts.push(first);
    chars += first.length;
    if (chars > maxLineChars) socket.destroy();
    for (const next of more) {
      const line = parts.join('');
      parts = [next];
      chars = next.length;
      onLine(line);
    }
  });
}

/** Throws the failure that the answer holds. */
export function valueOf(line: string): unknown {
  const answer = JSON.parse(line) as Partial<Record<'ok' | 'code' | 'message' | 'value', unknown>>;
  if (answer.ok === true) return answer.value;
  const code = toolFailureCodes.find((each) => each === answer.code) ?? 'failed';
  throw new ToolFailure(
    code,
    typeof answer.message === 'string' ? answer.message : 'The keeper of the terminals failed.',
  );
}
