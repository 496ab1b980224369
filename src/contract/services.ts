/**
 * The hands. A tool names the services it needs and receives faces of them that are bound to its call:
 * each looks again, at the moment of use, at what was granted, so a wrong `access()` fails closed.
 */
import type { Access, PathMode, ResolvedAccess } from './access.ts';
import type { ArtifactReference } from './output.ts';
import type { Code } from './code.ts';
import type { Jobs } from './jobs.ts';
import type { Notifications } from './notifications.ts';
import type { Ssh } from './ssh.ts';
import type { Terminals } from './terminals.ts';
import type { Decision } from './permission.ts';
import type { ToolCatalog } from './tool-catalog.ts';
import type { Viewer } from './viewer.ts';

export type Services = {
  readonly files: Files;
  readonly search: Search;
  readonly shell: Shell;
  readonly jobs: Jobs;
  readonly terminals: Terminals;
  readonly code: Code;
  readonly ssh: Ssh;
  readonly artifacts: Artifacts;
  readonly clock: Clock;
  readonly notifications: Notifications;
  readonly viewer: Viewer;
  readonly toolCatalog: ToolCatalog;
};

export type ServiceName = keyof Services;

/** The conversation a call belongs to, handed down by the loop, never by an argument of the call. */
export type ConversationInfo = {
  readonly id: string;
  /** Absolute real path, fixed when the conversation is made. */
  readonly workspace: string;
  /** True for a `run` without a conversation: nothing but its ledger line is kept. */
  readonly isThrowaway: boolean;
  /** Omitted: `chat`. */
  readonly kind?: 'chat' | 'interactive';
};

/** What one call may do. Made by the executor after the decision. */
export type CallScope = {
  readonly callId: string;
  readonly conversation: ConversationInfo;
  /** The accesses the decision covered, as resolved before it. */
  readonly granted: readonly ResolvedAccess[];
  readonly signal: AbortSignal;
  /** How many calls of the same response use the same hand at once, this one included. Omitted: 1. */
  readonly callsTogether?: number;
  /**
   * Asks for something that shows only while the call runs (a new host): decided and asked like any access of the call, and
   * the call's time stands still meanwhile. Resolves with allow or deny. Omitted: nobody can be asked, so deny.
   */
  readonly request?: (access: Access) => Promise<Decision>;
  /** Hosts that a person has allowed for longer than one call; for what goes on when nobody can be asked. Omitted: none. */
  readonly grantedHosts?: () => Promise<readonly string[]>;
  /** Whether what was once allowed still is, without asking: what this very call was allowed counts. Omitted: it is. */
  readonly holds?: (access: Access) => Promise<boolean>;
  /** Says that text of others may be in the call's result: a host that answered it. Omitted: nobody wants to know. */
  readonly noteStranger?: (source: string) => void;
  /** Why a rule forbids to read what lies at this real path, for tools that look through whole folders. Omitted: nothing does. */
  readonly forbids?: (realPath: string) => boolean;
};

/** Owns one service for the life of the program. Made on first use, closed by `close()`. */
export type ServiceOwner<Face> = {
  /** The face for one call. */
  forCall(scope: CallScope): Face;
  /** Releases whatever it holds; resolves when nothing is left. */
  close(): Promise<void>;
};

/** Turns declared accesses into real paths, hosts and read commands. Rejects only with ToolFailure. */
export type AccessResolver = (access: Access, conversation: ConversationInfo) => Promise<ResolvedAccess>;

export type FileKind = 'file' | 'folder' | 'link' | 'other';

export type FileInfo = {
  /** Absolute, as tools and people see it. */
  readonly path: string;
  readonly kind: FileKind;
  readonly bytes: number;
  readonly modifiedAt: string;
  /** Permission bits, for example 0o644. */
  readonly mode: number;
};

/**
 * Files, by real path. Every method resolves `~`, relative paths (to the workspace) and links, checks the zone and the
 * grants, and then acts on the very object it checked: a link planted in between wins nothing.
 * Rejects with ToolFailure: not_found, denied, too_large, conflict, invalid_input, failed.
 */
export type Files = {
  /** The absolute path that `path` names, links not followed; for messages and results. */
  absolute(path: string): string;
  /** Undefined when nothing is there. A dangling link counts as a link. */
  info(path: string): Promise<FileInfo | undefined>;
  /** Regular files only. `maxBytes` omitted: 10 MB less one byte; more rejects with too_large. */
  read(
    path: string,
    options?: { readonly maxBytes?: number },
  ): Promise<{ readonly path: string; readonly bytes: Buffer; readonly info: FileInfo }>;
  /**
   * Replaces the whole file atomically and makes parent folders. Mode, owner and an existing link's target are kept.
   * `expected`: bytes that must still be there (undefined: no condition, null: the file must not exist); else conflict.
   */
  write(
    path: string,
    bytes: Uint8Array,
    options?: { readonly expected?: Uint8Array | null },
  ): Promise<{ readonly path: string; readonly created: boolean }>;
  append(path: string, bytes: Uint8Array): Promise<{ readonly path: string; readonly created: boolean }>;
  /** Names sorted; `recursive` walks without following links. `limit` omitted: 1000. */
  list(
    path: string,
    options?: { readonly recursive?: boolean; readonly limit?: number },
  ): Promise<{ readonly entries: readonly FileInfo[]; readonly truncated: boolean }>;
  makeFolder(path: string): Promise<{ readonly path: string; readonly created: boolean }>;
  /** Never overwrites: conflict when the destination exists. */
  move(from: string, to: string): Promise<{ readonly from: string; readonly to: string }>;
  /** Never overwrites; a folder needs `recursive`. */
  copy(
    from: string,
    to: string,
    options?: { readonly recursive?: boolean },
  ): Promise<{ readonly from: string; readonly to: string }>;
  /** Moves into the trash of the state folder; a folder that is not empty needs `recursive`. `trashId` brings it back. */
  trash(
    path: string,
    options?: { readonly recursive?: boolean },
  ): Promise<{ readonly path: string; readonly trashId: string }>;
  /** Undoes the newest removal of `path`. conflict when something is there again. */
  restore(path: string): Promise<{ readonly path: string }>;
  /** Resolves and checks one path as every method does, without acting; for services that act on it themselves. */
  check(path: string, mode: PathMode): Promise<{ readonly path: string; readonly realPath: string }>;
};

export type TextMatch = { readonly file: string; readonly lineNumber: number; readonly line: string };

/** Finding files and text. All paths given back are absolute. Hits in places the call may not read are left out. */
export type Search = {
  /** By glob below `path`; newest are not preferred, order is by path. */
  glob(request: {
    readonly pattern: string;
    readonly path: string;
    readonly limit: number;
  }): Promise<{ readonly basePath: string; readonly files: readonly string[]; readonly truncated: boolean }>;
  /** By regular expression (RE2 syntax, linear time) or, with `isLiteral`, by text. Binary files are passed over. */
  grep(request: {
    readonly pattern: string;
    readonly path: string;
    readonly include?: string;
    readonly limit: number;
    readonly filesOnly?: boolean;
    readonly isLiteral?: boolean;
    readonly ignoreCase?: boolean;
    readonly maxPerFile?: number;
    /** Leave out what .gitignore names. */
    readonly honourIgnoreFiles?: boolean;
  }): Promise<{
    readonly basePath: string;
    readonly matches: readonly TextMatch[];
    readonly truncated: boolean;
    readonly backend: string;
  }>;
  /** By file name or glob, with the fastest of plocate, locate and find. */
  findByName(request: {
    readonly pattern: string;
    readonly path: string;
    readonly limit: number;
    readonly includeHidden: boolean;
  }): Promise<{
    readonly basePath: string;
    readonly files: readonly string[];
    readonly truncated: boolean;
    readonly backend: string;
  }>;
};

/** The rungs of the ladder, strongest first. */
export type Rung = 'namespaces' | 'namespaces-shared-network' | 'container' | 'proot' | 'host';

/** What `doctor` says about the sandbox. */
export type SandboxReport = {
  /** As the settings ask for it. */
  readonly configured: Rung;
  /** The rung that commands run on; undefined when the configured one cannot be had: commands are refused then. */
  readonly rung: Rung | undefined;
  /** Why there is none. */
  readonly reason?: string;
  /** What to type to mend it. */
  readonly fix?: string;
  /** Nothing is missing but the Linux userland that the settings ask for. Omitted: false. */
  readonly lacksUserland?: boolean;
  readonly bubblewrap?: { readonly path: string; readonly version: string };
  /** What commands have as their system, in words. Omitted on the host rung. */
  readonly root?: string;
  /** What else starts commands: podman, docker or proot. */
  readonly program?: { readonly path: string; readonly version: string };
  /** Every rung, strongest first, and whether its program is there; none of them was tried. */
  readonly ladder?: readonly {
    readonly rung: Rung;
    /** Omitted: it needs none, or there is none. */
    readonly program?: string;
    /** What would install it. */
    readonly fix?: string;
  }[];
  /** Further rungs that this machine could give, in words. */
  readonly others?: readonly string[];
  /** Plain sentences: what weakens the rung in force, and what to do about it. */
  readonly warnings: readonly string[];
  /** What holds each limit on what commands may use of the machine. `fix`: what would hold it better. */
  readonly limits?: readonly {
    readonly limit: string;
    readonly heldBy: string;
    readonly isHeld: boolean;
    readonly fix?: string;
  }[];
};

/** The machine as commands see it, for the shell tool's description. */
export type ShellFacts = {
  readonly os: string;
  readonly distribution: string;
  readonly shell: string;
  /** Undefined where commands have none: the host view's system is read-only. */
  readonly packageManager?: string;
  readonly rung: Rung;
};

/** One stream of a command: head and tail kept when it was longer than its cap. */
export type CapturedStream = {
  readonly text: string;
  readonly truncated: boolean;
  /** True length in bytes, whatever was kept. */
  readonly totalBytes: number;
};

export type ShellRequest = {
  readonly command: string;
  /** Relative to the workspace; omitted: the shell's current directory. */
  readonly workingDir?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Undefined: the service's default. Larger than its maximum: clamped, and `notes` says so. */
  readonly timeoutMs?: number;
  /** Overrides the default and the maximum of the settings, for callers whose contract names another figure. */
  readonly defaultTimeoutMs?: number;
  /** Runs apart from the conversation's shell; its state is thrown away. */
  readonly fresh?: boolean;
};

export type ShellResult = {
  /** Null when it was ended by a signal or a timeout. */
  readonly exitCode: number | null;
  readonly signal?: string;
  readonly timedOut: boolean;
  readonly stdout: CapturedStream;
  readonly stderr: CapturedStream;
  /** Both streams whole (the first and last 5 MB each), when one of them was cut. */
  readonly artifact?: ArtifactReference;
  readonly cwd: string;
  readonly rung: Rung;
  readonly durationMs: number;
  /** Plain sentences the model must know: a clamped timeout, a killed child, a limit that was hit. */
  readonly notes: readonly string[];
};

/** Commands in the sandbox. Rejects with ToolFailure: unavailable (no rung, with the fixing command), denied, cancelled. */
export type Shell = {
  run(
    request: ShellRequest,
    onOutput?: (chunk: { readonly stream: 'stdout' | 'stderr'; readonly text: string }) => void,
  ): Promise<ShellResult>;
};

/** Results that were too long, kept on disk under our data folder. */
export type Artifacts = {
  /** Keeps `content` whole. Never rejects for a full disk: resolves undefined then. */
  keep(content: string | Buffer): Promise<ArtifactReference | undefined>;
  /** Characters from `offset` on, or the lines that match `pattern`. Rejects with not_found or invalid_input. */
  read(
    id: string,
    options: { readonly offset: number; readonly limit: number; readonly pattern?: string },
  ): Promise<{ readonly text: string; readonly totalChars: number; readonly nextOffset?: number }>;
};

export type Clock = {
  now(): Date;
  /** IANA name of the local zone. */
  timeZone(): string;
};
