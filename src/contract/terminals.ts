/** Interactive terminals: programs on a screen, each with a name. */

/** What a terminal shows: plain text, one entry per row, and where the cursor stands (0-based). */
export type TerminalScreen = {
  readonly name: string;
  readonly command: string;
  readonly columns: number;
  readonly rows: number;
  readonly lines: readonly string[];
  readonly cursor: { readonly row: number; readonly column: number };
  readonly isAlive: boolean;
  readonly exitCode: number | null;
};

/** Interactive terminals of one conversation, each with a name. Rejects with ToolFailure: not_found, conflict, busy, denied, unavailable. */
export type Terminals = {
  /** `command` omitted: bash. Resolves when the screen has come to rest for a moment. */
  open(request: {
    readonly name: string;
    readonly command?: string;
    readonly workingDir?: string;
    readonly columns?: number;
    readonly rows?: number;
  }): Promise<TerminalScreen>;
  /** Types `input` and resolves with the screen once it has come to rest, or after `waitMs`. */
  send(name: string, input: string, options?: { readonly waitMs?: number }): Promise<TerminalScreen>;
  read(name: string): Promise<TerminalScreen>;
  list(): Promise<readonly TerminalScreen[]>;
  close(name: string): Promise<void>;
};
