/** The Linux userland that commands may have instead of this machine's system: what faces show of it and do with it. */

export const userlandDistributions = ['alpine', 'debian'] as const;
export type UserlandDistribution = (typeof userlandDistributions)[number];

export type UserlandStatus = {
  /** `unfinished`: an installation stopped on its way; installing again goes on. */
  readonly state: 'absent' | 'unfinished' | 'ready';
  /** Commands run in it: the settings say so. */
  readonly isInForce: boolean;
  /** The user on the machine that its files belong to. */
  readonly owner: number;
  /** Where it lies on the machine. */
  readonly folder: string;
  readonly distribution?: UserlandDistribution;
  /** Of the release: `3.21`, `bookworm`. */
  readonly version?: string;
  /** What its own os-release says. */
  readonly prettyName?: string;
  readonly packageManager?: string;
  /** Where it came from. */
  readonly mirror?: string;
  readonly installedAt?: string;
  /** `basic`: with the set of the everyday programs. */
  readonly packages?: 'bare' | 'basic';
  /** Plain sentences: what to know, for example that the release gets no updates any more. */
  readonly notes: readonly string[];
};

export type UserlandStep = 'look' | 'download' | 'verify' | 'unpack' | 'repositories' | 'packages' | 'remove' | 'ready';

export type UserlandProgress = {
  readonly step: UserlandStep;
  readonly text: string;
  /** Of the whole of this step. Omitted: not known. */
  readonly percent?: number;
  /** The mirror in use. */
  readonly mirror?: string;
};

/** How somebody follows a long piece of work. */
export type UserlandWatch = {
  readonly onProgress?: (progress: UserlandProgress) => void;
  /** What the package manager prints, as it comes. */
  readonly onOutput?: (text: string) => void;
  readonly signal?: AbortSignal;
};

export type UserlandPackage = { readonly name: string; readonly version: string; readonly description: string };

export type UserlandInstall = {
  /** Omitted: what is installed already, else what the settings say. */
  readonly distribution?: UserlandDistribution;
  /** Of the release. Omitted: likewise. */
  readonly version?: string;
  /** Without the package set. Omitted: false. */
  readonly isBare?: boolean;
  /** Puts it in the place of another one. Omitted: that is a conflict. */
  readonly replaces?: boolean;
};

/**
 * Rejects with ToolFailure: unavailable (nothing answers, nothing installed: what to do), conflict, busy (another process
 * installs), failed (the step and why), denied, cancelled, invalid_input.
 */
export type Userland = {
  status(): Promise<UserlandStatus>;
  /** Goes on where an earlier one stopped. One that is there already changes nothing: `isNew` is false then. */
  install(request: UserlandInstall, watch?: UserlandWatch): Promise<UserlandStatus & { readonly isNew: boolean }>;
  /** Adds the set of the everyday programs. */
  addBasicPackages(watch?: UserlandWatch): Promise<UserlandStatus>;
  readonly packages: {
    /** Those that are installed, by name. */
    list(): Promise<readonly UserlandPackage[]>;
    /** At most `limit` (omitted: 50), by name. */
    search(query: string, options?: { readonly limit?: number }): Promise<readonly UserlandPackage[]>;
    install(names: readonly string[], watch?: UserlandWatch): Promise<void>;
    remove(names: readonly string[], watch?: UserlandWatch): Promise<void>;
  };
  /** Ends every shell, job and terminal in it and puts a fresh one in its place. The private home stays unless `withHome`. */
  reset(request: { readonly withHome?: boolean }, watch?: UserlandWatch): Promise<UserlandStatus>;
  /** Likewise, and leaves none. False when there was none. */
  uninstall(): Promise<boolean>;
};

/** A shell in the sandbox for a person who sits at a terminal. */
export type PersonalShell = {
  /** The folder to be in, which stands where a conversation's workspace stands. A real path. */
  readonly workspace: string;
  /** Omitted: an interactive shell. */
  readonly command?: string;
  /** Both are a terminal. */
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
};
