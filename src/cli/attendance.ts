/** Whether somebody is there to be asked, and how. */
import type { ApproveMode, Asker } from '../contract/permission.ts';

export type CommandAttendance = { readonly approve: ApproveMode; readonly asker?: Asker };

/** `ask` on a terminal, `none` elsewhere; a mode that was named stands, but without a terminal nobody answers. */
export async function attendanceOf(mode: ApproveMode | undefined): Promise<CommandAttendance> {
  const isTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true;
  const approve = mode ?? (isTerminal ? 'ask' : 'none');
  if (approve !== 'ask' || !isTerminal) return { approve };
  // Only here: laying out a question needs tables that a script should not wait for.
  const { createTerminalAsker } = await import('./terminal-asker.ts');
  return { approve, asker: createTerminalAsker(process.stdin, process.stderr) };
}
