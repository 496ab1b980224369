/** What it takes to start one program in the sandbox: the face between the sandbox and whoever runs programs in it. */
import type { Rung } from '../../contract/services.ts';
import type { OwnPrograms } from './own-programs.ts';

export type LaunchRequest = {
  /** Absolute real path. */
  readonly workspace: string;
  /** The program that becomes process number 1 inside, with its arguments. Absolute path. */
  readonly program: (view: LaunchView) => readonly string[];
  /** On top of the sandbox's own environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Folders and files of ours that programs are to see besides, made or named when the place for them is known. */
  readonly binds?: (place: PrivatePlace) => readonly Bind[];
  /** The program stays in the session of the terminal it is started from: only for a terminal made for this sandbox alone. */
  readonly keepsTerminal?: boolean;
  /** A folder that holds the system to show, whatever the settings say: for whoever installs one. Omitted: as the settings say. */
  readonly tree?: string;
  /** The first file descriptor that the sandbox may use for itself; those below are handed to the program. */
  readonly firstHandle: number;
  /** How many of those, the last ones, are for the way out. Where none can be handed in, it goes by the `meetingPlace`. Omitted: none. */
  readonly wayOutHandles?: number;
};

/** Where a folder of ours can lie so that the sandbox's user can reach it, and whose it must be to be written by that user. */
export type PrivatePlace = {
  /** Exists; private to us. Give what is made in it an own name. */
  readonly folder: string;
  /** The private home on the machine. */
  readonly home: string;
  readonly uid: number;
  readonly gid: number;
  /** False: no descriptor can be handed in, so what is needed has to be shown as a file. */
  readonly takesHandles: boolean;
};

/** Shown inside at `path`. `source` is a real path below the private place's folder, or one that everybody can reach. */
export type Bind = { readonly source: string; readonly path: string; readonly isWritable: boolean };

/** What an own file descriptor of the sandbox is: bytes to be read once, an open file, or a pipe that we read from. */
export type Handle =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'status' };

/** What holds the program and everything it starts together, and so how all of it is ended. */
export type Tree =
  /** The kernel: ending the first process inside ends them all. `initPid` is its number on the machine, once `status` has told it. */
  | {
      readonly kind: 'namespace';
      initPid(status: string): number | undefined;
      /** Where ending the launcher does not end what it has started. */
      readonly killCommand?: readonly [string, ...string[]];
    }
  /** A service of the machine: only this program reaches them (`docker kill`). */
  | { readonly kind: 'service'; signalCommand(signal: NodeJS.Signals): readonly [string, ...string[]] }
  /** Nothing: they have to be looked for, as on the host rung. All of them start with `mark` (`NAME=value`) in their environment. */
  | { readonly kind: 'loose'; readonly mark: string };

export type Launch = {
  readonly rung: Rung;
  readonly file: string;
  readonly args: readonly string[];
  /** Of the launcher itself, never of the program: a variable such as LD_PRELOAD would act outside the sandbox. */
  readonly launcherEnvironment: Readonly<Record<string, string>>;
  /** For the descriptors `firstHandle`, `firstHandle` + 1, … */
  readonly handles: readonly Handle[];
  /** The user that the program is on the machine: pipes that it is to open again must be this user's. */
  readonly uid: number;
  readonly gid: number;
  /** It is the machine's root without its rights: limits per user do not bind it. */
  readonly isRoot: boolean;
  readonly tree: Tree;
  /** A folder on the machine that programs inside see too, where no descriptor can be handed in. */
  readonly meetingPlace?: string;
  /** Once it has ended: takes away what the start has left on the machine. */
  release(): Promise<void>;
};

/** What is known of the inside before it exists. */
export type LaunchView = {
  /** The private home as programs inside see it. */
  readonly home: string;
  /** Where programs inside are searched. */
  readonly path: string;
  /** Nothing but what the program starts is to be seen there, and its end ends all of it. */
  readonly isOwnNamespace: boolean;
  /** Folders on the machine that it can fill, as real paths. */
  readonly filledPaths: readonly string[];
  /** Where the launch's `meetingPlace` is to be found inside. */
  readonly meetingPlace?: string;
  /** What may run before the mounts were looked at. */
  readonly ownPrograms: OwnPrograms;
  /** The path of bash inside, or of sh where there is no bash. */
  readonly shell: string;
  /**
   * The program must look before it does anything else: `paths` must have the identities `expected` in their order
   * (`device:inode`), and none of those in `forbidden`. A folder swapped while the mounts were made shows here.
   */
  readonly checks: {
    readonly paths: readonly string[];
    readonly expected: readonly string[];
    readonly forbidden: readonly string[];
  };
};
