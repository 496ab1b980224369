/** Interactive terminals: programs on a screen, each with a name. */

/** What a terminal shows: plain text, one entry per row, and where the cursor stands (0-based). */
export type TerminalScreen = {
  readonly name: string;
  readonly command: string;
  readonly columns: number;
  readonly rows: number;
  readonly lines: readonly string[];
  readonly cursor: { readonly row: number; readonly column: number };
  /** Lines that have left the screen at its top, when asked for; the newest last. */
  readonly history?: readonly string[];
  /** Plain sentences since it was asked last: a limit that was hit, files that were set aside. */
  readonly notes?: readonly string[];
  readonly isAlive: boolean;
  /** 128 + n when signal n ended its program. */
  readonly exitCode: number | null;
};

/** Text, or a key by its name (`enter`, `ctrl-c`, `up`). */
export type TypedToken =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'key'; readonly name: string };

/** What was typed at once, by whomever. */
export type TypedPiece = {
  readonly tokens: readonly TypedToken[];
  /** An interactive shell was in the foreground and not a program of its. */
  readonly wasAtShell: boolean;
};

/** What a question about the next keys has to know. */
export type TypedState = {
  /** False where its program runs on the machine itself, whatever the settings say by now. */
  readonly isSandboxed: boolean;
  /** What the terminal was opened with. */
  readonly command: string;
  /** Typed and not yet sent off by Enter. */
  readonly pieces: readonly TypedPiece[];
  /** Another one after everything typed, and in every other terminal. */
  readonly count: number;
  readonly isAtShell: boolean;
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
    readonly waitMs?: number;
  }): Promise<TerminalScreen>;
  /** Types `input` and resolves with the screen once it has come to rest, or after `waitMs`. */
  send(name: string, input: string, options?: { readonly waitMs?: number }): Promise<TerminalScreen>;
  /** `historyLines` omitted: 0. */
  read(name: string, options?: { readonly historyLines?: number }): Promise<TerminalScreen>;
  resize(name: string, size: { readonly columns: number; readonly rows: number }): Promise<TerminalScreen>;
  list(): Promise<readonly TerminalScreen[]>;
  /** Resolves when nothing of it is left, with what its user has to know of it. */
  close(name: string): Promise<readonly string[]>;
};

/** A terminal as a person's own shows it. */
export type TerminalView = {
  readonly name: string;
  /** What was printed last, to begin with. */
  readonly replay: Buffer;
  /** From now on. One listener; until it is set, what comes is kept. */
  onData(listener: (bytes: Buffer) => void): void;
  /** Resolves with the program's code once it has ended; with null also when its keeper was lost. */
  readonly exit: Promise<number | null>;
  write(bytes: Buffer | string): void;
  resize(columns: number, rows: number): void;
  /** Looks away; the program goes on. */
  detach(): void;
};

/** Terminals of all conversations, for the user, who needs no permission for them. */
export type AllTerminals = {
  list(): Promise<readonly (TerminalScreen & { readonly conversation: string; readonly workspace: string })[]>;
  /** In the sandbox as the settings say now. Rejects with conflict when the name is taken. */
  open(
    place: { readonly conversation: string; readonly workspace: string },
    request: Parameters<Terminals['open']>[0],
  ): Promise<TerminalScreen>;
  attach(conversation: string, name: string): Promise<TerminalView>;
  close(conversation: string, name: string): Promise<void>;
  /** Ends all, in every conversation. Resolves with how many there were. */
  stopAll(): Promise<number>;
};
