/**
 * Root that drops to an ordinary user: that user cannot walk to folders inside our private state; and root without
 * capabilities cannot walk into other users' closed folders. So root first enters a
 * mount namespace of its own, shows them at a place that can be reached, drops to the user, and only then the sandbox
 * starts. Each step becomes the next one without a process between (exec), for two reasons: nothing is left behind, and the
 * kernel ends the sandbox when we die, which a parent that has dropped its rights could not do to another user's process.
 */
import { lstatSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { ToolFailure } from '../../contract/failure.ts';
import { isInside } from './path-relation.ts';
import type { RunAs } from './run-as.ts';
import type { ViewPlan } from './view-plan.ts';

export type StagedLaunch<Plan extends ViewPlan> = {
  /** What stands before the sandbox's own command line; empty when there is nothing to drop. */
  readonly prefix: readonly string[];
  /** The plan with its sources as the dropped user sees them. */
  readonly plan: Plan;
  /** Where that user finds what lies in our private folder. */
  move(path: string): string;
};

/** Folders that machines have and that a sandbox takes nothing from (FHS 3.0). */
const stages = ['/mnt', '/media', '/srv', '/opt'];

const script = 'mount --bind "$1" "$2" && { [ -z "$4" ] || mount --bind "$3" "$4"; } && shift 4 && exec "$@"';

export function stagedLaunch<Plan extends ViewPlan>(plan: Plan): StagedLaunch<Plan> {
  const { runAs, home, workspace } = plan;
  // It holds the home and the /etc.
  const privateFolder = dirname(home.source);
  const stay = { prefix: [], plan, move: (path: string): string => path };
  if (runAs.manner === 'self') return stay;
  const reachesWorkspace = canReach(workspace.source, runAs);
  if (runAs.manner === 'root' && reachesWorkspace && canReach(home.source, runAs)) return stay;

  const free = stages.filter(
    (path) => isFolder(path) && path !== workspace.source && !isInside(workspace.source, path),
  );
  const stage = free[0];
  const second = reachesWorkspace ? '' : free[1];
  if (stage === undefined || second === undefined) throw noStage();
  const move = (path: string): string =>
    isInside(path, privateFolder) ? stage + path.slice(privateFolder.length) : path;
  return {
    move,
    prefix: [
      ...['unshare', '--mount', '--propagation', 'private', '/bin/sh', '-c', script, 'sh', privateFolder, stage],
      ...[workspace.source, second],
      ...(runAs.manner === 'dropped' ? dropArgs(runAs) : []),
    ],
    plan: {
      ...plan,
      etc: { ...plan.etc, source: move(plan.etc.source) },
      userland: plan.userland && {
        ...plan.userland,
        mounts: plan.userland.mounts.map((mount) => ({ ...mount, source: move(mount.source) })),
      },
      binds: plan.binds.map((bind) => ({ ...bind, source: move(bind.source) })),
      home: { ...home, source: move(home.source) },
      workspace: { ...workspace, source: second === '' ? workspace.source : second },
    },
  };
}

/** All at once and for good: no group of root's stays, and no capability can come back. */
function dropArgs({ uid, gid }: RunAs): string[] {
  return [
    ...['setpriv', '--reuid', `${uid}`, '--regid', `${gid}`, '--clear-groups'],
    ...['--inh-caps', '-all', '--bounding-set', '-all', '--no-new-privs', '--'],
  ];
}

function noStage(): ToolFailure {
  const message = `There is no free folder among ${stages.join(', ')} to show the sandbox's home in. Make one of them, or start Handrail as the user who owns the workspace.`;
  return new ToolFailure('unavailable', message);
}

/** By the permission bits of the folders above it: inside a sandbox not even root may more. */
export function canReach(path: string, { uid, gid }: Pick<RunAs, 'uid' | 'gid'>): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const info = look(folder);
    if (info === undefined) return false;
    const bit = info.uid === uid ? 0o100 : info.gid === gid ? 0o010 : 0o001;
    if ((info.mode & bit) === 0) return false;
    if (folder === '/') return true;
  }
}

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    // Where not even we can look, the user cannot walk.
    return undefined;
  }
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
