/** One started command, whichever rung it runs on: what the shell needs to wait for it, to end it and to report it. */
import type { LaunchRequest } from '../sandbox/sandbox-launch.ts';
import type { KillTarget } from './end-tree.ts';
import type { Pipe } from './pipe-pool.ts';

export type CommandRequest = {
  readonly command: string;
  /** Omitted: nobody's. */
  readonly conversationId?: string;
  /** The conversation whose /tmp it shares. Omitted: one of its own, in memory. */
  readonly temporaryOf?: string;
  /** Absolute real path. */
  readonly workspace: string;
  readonly workingDir: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
  /** Descriptors of ours that must not reach it. */
  readonly shadowed: readonly number[];
  /** In a sandbox: what the command finds at `firstProgramHandle`, in place of a long command's own text. */
  readonly input?: Buffer;
  /** In a sandbox: what it is shown besides. */
  readonly binds?: LaunchRequest['binds'];
};

export type CommandPipes = {
  readonly stdout: Pipe;
  readonly stderr: Pipe;
};

export type CommandEnd = {
  /** As bash reports it: 128 + n when the command was ended by signal n. Null when its sandbox itself was ended. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly notes: readonly string[];
  /** Where its shell is now, when that is not where it was started. */
  readonly cwd?: string;
};

export type RunningCommand = {
  readonly cwd: string;
  /** Resolves when the command's own shell is gone, whatever it left behind. */
  readonly gone: Promise<unknown>;
  readonly target: KillTarget;
  /** That it runs is certain; before `finish` only. */
  hasBegun(): boolean;
  /** For what runs long: hears the notes that are known by now whenever there is one more. Omitted: they are told at the end. */
  onNotes?(listener: (notes: readonly string[]) => void): void;
  /** After `gone`: ends what was left behind. Rejects with ToolFailure when the command never started. */
  finish(circumstances: Circumstances): Promise<CommandEnd>;
};

export type Circumstances = {
  /** We ended it: for its time or because it was called off. */
  readonly wasEnded: boolean;
  /** What its sandbox printed in place of a command that never started. */
  readonly stderr: () => Promise<string>;
};

/** A command together with what it prints to, which its surroundings have made for it. */
export type PrintingCommand = RunningCommand & {
  /** Gives what it has printed until now to the sink. */
  drain(): Promise<void>;
  /** In any case, at the very end. */
  close(): Promise<void>;
};

export type OutputSink = (stream: 'stdout' | 'stderr', bytes: Buffer) => void;

/** How a command is run, whether apart or in a shell. `signal` calls off waiting for a turn. Rejects with ToolFailure. */
export type StartPrinting = (sink: OutputSink, signal: AbortSignal) => Promise<PrintingCommand>;

/** Gives pipes that this user can open again by /dev/stdout. */
export type TakePipes = (owner: { readonly uid: number; readonly gid: number }) => Promise<CommandPipes>;

/** How commands are started on one rung. Rejects with ToolFailure. */
export type StartCommand = (request: CommandRequest, takePipes: TakePipes) => Promise<RunningCommand>;
