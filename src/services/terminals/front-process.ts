/** Who is in the foreground of a terminal, and whether it waits for keys (proc(5)). */
import { readFileSync } from 'node:fs';
import { listProcesses } from '../shell/process-tree.ts';

const shells = new Set(['bash', 'sh', 'dash', 'ash', 'zsh', 'ksh', 'mksh', 'fish', 'busybox']);

/** Where the kernel lets a process sleep that waits for input; it sleeps elsewhere when it waits for time or for a child. */
const inputWaits = /wait_woken|tty|poll|select|futex/;

/** `session`: the first process of the terminal's session, as seen from out here. Undefined when there is nobody any more. */
export function foregroundGroup(session: number): number | undefined {
  const stat = readProc(`${session}/stat`);
  // state, parent, group, session, terminal, foreground group
  const group = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[5]);
  return Number.isInteger(group) && group > 1 ? group : undefined;
}

/** True when an interactive shell is at its prompt, or about to come to it. */
export function isShellInFront(session: number): boolean {
  const group = foregroundGroup(session);
  if (group === undefined) return false;
  const [program = '', ...options] = readProc(`${group}/cmdline`).split('\0');
  const name = program.slice(program.lastIndexOf('/') + 1).replace(/^-/, '');
  return shells.has(name) && options.every((option) => option === '' || (option.startsWith('-') && option !== '-c'));
}

/** False while it works or sleeps; true also where the kernel does not tell. */
export function waitsForInput(session: number): boolean {
  const group = foregroundGroup(session);
  if (group === undefined) return true;
  const members = listProcesses().filter((entry) => entry.group === group && !entry.isZombie);
  if (members.length === 0) return true;
  // One that waits to be read from sleeps at the same place.
  return !members.some((entry) => isWorking(entry.pid)) && members.some((entry) => sleepsForInput(entry.pid));
}

function isWorking(pid: number): boolean {
  const state = stateOf(pid);
  return state === 'R' || state === 'D';
}

function sleepsForInput(pid: number): boolean {
  const place = readProc(`${pid}/wchan`);
  return stateOf(pid) !== 'S' || place === '' || place === '0' || inputWaits.test(place);
}

function stateOf(pid: number): string {
  const stat = readProc(`${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
}

function readProc(name: string): string {
  try {
    return readFileSync(`/proc/${name}`, 'latin1');
  } catch {
    // It ended, or the kernel does not show it to us.
    return '';
  }
}
