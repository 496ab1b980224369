/** A folder of this program in one hierarchy of control groups, below which each shell, command and job gets its own. */
import { dirname, join } from 'node:path';
import { type Controller, findHierarchies, hasController, type Hierarchy } from './find-hierarchies.ts';
import { type GroupFiles, readCount, readOr, tryWrite } from './group-files.ts';
import { writeLimit, writeLowWeight } from './group-limits.ts';
import { decideFigures, type LimitFigures } from './limit-figures.ts';
import { findVersionTwoParent, type GroupParent } from './version-two-parent.ts';

export type GroupPlace = {
  readonly version: 1 | 2;
  readonly folder: string;
  readonly controllers: readonly Controller[];
  /** The file in a group by which a process enters it. */
  readonly entrance: 'tasks' | 'cgroup.procs';
};

export type PlaceOptions = {
  readonly files: GroupFiles;
  readonly isRoot: boolean;
  /** Ours: part of the folder's name, so that a later process knows what nobody needs any more. */
  readonly pid: number;
  /** Whether a process of ours can enter this group. */
  readonly canEnter: (entrance: string) => boolean;
};

const wanted: readonly Controller[] = ['memory', 'pids', 'cpu'];
const folderName = /^handrail-(\d+)(-.*)?$/;

/** Empty where we may not make any. Removes what processes of ours that were killed have left. */
export function findGroupPlaces(options: PlaceOptions): readonly GroupPlace[] {
  const { files } = options;
  const places: GroupPlace[] = [];
  for (const hierarchy of findHierarchies(files)) {
    const controllers = wanted.filter((name) => hasController(hierarchy, name));
    if (controllers.length === 0) continue;
    const parent =
      hierarchy.version === 1
        ? { folder: hierarchy.own, controllers }
        : findVersionTwoParent(hierarchy, controllers, options);
    if (parent === undefined) continue;
    removeOrphans(files, parent.folder, hierarchy);
    const place = tryPlace(options, parent, hierarchy.version);
    if (place !== undefined) places.push(place);
  }
  return places;
}

function tryPlace(options: PlaceOptions, parent: GroupParent, version: 1 | 2): GroupPlace | undefined {
  const { files, pid, isRoot } = options;
  const { controllers } = parent;
  const folder = join(parent.folder, `handrail-${pid}`);
  // `tasks` (version 1) moves the one thread that writes, and so takes no lock that has to wait for every processor
  // (kernel/cgroup/cgroup.c, cgroup_procs_write_start).
  const entrance = version === 1 ? 'tasks' : 'cgroup.procs';
  const probe = join(folder, 'probe');
  try {
    openPlace(files, { version, folder, controllers, entrance });
    files.makeFolder(probe);
  } catch {
    // Not ours to write.
    removeQuietly(files, folder);
    return undefined;
  }
  const figures = decideFigures(probeSettings);
  const held = controllers.filter((controller) => writeLimit(files, probe, { version, controller }, figures));
  const isSure = version === 1 && isRoot;
  const isUsable = held.length > 0 && (isSure || options.canEnter(join(probe, entrance)));
  removeQuietly(files, probe);
  removeQuietly(files, folder);
  return isUsable ? { version, folder, controllers: held, entrance } : undefined;
}

/** Every kind of limit, so that each shows whether it can be set. */
const probeSettings = {
  memoryMegabytes: 1024,
  processes: 1024,
  cpus: 1,
  openFiles: 64,
  fileMegabytes: 1,
  diskMegabytes: 1,
  files: 1,
  freeMegabytes: 0,
  freeFiles: 0,
};

/** Makes the program's folder when it is not there. Throws as node:fs does. */
export function openPlace(files: GroupFiles, place: GroupPlace, together?: LimitFigures): void {
  const { folder, version, controllers } = place;
  if (!files.exists(folder)) files.makeFolder(folder);
  if (controllers.includes('cpu')) writeLowWeight(files, folder, version);
  if (controllers.includes('memory') && together !== undefined) {
    writeLimit(files, folder, { version, controller: 'memory' }, together);
  }
  if (version === 1) return;
  for (const controller of controllers) files.write(join(folder, 'cgroup.subtree_control'), `+${controller}`);
}

/** False while something is in it. */
export function removeQuietly(files: GroupFiles, folder: string): boolean {
  try {
    files.removeFolder(folder);
    return true;
  } catch (error) {
    // EBUSY: the kernel is still collecting the dead, or others of ours are in there.
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

/** Those of processes of ours that were killed. One that is in use is not empty, and stays. */
function removeOrphans(files: GroupFiles, parent: string, hierarchy: Hierarchy): void {
  // The same program may have been started from a neighbouring group, as each login or each run of a supervisor has.
  const neighbours =
    hierarchy.version === 1 && parent !== hierarchy.mount ? foldersOf(files, dirname(parent), dirname(parent)) : [];
  for (const group of new Set([parent, ...neighbours])) {
    for (const name of foldersIn(files, group)) {
      const pid = folderName.exec(name)?.[1];
      if (pid === undefined || files.exists(`/proc/${pid}`)) continue;
      const folder = join(group, name);
      const inside = foldersIn(files, folder).map((child) => join(folder, child));
      // 0 stands for a process of another namespace: its owner may be as well, and live there.
      const isOurs = [folder, ...inside].every((child) => !readList(files, join(child, 'cgroup.procs')).includes('0'));
      // On the host rung commands outlive their program; nobody is left who would read their output or end them.
      if (hierarchy.version === 2 && isOurs) tryWrite(files, join(folder, 'cgroup.kill'), '1');
      for (const child of inside) removeQuietly(files, child);
      removeQuietly(files, folder);
    }
  }
}

const foldersOf = (files: GroupFiles, folder: string, prefix: string): readonly string[] =>
  foldersIn(files, folder).map((name) => join(prefix, name));

const readList = (files: GroupFiles, path: string): readonly string[] =>
  (readOr(files, path) ?? '').split('\n').filter(Boolean);

function foldersIn(files: GroupFiles, folder: string): readonly string[] {
  try {
    return files.folders(folder);
  } catch {
    // Gone in the meantime, or not ours to read.
    return [];
  }
}

/** How many of the group's own limits were hit so far: kills for want of memory, refused forks. */
export function readEvents(files: GroupFiles, place: GroupPlace, group: string): { oomKills: number; forks: number } {
  const memoryFile = place.version === 1 ? 'memory.oom_control' : 'memory.events';
  return {
    oomKills: place.controllers.includes('memory') ? readCount(files, join(group, memoryFile), 'oom_kill') : 0,
    forks: place.controllers.includes('pids') ? readCount(files, join(group, 'pids.events'), 'max') : 0,
  };
}
