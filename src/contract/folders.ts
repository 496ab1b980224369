/** Folders of this machine, for whoever picks one to work in. */

export type FolderListing = {
  /** Absolute, links followed. */
  readonly path: string;
  /** Omitted: it is the root folder. */
  readonly parent?: string;
  /** Why it cannot be a workspace. Omitted: it can. */
  readonly refusal?: string;
  readonly isGit: boolean;
  /** It holds an AGENTS.md, which conversations in it read as project text. */
  readonly hasProjectText: boolean;
  /** Folders in it, by name: hidden ones and those that cannot be opened left out. */
  readonly folders: readonly string[];
  /** So many more are not listed. */
  readonly hidden: number;
};
