/** How much memory a tree of processes uses, from /proc; for machines where no control group counts it. */
import { readFileSync } from 'node:fs';

const bytesPerKilobyte = 1024;

/** Private and shared memory; what several share counts for each, so this is never too little. */
export function quickMemoryOf(pid: number): number {
  const text = readProc(`${pid}/status`);
  return kilobytes(text, 'RssAnon') + kilobytes(text, 'RssShmem');
}

/** What several share is divided among them (proc(5), smaps_rollup). Much slower. */
export function exactMemoryOf(pid: number): number {
  const text = readProc(`${pid}/smaps_rollup`);
  if (text === '') return quickMemoryOf(pid);
  return kilobytes(text, 'Pss_Anon') + kilobytes(text, 'Pss_Shmem') + kilobytes(text, 'SwapPss');
}

/** Written to disks by it and by those of its children that have ended. */
export function writtenBy(pid: number): number {
  const text = readProc(`${pid}/io`);
  return Number(/^write_bytes: (\d+)/m.exec(text)?.[1] ?? 0);
}

/** proc(5), /proc/PID/stat: its own time and that of its children that have ended, in user mode and in the kernel. */
export function processorTicksOf(pid: number): number {
  const text = readProc(`${pid}/stat`);
  // The name in parentheses may hold anything. After it come the state as field 3, and the times as fields 14 to 17.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
}

function kilobytes(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * bytesPerKilobyte;
}

function readProc(name: string): string {
  try {
    return readFileSync(`/proc/${name}`, 'utf8');
  } catch {
    // It ended while we looked, or is another user's.
    return '';
  }
}

export type Sized = { readonly pid: number; readonly bytes: number };

/** Whom to kill so that the rest fits, biggest first. Empty when it fits, or when killing would not help. */
export function chooseVictims(processes: readonly Sized[], excessBytes: number): readonly Sized[] {
  const victims: Sized[] = [];
  let freed = 0;
  for (const entry of processes.toSorted((left, right) => right.bytes - left.bytes)) {
    if (freed >= excessBytes || entry.bytes === 0) break;
    victims.push(entry);
    freed += entry.bytes;
  }
  return victims;
}
