/** Files that the machine later obeys (git hooks, editor settings, .envrc …), changed by commands: set aside for the user to decide. */

export type AsideInfo = {
  readonly id: string;
  readonly workspace: string;
  /** Relative to the workspace. */
  readonly path: string;
  /** `entries`: only these settings were taken out of the file. */
  readonly what: 'file' | 'entries';
  readonly entries: readonly string[];
  readonly isNew: boolean;
  readonly bytes: number;
  readonly setAsideAt: string;
};

export type AsideView = AsideInfo & {
  /** What stands there without it, and what would stand there with it. Undefined: not text, or nothing. */
  readonly oldText: string | undefined;
  readonly newText: string | undefined;
};

/** For people alone: no tool reaches it. Rejects with MisuseFailure for an unknown id. */
export type AsideFiles = {
  list(): Promise<readonly AsideInfo[]>;
  show(id: string): Promise<AsideView>;
  /** Puts it in place. Rejects with ToolFailure('conflict') when something else stands there now. */
  accept(id: string): Promise<AsideInfo>;
  /** Throws it away. */
  drop(id: string): Promise<AsideInfo>;
};
