/** One look at every file system that a command can fill: its workspace and home, and those in memory that are its own. */
import { type DiskLook, judgeDisk, lookAtDisk } from './disk-use.ts';
import { memoryFilesNote } from './limit-notes.ts';
import type { Watched, WatchRequest } from './watched-command.ts';

/** `disk`: the same for all who fill the same one. `isOwn`: nobody else can. */
export type Verdict = {
  readonly entry: Watched;
  readonly disk: string;
  readonly isOwn: boolean;
  readonly note: string;
};

export async function rememberDisks(request: WatchRequest, before: Map<number, DiskLook>): Promise<void> {
  for (const path of request.paths) {
    const look = await lookAtDisk(path);
    if (look !== undefined && !before.has(look.device)) before.set(look.device, look);
  }
}

/** What they hold counts from now on. */
export async function rememberAnew(entry: Watched): Promise<void> {
  entry.suspicion = undefined;
  entry.before.clear();
  await rememberDisks(entry.request, entry.before);
}

/** Who is beyond a limit. */
export async function judgeAll(entries: readonly Watched[]): Promise<readonly Verdict[]> {
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
  const inside = request.inside?.();
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
