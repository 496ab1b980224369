/**
 * Where in control groups version 2 groups of ours can be made. Kernel documentation, admin-guide/cgroup-v2: a group that hands
 * controllers down holds no processes itself (but the top one), and who moves a process must be allowed to write the
 * cgroup.procs of the group that both places have in common.
 */
import { dirname, join } from 'node:path';
import type { Controller, Hierarchy } from './find-hierarchies.ts';
import { type GroupFiles, readOr, tryWrite } from './group-files.ts';
import type { PlaceOptions } from './group-place.ts';

/** Where this program itself goes when its own group is to have others below it. */
const programGroup = 'handrail-program';

export type GroupParent = { readonly folder: string; readonly controllers: readonly Controller[] };

/** Undefined where no group above ours lets us make any. */
export function findVersionTwoParent(
  hierarchy: Hierarchy,
  controllers: readonly Controller[],
  options: Pick<PlaceOptions, 'files' | 'isRoot' | 'pid'>,
): GroupParent | undefined {
  const { files } = options;
  if (isGivenToUs(hierarchy, options) && moveAside(hierarchy.own, options)) {
    const given = parentIn(files, hierarchy.own, controllers);
    if (given !== undefined) return given;
  }
  for (const group of groupsFromOwn(hierarchy)) {
    const isTop = group === hierarchy.mount && isRealTop(files, group);
    if (!isTop && (group === hierarchy.own || hasProcesses(files, group))) continue;
    // The nearest: limits that were set further up hold for what we start, too.
    const found = parentIn(files, group, controllers);
    if (found !== undefined) return found;
  }
  return undefined;
}

function groupsFromOwn({ own, mount }: Hierarchy): readonly string[] {
  const groups: string[] = [];
  for (let group = own; group.startsWith(mount); group = dirname(group)) {
    groups.push(group);
    if (group === mount) break;
  }
  return groups;
}

/**
 * A service manager that hands a group over makes it its user's (systemd.resource-control(5), Delegate=); a container's is the
 * top of what is shown. Root can write every group, which does not make it root's to rearrange.
 */
function isGivenToUs(
  { own, mount }: Hierarchy,
  { files, isRoot, pid }: Pick<PlaceOptions, 'files' | 'isRoot' | 'pid'>,
) {
  if (isRealTop(files, own)) return false;
  if (isRoot && own !== mount) return false;
  const inside = processesIn(files, own);
  return inside.length > 0 && inside.every((entry) => entry === pid);
}

function moveAside(own: string, { files, pid }: Pick<PlaceOptions, 'files' | 'pid'>): boolean {
  const folder = join(own, programGroup);
  try {
    if (!files.exists(folder)) files.makeFolder(folder);
  } catch {
    // Not ours after all.
    return false;
  }
  return tryWrite(files, join(folder, 'cgroup.procs'), `${pid}`);
}

/** Undefined unless this group hands down, or does so once told to, at least what limits memory and processes. */
function parentIn(files: GroupFiles, folder: string, wanted: readonly Controller[]): GroupParent | undefined {
  for (const controller of wanted) {
    if (!handedDown(files, folder).includes(controller)) {
      tryWrite(files, join(folder, 'cgroup.subtree_control'), `+${controller}`);
    }
  }
  const controllers = wanted.filter((controller) => handedDown(files, folder).includes(controller));
  const isEnough = controllers.includes('memory') && controllers.includes('pids');
  return isEnough && isOurs(files, folder) ? { folder, controllers } : undefined;
}

/** Made and taken away again: permissions, read-only mounts and depth limits all show by it. */
function isOurs(files: GroupFiles, group: string): boolean {
  const folder = join(group, `handrail-try-${process.pid}`);
  try {
    files.makeFolder(folder);
    files.removeFolder(folder);
    return true;
  } catch {
    // EACCES, EROFS, EAGAIN.
    return false;
  }
}

const handedDown = (files: GroupFiles, group: string): readonly string[] =>
  (readOr(files, join(group, 'cgroup.subtree_control')) ?? '').trim().split(/\s+/);

/** The machine's own top group has no type (cgroups(7)); it alone may hold processes and hand down as well. */
const isRealTop = (files: GroupFiles, group: string): boolean => !files.exists(join(group, 'cgroup.type'));

const hasProcesses = (files: GroupFiles, group: string): boolean => processesIn(files, group).length > 0;

function processesIn(files: GroupFiles, group: string): readonly number[] {
  return (readOr(files, join(group, 'cgroup.procs')) ?? '').split('\n').filter(Boolean).map(Number);
}
