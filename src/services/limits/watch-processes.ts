/** Looks at what runs, from outside, for the limits that nothing in the kernel holds. One timer for all; none while nothing runs. */
import { setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { descendantsOf, listProcesses, type ProcessEntry, sendSignal } from '../shell/process-tree.ts';
import { type DiskLook, judgeDisk, lookAtDisk } from './disk-use.ts';
import type { LimitFigures } from './limit-figures.ts';
import { memoryFilesNote, memoryNote, processNote } from './limit-notes.ts';
import { chooseVictims, exactMemoryOf, processorTicksOf, quickMemoryOf, writtenBy } from './memory-use.ts';

export type WatchRequest = {
  /** The process that everything else descends from, as seen from here: the launcher. Never killed by us. */
  readonly pid: number;
  /** Folders on whose file systems it can write, as the user knows them. */
  readonly paths: readonly string[];
  /** Folders of the sandbox's own that are kept in memory, as seen inside. */
  readonly innerPaths: readonly string[];
  readonly figures: LimitFigures;
  /** What the kernel holds already. */
  readonly held: { readonly memory: boolean; readonly cpu: boolean };
  /** It is at a limit, or its biggest processes were killed; the command may go on. Again at every look. */
  readonly onHit: (note: string) => void;
  /** Nothing but ending it all helps. Called once. */
  readonly onExceeded: (note: string) => void;
};

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

type Watched = {
  readonly request: WatchRequest;
  readonly before: Map<number, DiskLook>;
  isReady: Promise<void>;
  isOver: boolean;
  isLowered: boolean;
  /** Looks at its processes that may be left out: it is far from its limit. */
  rest: number;
  /** A process inside. */
  inside: number | undefined;
  /** Every look, or one of many. */
  every: number;
  /** By the monotonic clock. */
  beganAtMs: number;
  /** What it had done when it was first found to be beyond a limit on a disk. */
  suspicion: Work | undefined;
};

type Work = { readonly writtenBytes: number; readonly processorTicks: number };

/** Short commands are over before the first look. */
const intervalMs = 250;
/** Beside programs of the same user that have the usual 0. */
const lowPriority = 5;
/** One second: below half of its memory, nothing gets from there to its end sooner. */
const restLooks = 3;
/** Two seconds, for what a shell's earlier commands have left running. */
const idleEvery = 8;
/** Whether somebody beyond a limit is doing anything shows soon; a fast disk takes 3 GB in a second. */
const secondLookMs = 60;
const isYoungMs = 60_000;

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
      const due = now.filter(isDue);
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
        inside: undefined,
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

function isDue(entry: Watched): boolean {
  if (entry.request.held.memory) return !entry.request.held.cpu && !entry.isLowered;
  entry.rest -= 1;
  return entry.rest < 0;
}

async function rememberDisks(request: WatchRequest, before: Map<number, DiskLook>): Promise<void> {
  for (const path of request.paths) {
    const look = await lookAtDisk(path);
    if (look !== undefined && !before.has(look.device)) before.set(look.device, look);
  }
}

function lookAtMemory(entry: Watched, alive: readonly ProcessEntry[]): void {
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

/** `disk`: the same for all who fill the same one. `isOwn`: nobody else can. */
type Verdict = { readonly entry: Watched; readonly disk: string; readonly isOwn: boolean; readonly note: string };

async function judgeAll(entries: readonly Watched[]): Promise<readonly Verdict[]> {
  return (await Promise.all([...new Set(entries)].map(lookAtDisks))).flat();
}

async function lookAtDisks(entry: Watched): Promise<readonly Verdict[]> {
  const { request, before } = entry;
  await entry.isReady;
  const verdicts: Verdict[] = [];
  for (const path of request.paths) {
    const now = await lookAtDisk(path);
    const start = now === undefined ? undefined : before.get(now.device);
    if (now === undefined || start === undefined) continue;
    const note = judgeDisk(path, { before: start, now }, request.figures);
    if (note !== undefined) verdicts.push({ entry, disk: `${now.device}`, isOwn: false, note });
  }
  const inner = await lookAtInner(entry);
  return inner === undefined ? verdicts : [...verdicts, inner];
}

/** The sandbox's own /tmp: a file system in memory that was empty when the sandbox started. */
async function lookAtInner(entry: Watched): Promise<Verdict | undefined> {
  const { request } = entry;
  if (request.innerPaths.length === 0) return undefined;
  const inside = (entry.inside ??= insideOf(request.pid));
  if (inside === undefined) return undefined;
  const disk = `inside ${inside}`;
  let bytes = 0;
  for (const path of request.innerPaths) {
    const now = await lookAtDisk(`/proc/${inside}/root${path}`);
    if (now === undefined || !now.isMemory) continue;
    bytes += now.usedBytes;
    const empty = { ...now, freeFiles: now.freeFiles + now.usedFiles };
    const note = judgeDisk(path, { before: empty, now }, request.figures);
    if (note !== undefined) return { entry, disk, isOwn: true, note };
  }
  if (request.held.memory || bytes <= request.figures.memoryBytes) return undefined;
  return { entry, disk, isOwn: true, note: memoryFilesNote(request.figures) };
}

/** Any process in there shows the same files. */
function insideOf(launcher: number): number | undefined {
  return listProcesses().find((found) => found.parent === launcher && !found.isZombie)?.pid;
}

/** A disk is everybody's: what has run for long, or does not run, may have nothing to do with what became of it. */
const isLikely = ({ entry, isOwn }: Verdict): boolean =>
  isOwn || (entry.every === 1 && performance.now() - entry.beganAtMs < isYoungMs);

const needsSecondLook = (verdict: Verdict): boolean => !isLikely(verdict) && verdict.entry.suspicion === undefined;

/** What those that are beyond a limit have done so far. */
function suspect(verdicts: readonly Verdict[]): void {
  const alive = listProcesses();
  for (const { entry } of verdicts) entry.suspicion = workOf(entry, alive);
}

function workOf({ request }: Watched, alive: readonly ProcessEntry[]): Work {
  const tree = descendantsOf(request.pid, alive);
  return {
    writtenBytes: tree.reduce((sum, { pid }) => sum + writtenBy(pid), 0),
    processorTicks: tree.reduce((sum, { pid }) => sum + processorTicksOf(pid), 0),
  };
}

/**
 * One that has done nothing since it was suspected is not to blame. Of several that fill one disk, the one that wrote most is
 * ended, and the others start counting anew.
 */
async function endTooGreedy(found: readonly Verdict[]): Promise<void> {
  const verdicts = found.filter(({ entry }) => !entry.isOver);
  if (verdicts.length === 0) return;
  const alive = listProcesses();
  const judged = verdicts.map((verdict) => ({ verdict, work: workOf(verdict.entry, alive) }));
  for (const sameDisk of Map.groupBy(judged, ({ verdict }) => verdict.disk).values()) {
    const busy = sameDisk.filter(({ verdict, work }) => isLikely(verdict) || hasWorked(verdict.entry.suspicion, work));
    const greediest = busy.toSorted((left, right) => right.work.writtenBytes - left.work.writtenBytes)[0];
    for (const each of sameDisk) {
      if (each === greediest) end(each.verdict);
      else if (busy.length > 0) await rememberAnew(each.verdict.entry);
      else each.verdict.entry.suspicion = each.work;
    }
  }
}

const hasWorked = (before: Work | undefined, now: Work): boolean =>
  before !== undefined && (now.writtenBytes > before.writtenBytes || now.processorTicks > before.processorTicks);

function end({ entry, note }: Verdict): void {
  if (entry.isOver) return;
  entry.isOver = true;
  entry.request.onExceeded(note);
}

async function rememberAnew(entry: Watched): Promise<void> {
  entry.suspicion = undefined;
  entry.before.clear();
  await rememberDisks(entry.request, entry.before);
}
