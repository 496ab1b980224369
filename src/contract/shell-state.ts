/** What a conversation's shell is like besides a fresh one, as far as it changes what a command means. */

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
