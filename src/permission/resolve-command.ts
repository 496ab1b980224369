/** What a command means here: where it runs, what it is made of, and what of it should be asked about. */
import path from 'node:path';
import type { Access, ResolvedCommand } from '../contract/access.ts';
import { readCommand } from './read-command/read-command.ts';

export type CommandPlace = {
  readonly workspace: string;
  /** The sandbox's home as commands know it. */
  readonly homePath: string;
  readonly isSandboxed: boolean;
};

export function resolveCommand(access: Extract<Access, { kind: 'command' }>, place: CommandPlace): ResolvedCommand {
  const { command, isDangerous } = access;
  const { workspace, homePath, isSandboxed } = place;
  const wanted = access.cwd ?? '.';
  const cwd = /^~(\/|$)/.test(wanted) ? path.resolve(homePath, `.${wanted.slice(1)}`) : path.resolve(workspace, wanted);
  const { heads, findings } = readCommand(command, { cwd, home: homePath, workspace, isSandboxed });
  return { kind: 'command', command, cwd, isDangerous, isSandboxed, heads, findings };
}
