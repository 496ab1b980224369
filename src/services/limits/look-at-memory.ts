/** One look at the memory, the number and the priority of a tree of processes, where no control group holds them. */
import { setPriority } from 'node:os';
import { descendantsOf, type ProcessEntry, sendSignal } from '../shell/process-tree.ts';
import { memoryNote, processNote } from './limit-notes.ts';
import { chooseVictims, exactMemoryOf, quickMemoryOf } from './memory-use.ts';
import type { Watched } from './watched-command.ts';

/** Beside programs of the same user that have the usual 0. */
const lowPriority = 5;
/** One second: below half of its memory, nothing gets from there to its end sooner. */
const restLooks = 3;

/** Whether the table of processes is needed for this look. */
export function needsProcesses(entry: Watched): boolean {
  if (entry.request.held.memory) return !entry.request.held.cpu && !entry.isLowered;
  entry.rest -= 1;
  return entry.rest < 0;
}

export function lookAtMemory(entry: Watched, alive: readonly ProcessEntry[]): void {
  const { request } = entry;
  const below = descendantsOf(request.pid, alive).filter((found) => !found.isZombie);
  if (!request.held.cpu && !entry.isLowered) {
    entry.isLowered = true;
    for (const { pid } of below) lowerPriority(pid);
  }
  if (request.held.memory) return;
  // What is printed about it may go anywhere. The sandbox's first process and the launcher are two of them.
  if (below.length + 2 >= request.figures.processes) request.onHit(processNote(request.figures));
  const limit = request.figures.memoryBytes;
  const quick = below.reduce((sum, { pid }) => sum + quickMemoryOf(pid), 0);
  entry.rest = quick < limit / 2 ? restLooks : 0;
  if (quick <= limit) return;
  const sizes = below.map(({ pid }) => ({ pid, bytes: exactMemoryOf(pid) }));
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= limit) return;
  // The sandbox's first process keeps the rest and the report alive; it is small.
  const first = new Set(below.filter(({ parent }) => parent === request.pid).map(({ pid }) => pid));
  const victims = chooseVictims(
    sizes.filter(({ pid }) => !first.has(pid)),
    total - limit,
  );
  for (const { pid } of victims) sendSignal(pid, 'SIGKILL');
  request.onHit(memoryNote(request.figures));
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, lowPriority);
  } catch {
    // Gone, or lower already.
  }
}
