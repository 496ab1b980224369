/** The limits of one group of processes as the kernel takes them: bytes and counts, from what the settings say. */
import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import type { LimitSettings } from '../../contract/settings.ts';

export type LimitFigures = {
  readonly memoryBytes: number;
  readonly processes: number;
  /** Undefined: all processors. */
  readonly cpus: number | undefined;
  readonly openFiles: number;
  readonly fileBytes: number;
  readonly diskBytes: number;
  readonly files: number;
  readonly freeBytes: number;
  readonly freeFiles: number;
};

export const bytesPerMegabyte = 1024 * 1024;

/** Less does not build anything, whatever the machine has. */
const leastDefaultBytes = 1024 * bytesPerMegabyte;
const pageBytes = 4096;
const defaultShare = 0.75;

export function decideFigures(settings: LimitSettings, machineBytes = readMachineMemory()): LimitFigures {
  return {
    memoryBytes:
      settings.memoryMegabytes === undefined
        ? shareOfMachine(machineBytes)
        : settings.memoryMegabytes * bytesPerMegabyte,
    processes: settings.processes,
    cpus: settings.cpus,
    openFiles: settings.openFiles,
    fileBytes: settings.fileMegabytes * bytesPerMegabyte,
    diskBytes: settings.diskMegabytes * bytesPerMegabyte,
    files: settings.files,
    freeBytes: settings.freeMegabytes * bytesPerMegabyte,
    freeFiles: settings.freeFiles,
  };
}

/** What everything that one program of ours runs may use together. */
export function shareOfMachine(machineBytes: number): number {
  return Math.max(leastDefaultBytes, Math.floor((machineBytes * defaultShare) / bytesPerMegabyte) * bytesPerMegabyte);
}

/** There are three of them: /tmp, /run and /dev/shm. */
export function temporarySize(memoryBytes: number): number {
  return Math.min(2048 * bytesPerMegabyte, Math.floor(memoryBytes / 4 / pageBytes) * pageBytes);
}

/** A container or a service may have less than the machine. */
export function readMachineMemory(): number {
  const total = totalmem();
  const allowed = process.constrainedMemory();
  return allowed > 0 ? Math.min(total, allowed) : total;
}

/** What our own hard limit on open files allows us to hand down (proc(5), /proc/PID/limits). */
export function readMostOpenFiles(read = () => readFileSync('/proc/self/limits', 'utf8')): number {
  const hard = /^Max open files\s+\S+\s+(\d+)/m.exec(read())?.[1];
  return hard === undefined ? Infinity : Number(hard);
}
