/** Looks at what runs, from outside, for the limits that nothing in the kernel holds. One timer for all; none while nothing runs. */
import { setPriority } from 'node:os';
import { descendantsOf, listProcesses, type ProcessEntry, sendSignal } from '../shell/process-tree.ts';
import { type DiskLook, judgeDisk, lookAtDisk } from './disk-use.ts';
import type { LimitFigures } from './limit-figures.ts';
import { memoryFilesNote, memoryNote } from './limit-notes.ts';
import { chooseVictims, exactMemoryOf, quickMemoryOf, writtenBy } from './memory-use.ts';

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
  /** The biggest processes were killed; the command may go on. */
  readonly onKilled: (note: string) => void;
  /** Nothing but ending it all helps. Called once. */
  readonly onExceeded: (note: string) => void;
};

export type Watcher = {
  /** Call the result when it has ended. */
  watch(request: WatchRequest): () => void;
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
};

/** Short commands are over before the first look. */
const intervalMs = 250;
/** Beside programs of the same user that have the usual 0. */
const lowPriority = 5;
/** One second: below half of its memory, nothing gets from there to its end sooner. */
const restLooks = 3;

export function createWatcher(): Watcher {
  const watched = new Set<Watched>();
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;

  async function lookAtAll(): Promise<void> {
    // A disk that answers slowly must not pile up looks.
    if (isLooking) return;
    isLooking = true;
    try {
      const due = [...watched].filter(isDue);
      const alive = due.length === 0 ? [] : listProcesses();
      for (const entry of due) lookAtMemory(entry, alive);
      await endTooGreedy(await Promise.all([...watched].map(lookAtDisks)));
    } finally {
      isLooking = false;
    }
  }

  return {
    watch(request) {
      const before = new Map<number, DiskLook>();
      const isReady = rememberDisks(request, before);
      const state = { isOver: false, isLowered: false, rest: 0, inside: undefined };
      const entry: Watched = { request, before, isReady, ...state };
      watched.add(entry);
      // A look that fails is tried again; nothing of it may end our process.
      timer ??= setInterval(() => void lookAtAll().catch(() => undefined), intervalMs).unref();
      return () => {
        entry.isOver = true;
        watched.delete(entry);
        if (watched.size > 0) return;
        clearInterval(timer);
        timer = undefined;
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
  request.onKilled(memoryNote(request.figures));
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, lowPriority);
  } catch {
    // Gone, or lower already.
  }
}

/** `disk`: the same for all who fill the same one. */
type Verdict = { readonly entry: Watched; readonly disk: string; readonly note: string };

async function lookAtDisks(entry: Watched): Promise<readonly Verdict[]> {
  const { request, before } = entry;
  await entry.isReady;
  const verdicts: Verdict[] = [];
  for (const path of request.paths) {
    const now = await lookAtDisk(path);
    const start = now === undefined ? undefined : before.get(now.device);
    if (now === undefined || start === undefined) continue;
    const note = judgeDisk(path, { before: start, now }, request.figures);
    if (note !== undefined) verdicts.push({ entry, disk: `${now.device}`, note });
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
    if (note !== undefined) return { entry, disk, note };
  }
  if (request.held.memory || bytes <= request.figures.memoryBytes) return undefined;
  return { entry, disk, note: memoryFilesNote(request.figures) };
}

/** Any process in there shows the same files. */
function insideOf(launcher: number): number | undefined {
  return listProcesses().find((found) => found.parent === launcher && !found.isZombie)?.pid;
}

/** Several commands fill one disk: the one that wrote most is ended, and the others start counting anew. */
async function endTooGreedy(found: readonly (readonly Verdict[])[]): Promise<void> {
  const verdicts = found.flat().filter(({ entry }) => !entry.isOver);
  for (const sameDisk of Map.groupBy(verdicts, ({ disk }) => disk).values()) {
    const greediest = sameDisk.length === 1 ? sameDisk[0] : greediestOf(sameDisk);
    for (const verdict of sameDisk) {
      if (verdict === greediest) end(verdict);
      else await rememberAnew(verdict);
    }
  }
}

function greediestOf(verdicts: readonly Verdict[]): Verdict | undefined {
  const alive = listProcesses();
  const written = ({ entry }: Verdict): number =>
    descendantsOf(entry.request.pid, alive).reduce((sum, { pid }) => sum + writtenBy(pid), 0);
  return verdicts
    .map((verdict) => ({ verdict, bytes: written(verdict) }))
    .toSorted((left, right) => right.bytes - left.bytes)[0]?.verdict;
}

function end({ entry, note }: Verdict): void {
  if (entry.isOver) return;
  entry.isOver = true;
  entry.request.onExceeded(note);
}

async function rememberAnew({ entry }: Verdict): Promise<void> {
  entry.before.clear();
  await rememberDisks(entry.request, entry.before);
}
