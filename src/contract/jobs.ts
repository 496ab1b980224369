/** Background jobs: commands that go on after the call, the turn and the program. */
import type { Rung, ShellRequest } from './services.ts';

/** A command that goes on after the call, the turn and the program. */
export type JobInfo = {
  readonly sessionId: string;
  readonly command: string;
  readonly cwd: string;
  /** `lost`: it ended without anybody seeing how (the machine went down, its supervisor was killed). */
  readonly state: 'running' | 'finished' | 'killed' | 'lost';
  readonly exitCode: number | null;
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly rung: Rung;
  /** All it has printed so far, whatever was kept. */
  readonly logBytes: number;
  /** What else is known of it: what it left behind, what was not kept, how it was lost. */
  readonly notes?: readonly string[];
};

/** Background jobs of one conversation. Rejects with ToolFailure: not_found, denied, conflict, busy (too many), unavailable. */
export type Jobs = {
  start(
    request: Pick<ShellRequest, 'command' | 'workingDir' | 'env'>,
  ): Promise<JobInfo & { readonly notes: readonly string[] }>;
  list(): Promise<readonly JobInfo[]>;
  /** Lines from `offset` (0-based; negative: so many before the end) on; both streams together as they came. `totalLines` counts those that were left out too. */
  log(
    sessionId: string,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<{
    readonly lines: readonly string[];
    /** The number of the first line, 0-based. */
    readonly offset: number;
    readonly totalLines: number;
    /** Where to go on: the first line that was not given, or that is not whole yet. Omitted: there is nothing more to come. */
    readonly nextOffset?: number;
    /** Lines after this page are there already. */
    readonly hasMore: boolean;
    readonly notes: readonly string[];
  }>;
  /** Ends it with everything it has started. A job that has ended already stays as it is. */
  kill(sessionId: string): Promise<JobInfo>;
  /** Drops a finished one with its log; conflict while it runs. */
  remove(sessionId: string): Promise<void>;
};

/** Jobs of all conversations, for the user. */
export type AllJobs = {
  /** By conversation, oldest first. Jobs of calls without a conversation are together by workspace, under a name with `_`. */
  list(): Promise<readonly (JobInfo & { readonly conversation: string; readonly workspace: string })[]>;
  /** By the name that `list` gives. */
  of(conversation: string): Pick<Jobs, 'log' | 'kill' | 'remove'>;
  /** Ends all that run, in every conversation. Resolves with how many there were. */
  stopAll(): Promise<number>;
};
