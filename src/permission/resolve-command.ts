/** What a command means here: where it runs, what it is made of, and what of it should be asked about. */
import path from 'node:path';
import type { Access, ResolvedCommand } from '../contract/access.ts';
import type { TypedState } from '../contract/terminals.ts';
import { findNotListed } from './listed-commands.ts';
import { readCommand } from './read-command/read-command.ts';
import { readTypedCommand } from './read-typed.ts';

export type CommandPlace = {
  readonly workspace: string;
  /** The sandbox's home as commands know it. */
  readonly homePath: string;
  readonly isSandboxed: boolean;
  /** The setting `terminal.allowedCommands`. */
  readonly listed: readonly string[];
  /** Of the terminal that the command is typed into. */
  readonly typedState?: TypedState;
};

export function resolveCommand(access: Extract<Access, { kind: 'command' }>, place: CommandPlace): ResolvedCommand {
  const { command, isDangerous } = access;
  const { workspace, homePath, isSandboxed } = place;
  const wanted = access.cwd ?? '.';
  const cwd = /^~(\/|$)/.test(wanted) ? path.resolve(homePath, `.${wanted.slice(1)}`) : path.resolve(workspace, wanted);
  const context = { cwd, home: homePath, workspace, isSandboxed };
  const common = { kind: 'command', command, cwd, isDangerous, isSandboxed } as const;
  const { language, typedInto } = access;
  // Not for a shell: nothing of it can be covered but the whole.
  if (language !== undefined) return { ...common, language, heads: ['?'], findings: [] };
  const { typedState } = place;
  const { heads, findings, lines } =
    typedInto === undefined || typedState === undefined
      ? { ...readCommand(command, context), lines: [command] }
      : readTypedCommand(command, typedState, context);
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
  };
}
