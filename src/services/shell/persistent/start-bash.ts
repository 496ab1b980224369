/** Starts the bash of a conversation, in the sandbox or on the host rung. */
import type { Rung } from '../../../contract/services.ts';
import type { LimitGroup } from '../../limits/limit-group.ts';
import type { Sandbox } from '../../sandbox/create-sandbox.ts';
import type { KillTarget } from '../end-tree.ts';
import type { PipePool } from '../pipe-pool.ts';
import { startBashInside } from './bash-inside.ts';
import { startBashOnHost } from './bash-on-host.ts';
import type { ShellFolder } from './shell-folder.ts';
import type { ShellProcesses } from './shell-processes.ts';

export type BashStart = {
  readonly sandbox: Sandbox;
  readonly pool: PipePool;
  readonly rung: Rung;
  readonly conversationId: string;
  readonly workspace: string;
  /** Ours; only the host rung takes from it. */
  readonly environment: NodeJS.ProcessEnv;
  readonly shadowed: readonly number[];
  /** For the pipes of the host rung, which has no private place of the sandbox's. */
  readonly ioParent: string | undefined;
  readonly maxPairs: number;
  /** Tests take the guard away: commands could put pipes of their own in the place of ours. */
  readonly isFolderWritable?: boolean;
  readonly onStatus: (bytes: Buffer) => void;
  readonly onSide: (bytes: Buffer) => void;
};

export type Bash = {
  readonly folder: ShellFolder;
  /** The folder as the shell sees it. */
  readonly io: string;
  /** The descriptor that the status pipe comes by. */
  readonly handle: number;
  /** The home as commands see it. */
  readonly home: string;
  send(text: string): void;
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** Once it has begun to answer. `shellPid`: as the shell sees itself. */
  processes(shellPid: number, shellMark: number): ShellProcesses;
  /** The shell, or a command that is about to start, carries this mark. */
  addMark(mark: number): void;
  readonly target: KillTarget;
  readonly limits: LimitGroup;
  /** Why nothing was heard from it, once it has exited. */
  startFailure(): Promise<Error | undefined>;
  /** Once, after `exited`. Resolves with sentences about what was left. */
  release(): Promise<readonly string[]>;
};

/** Rejects with ToolFailure: unavailable, denied, not_found. Undefined: this sandbox has no bash inside. */
export function startBash(start: BashStart): Promise<Bash | undefined> {
  return start.rung === 'host' ? startBashOnHost(start) : startBashInside(start);
}
