/**
 * Processes that only keep an ssh connection open for the next call (ControlPersist, ssh_config(5)): they are meant to stay, do
 * nothing by themselves, and end with the shell. A command that makes itself look like one hides from a sentence, nothing else.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { insideFile } from '../net/inside-places.ts';

/** How OpenSSH names the process that others share (mux.c). */
const sharedLine = /^ssh: \S+ \[mux\]$/;
const wayOutLine = `/bin/bash ${insideFile('ssh-connect')} `;

/** As seen from out here. */
export function isConnectionKeeper(pid: number): boolean {
  const line = lineOf(pid);
  if (sharedLine.test(line)) return programOf(pid).endsWith('/ssh');
  if (line.startsWith(wayOutLine)) return programOf(pid).endsWith('/bash');
  return line === 'cat' && lineOf(parentOf(pid)).startsWith(wayOutLine);
}

/** Of lines that a sandbox has reported itself, as `command line (pid N)`: those that matter, and how many fewer they are. */
export function withoutKeepers(lines: readonly string[]): readonly string[] {
  const bare = lines.map((line) => line.replace(/ \(pid \d+\)$/, ''));
  const wayOuts = bare.filter((line) => `${line} `.startsWith(wayOutLine)).length;
  // Each carries the bytes by two of them.
  let carriers = 2 * wayOuts;
  return lines.filter((_, index) => {
    const line = bare[index] ?? '';
    if (sharedLine.test(line) || `${line} `.startsWith(wayOutLine)) return false;
    if (line !== 'cat' || carriers === 0) return true;
    carriers -= 1;
    return false;
  });
}

function lineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ').trim();
  } catch {
    // Gone meanwhile.
    return '';
  }
}

function programOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    // Gone, or another user's.
    return '';
  }
}

function parentOf(pid: number): number {
  try {
    return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0);
  } catch {
    // Gone meanwhile.
    return 0;
  }
}
