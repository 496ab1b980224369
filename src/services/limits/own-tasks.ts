/** How many processes and threads our user has on the whole machine: what RLIMIT_NPROC counts where there is no namespace. */
import { readdirSync, readFileSync } from 'node:fs';

export function countOwnTasks(uid = process.getuid?.() ?? 0): number {
  let tasks = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const status = readStatus(name);
    // The first is the real user, by which the kernel counts.
    if (Number(/^Uid:\s+(\d+)/m.exec(status)?.[1]) !== uid) continue;
    tasks += Number(/^Threads:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  }
  return tasks;
}

function readStatus(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    // It ended while we looked.
    return '';
  }
}
