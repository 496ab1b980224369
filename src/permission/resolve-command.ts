/** What a command means here: where it runs, what it is made of, and what of it should be asked about. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Access, ResolvedCommand } from '../contract/access.ts';
import type { ShellState } from '../contract/shell-state.ts';
import type { TypedState } from '../contract/terminals.ts';
import { findShellChanges } from './changed-shell.ts';
import { findNotListed } from './listed-commands.ts';
import type { CommandReading } from './read-command/command-reading.ts';
import { readCommand } from './read-command/read-command.ts';
import { isWriting } from './read-command/resolve-redirection.ts';
import type { ReadContext } from './read-command/scope.ts';
import { readTypedCommand } from './read-typed.ts';
import { realShellPath } from './shell-path.ts';

export type CommandPlace = {
  readonly workspace: string;
  /** The sandbox's home as commands know it. */
  readonly homePath: string;
  readonly isSandboxed: boolean;
  /** The setting `terminal.allowedCommands`. */
  readonly listed: readonly string[];
  /** Where the sandbox's home lies on the machine. */
  readonly homeFolder?: string | undefined;
  /** Of the conversation's own shell, while there is one. */
  readonly shellState?: ShellState | undefined;
  /** Of the terminal that the command is typed into. */
  readonly typedState?: TypedState;
};

export function resolveCommand(access: Extract<Access, { kind: 'command' }>, place: CommandPlace): ResolvedCommand {
  const { command, isDangerous } = access;
  const { workspace, homePath } = place;
  // A terminal stays where it was opened, whatever the settings say by now.
  const isSandboxed = place.typedState?.isSandboxed ?? place.isSandboxed;
  const wanted = access.cwd ?? (access.typedInto === undefined ? folderOfShell(place) : undefined) ?? '.';
  const cwd = /^~(\/|$)/.test(wanted) ? path.resolve(homePath, `.${wanted.slice(1)}`) : path.resolve(workspace, wanted);
  const context = contextOf(cwd, { ...place, isSandboxed });
  const common = { kind: 'command', command, cwd, isDangerous, isSandboxed } as const;
  const { language, typedInto } = access;
  // Not for a shell: nothing of it can be covered but the whole.
  if (language !== undefined) return { ...common, language, heads: ['?'], findings: [] };
  const { typedState } = place;
  const reading = typedInto === undefined || typedState === undefined ? readCommand(command, context) : undefined;
  const { heads, findings, lines } =
    typedInto === undefined || typedState === undefined
      ? { ...(reading ?? readCommand(command, context)), lines: [command] }
      : readTypedCommand(command, typedState, context);
  const changedShell = reading === undefined ? [] : findShellChanges(reading, place.shellState);
  const writes = reading === undefined || isSandboxed ? [] : findWrites(reading);
  const notListed =
    access.mustBeListed === true
      ? lines.map((line) => findNotListed(line, place.listed, context)).find((found) => found !== undefined)
      : undefined;
  return {
    ...common,
    heads,
    findings,
    ...(typedInto === undefined || typedState === undefined
      ? {}
      : { typedInto: { terminal: typedInto, count: typedState.count } }),
    ...(notListed === undefined ? {} : { notListed }),
    ...(changedShell.length === 0 ? {} : { changedShell }),
    ...(writes.length === 0 ? {} : { writes }),
  };
}

/**
 * Only below the workspace. A shell that stands in its own /tmp may have ended before the command runs, and the next one begins
 * in the workspace: `rm -rf build` would be another one there.
 */
function folderOfShell({ shellState, workspace }: CommandPlace): string | undefined {
  return shellState?.cwd?.startsWith(`${workspace}/`) === true ? shellState.cwd : undefined;
}

function contextOf(
  cwd: string,
  { workspace, homePath, homeFolder, isSandboxed, shellState }: CommandPlace,
): ReadContext {
  const view = { workspace, homePath, homeFolder, root: shellState?.root };
  const changed = [shellState?.variables, shellState?.functions, shellState?.aliases].flatMap((names) => names ?? []);
  return {
    ...{ cwd, workspace, isSandboxed, home: homePath },
    // Outside a sandbox nothing is the sandbox's own, wherever a path leads.
    ...(isSandboxed ? { realPath: (wanted: string) => realShellPath(wanted, view) } : {}),
    exists: (wanted) => wanted.startsWith(`${workspace}/`) && existsSync(wanted),
    hasOwnTemporary: !changed.some((name) => /^(?:mktemp|TMPDIR|PATH)$/.test(name)),
  };
}

/** By redirection; what programs write by their arguments is part of what their names promise. */
function findWrites({ commands }: CommandReading): string[] {
  const targets = commands.flatMap(({ redirections }) =>
    redirections.filter(({ kind }) => isWriting(kind)).map(({ target }) => target ?? '?'),
  );
  return [...new Set(targets.filter((target) => !/^\/dev\/(?:null|tty|std(?:out|err)|fd\/\d+)$/.test(target)))];
}
