/** The shells of conversations: what each is like besides a fresh one, and which there are. */
import type { Rung } from './services.ts';

/** As far as it changes what a command means. */
export type ShellState = {
  /** Where a command without a folder of its own runs. Undefined: in the workspace. */
  readonly cwd: string | undefined;
  /** Names of exported or watched variables that a fresh shell has not, or has otherwise. */
  readonly variables: readonly string[];
  readonly functions: readonly string[];
  readonly aliases: readonly string[];
  /** What bash runs besides its commands: DEBUG, ERR, RETURN, EXIT and signals, as `trap -p` names them. */
  readonly traps: readonly string[];
  /** Where its root can be looked at from outside (`/proc/PID/root`), for links in its own /tmp. */
  readonly root: string | undefined;
};

/** One that lives in this process, between two commands or in one. */
export type OpenShell = {
  readonly conversation: string;
  readonly workspace: string;
  readonly rung: Rung;
  /** A command runs in it. */
  readonly isBusy: boolean;
  /** Something that a command has started goes on behind it. */
  readonly hasBackground: boolean;
};

/** Shells of all conversations, for the user. */
export type AllShells = {
  list(): Promise<readonly OpenShell[]>;
  /** Ends it with all it has started; the next command gets a new one, in the same folder. False: there was none. */
  close(conversation: string): Promise<boolean>;
};
