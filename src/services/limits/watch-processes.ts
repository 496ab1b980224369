/** Looks at what runs, from outside, for the limits that nothing in the kernel holds. One timer for all; none while nothing runs. */
import { setTimeout as delay } from 'node:timers/promises';
import { listProcesses } from '../shell/process-tree.ts';
import { endTooGreedy, needsSecondLook, suspect } from './blame-for-disk.ts';
import type { DiskLook } from './disk-use.ts';
import { judgeAll, rememberAnew, rememberDisks } from './look-at-disks.ts';
import { lookAtMemory, needsProcesses } from './look-at-memory.ts';
import type { Watched, WatchRequest } from './watched-command.ts';

export type Watch = {
  /**
   * A command begins in what is watched: what disks hold counts from now on. Call the result when the command has ended. Between
   * the commands of a shell looks are few. Where this is never called, all of it is one command.
   */
  begin(): () => void;
  stop(): void;
};

export type Watcher = {
  watch(request: WatchRequest): Watch;
  close(): void;
};

/** Short commands are over before the first look. */
const intervalMs = 250;
/** Two seconds, for what a shell's earlier commands have left running. */
const idleEvery = 8;
/** Whether somebody beyond a limit is doing anything shows soon; a fast disk takes 3 GB in a second. */
const secondLookMs = 60;

export function createWatcher(): Watcher {
  const watched = new Set<Watched>();
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;
  let looks = 0;

  async function lookAtAll(): Promise<void> {
    // A disk that answers slowly must not pile up looks.
    if (isLooking) return;
    isLooking = true;
    try {
      looks += 1;
      const now = [...watched].filter(({ every }) => looks % every === 0);
      const due = now.filter(needsProcesses);
      const alive = due.length === 0 ? [] : listProcesses();
      for (const entry of due) lookAtMemory(entry, alive);
      let verdicts = await judgeAll(now);
      if (verdicts.some(needsSecondLook)) {
        suspect(verdicts);
        await delay(secondLookMs);
        verdicts = await judgeAll(verdicts.map(({ entry }) => entry));
      }
      await endTooGreedy(verdicts);
    } finally {
      isLooking = false;
    }
  }

  return {
    watch(request) {
      const before = new Map<number, DiskLook>();
      const isReady = rememberDisks(request, before);
      const state = {
        isOver: false,
        isLowered: false,
        rest: 0,
        every: 1,
        beganAtMs: performance.now(),
        suspicion: undefined,
      };
      const entry: Watched = { request, before, isReady, ...state };
      let running = 0;
      watched.add(entry);
      // A look that fails is tried again; nothing of it may end our process.
      timer ??= setInterval(() => void lookAtAll().catch(() => undefined), intervalMs).unref();
      return {
        begin() {
          running += 1;
          entry.every = 1;
          entry.beganAtMs = performance.now();
          // Of several that run together each counts from the first one's beginning.
          if (running === 1) entry.isReady = entry.isReady.then(() => rememberAnew(entry));
          return () => {
            running -= 1;
            if (running === 0) entry.every = idleEvery;
          };
        },
        stop() {
          entry.isOver = true;
          watched.delete(entry);
          if (watched.size > 0) return;
          clearInterval(timer);
          timer = undefined;
        },
      };
    },
    close() {
      watched.clear();
      clearInterval(timer);
      timer = undefined;
    },
  };
}
