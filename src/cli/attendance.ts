/** Whether somebody is there to be asked, and how. */
import type { ApproveMode, Asker } from '../contract/permission.ts';
import { createTerminalAsker } from './terminal-asker.ts';

export type CommandAttendance = { readonly approve: ApproveMode; readonly asker?: Asker };

/** `ask` on a terminal, `none` elsewhere; a mode that was named stands, but without a terminal nobody answers. */
export function attendanceOf(mode: ApproveMode | undefined): CommandAttendance {
  const isTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true;
  const approve = mode ?? (isTerminal ? 'ask' : 'none');
  return approve === 'ask' && isTerminal
    ? { approve, asker: createTerminalAsker(process.stdin, process.stderr) }
    : { approve };
}
