/** What a tool call touches: first as the tool declares it, then as this machine understands it. */

export type PathMode = 'read' | 'write' | 'delete';

/** What one call would touch, as data. A tool's `access()` is total and pure: it never throws and looks at nothing but its input. */
export type Access =
  | { readonly kind: 'path'; readonly path: string; readonly mode: PathMode }
  | { readonly kind: 'url'; readonly url: string; readonly method: string }
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly cwd?: string;
      readonly isDangerous: boolean;
      /** `command` is a program in this language and no shell command: nobody reads it but its interpreter. */
      readonly language?: string;
      /** The name of the terminal that `command` is typed into, keys by name (base/typed-keys). */
      readonly typedInto?: string;
      /** Every command in it must be one of the setting `terminal.allowedCommands`. */
      readonly mustBeListed?: boolean;
    }
  | { readonly kind: 'app'; readonly name: string }
  | { readonly kind: 'message'; readonly to: string }
  | { readonly kind: 'mcp'; readonly server: string; readonly tool: string }
  | { readonly kind: 'persist'; readonly what: 'schedule' | 'user-tool' | 'memory' | 'profile' }
  | { readonly kind: 'none' };

/**
 * Where a real path lies.
 * `workspace`: the conversation's folder. `home`: the private home of the sandbox. `artifacts`: our own cut results.
 * `trusted`: a file in the workspace or home that the machine runs or obeys later (git hooks, rc files, .envrc …).
 * `state`: our state folder. `credentials`: keys, browser profiles, cloud logins. `outside`: anything else.
 */
export type PathZone = 'workspace' | 'home' | 'artifacts' | 'trusted' | 'outside' | 'credentials' | 'state';

export type ResolvedPath = {
  readonly kind: 'path';
  /** As the call gave it. */
  readonly path: string;
  /** Absolute, after `~`, `..` and every link; for what does not exist yet: the real parent and the rest. */
  readonly realPath: string;
  readonly mode: PathMode;
  readonly zone: PathZone;
};

/** Why a command should be asked about although it runs in the sandbox; found by reading it. */
export type CommandFinding = {
  readonly kind: 'removes' | 'git' | 'kills' | 'system' | 'unreadable';
  /** The part of the command that says so, exact bytes. */
  readonly text: string;
  /** True when only the sandbox's own files or processes are affected. */
  readonly insideSandboxOnly: boolean;
};

export type ResolvedCommand = {
  readonly kind: 'command';
  readonly command: string;
  readonly cwd: string;
  readonly isDangerous: boolean;
  /** False on the host rung and under proot, which is no wall. */
  readonly isSandboxed: boolean;
  /** The heads of all simple commands in it, for rules; empty when it could not be read. */
  readonly heads: readonly string[];
  readonly findings: readonly CommandFinding[];
  readonly language?: string;
  /** `count`: of what was typed into it before, so that nothing can come in between. */
  readonly typedInto?: { readonly terminal: string; readonly count: number };
  /** What of it the user's list of commands does not hold: nobody can allow it. */
  readonly notListed?: string;
  /** In words: what makes its words mean something else than when they were allowed before. */
  readonly changedShell?: readonly string[];
  /** Files that it writes by redirection, `?` when that is not certain. Only outside a sandbox. */
  readonly writes?: readonly string[];
};

export type ResolvedAccess =
  | ResolvedPath
  | ResolvedCommand
  | {
      readonly kind: 'url';
      readonly url: string;
      readonly method: string;
      readonly host: string;
      readonly isAllowedHost: boolean;
    }
  | Exclude<Access, { kind: 'path' | 'command' | 'url' }>;
