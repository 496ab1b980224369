/** Writes bubblewrap's arguments. Pure: what is bound, masked and taken away can be read and tested as a list. */
import type { Bubblewrap } from './find-bubblewrap.ts';
import { hostName } from './etc-entries.ts';
import type { HiddenPath } from './hidden-paths.ts';
import { isInside } from './path-relation.ts';
import type { UserlandView } from './userland-view.ts';
import type { ViewPlan } from './view-plan.ts';

export type SandboxPlan = ViewPlan & {
  readonly bubblewrap: Bubblewrap;
  readonly procGuards: readonly string[];
  /** The size of each file system in memory that commands can write. Omitted: 2 GB. */
  readonly temporaryBytes?: number;
  /** File descriptors, as numbered for bubblewrap. `seccomp` undefined: no filter for this processor. */
  readonly handles: { readonly status: number; readonly seccomp: number | undefined };
};

/** A tmpfs has no other bound than half of the machine's memory. */
const mostTemporaryBytes = 2 * 1024 * 1024 * 1024;

export function buildBwrapArgs(plan: SandboxPlan): string[] {
  return [
    ...namespaceArgs(plan.bubblewrap, plan.sharesNetwork, plan.keepsTerminal),
    // apk runs the scripts of packages in a changed root, also when it is the same one.
    ...(plan.userland === undefined ? [] : ['--cap-add', 'CAP_SYS_CHROOT']),
    ...['--uid', `${plan.runAs.insideUid}`, '--gid', `${plan.runAs.insideGid}`, '--hostname', hostName],
    ...['--json-status-fd', `${plan.handles.status}`],
    ...(plan.handles.seccomp === undefined ? [] : ['--seccomp', `${plan.handles.seccomp}`]),
    ...environmentArgs(plan.environment),
    ...systemArgs(plan),
    ...temporaryArgs(plan),
    // From here on what commands may write; nothing of it lies below a folder that a command could have replaced.
    ...['--bind', plan.home.source, plan.home.path],
    ...homeOfRootArgs(plan),
    ...['--bind', plan.workspace.source, plan.workspace.path],
    ...plan.hidden.flatMap((hidden) => hidingArgs(hidden, plan.workspace)),
    ...plan.binds.flatMap(({ source, path, isWritable }) => [isWritable ? '--bind' : '--ro-bind', source, path]),
    ...['--remount-ro', '/'],
  ];
}

/** Also what a probe tries, so that what it finds holds for real commands. */
export function namespaceArgs(bubblewrap: Bubblewrap, sharesNetwork: boolean, keepsTerminal = false): string[] {
  return [
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup'],
    ...(sharesNetwork ? [] : ['--unshare-net']),
    ...(bubblewrap.canDisableUserNamespaces ? ['--disable-userns'] : []),
    // A session of its own: the terminal we were started from cannot be typed into (TIOCSTI, CVE-2017-5226).
    ...(keepsTerminal ? [] : ['--new-session']),
    '--die-with-parent',
    // Our own process number 1: bubblewrap's exit then means that the namespace is empty, and nobody waits for strangers.
    '--as-pid-1',
    ...['--cap-drop', 'ALL'],
  ];
}

function environmentArgs(environment: Readonly<Record<string, string>>): string[] {
  return ['--clearenv', ...Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value])];
}

function systemArgs(plan: SandboxPlan): string[] {
  const { userland, procGuards } = plan;
  return [
    ...(userland === undefined ? machineArgs(plan) : userlandArgs(userland)),
    ...['--proc', '/proc'],
    ...procGuards.flatMap((path) => ['--ro-bind', path, path]),
    ...['--dev', '/dev'],
  ];
}

function machineArgs({ systemFolders, rootLinks, etc }: SandboxPlan): string[] {
  return [
    ...systemFolders.flatMap((folder) => ['--ro-bind', folder, folder]),
    ...rootLinks.flatMap(({ path, target }) => ['--symlink', target, path]),
    ...['--ro-bind', etc.source, '/etc'],
    ...etc.bound.flatMap((name) => ['--ro-bind', `/etc/${name}`, `/etc/${name}`]),
  ];
}

function userlandArgs({ mounts, links }: UserlandView): string[] {
  return [
    ...mounts.flatMap(({ source, path }) => ['--bind', source, path]),
    ...links.flatMap(({ path, target }) => ['--symlink', target, path]),
    ...['--dir', '/sys', '--dir', '/home'],
  ];
}

/** Programs such as ssh ask for the home by the name of the user, not by HOME. */
function homeOfRootArgs({ userland, home, workspace }: SandboxPlan): string[] {
  const isTaken = workspace.path === '/root' || isInside(workspace.path, '/root');
  return userland === undefined || isTaken ? [] : ['--symlink', home.path, '/root'];
}

function temporaryArgs({ bubblewrap, userland, temporaryBytes }: SandboxPlan): string[] {
  const size = bubblewrap.canLimitTmpfs ? ['--size', `${temporaryBytes ?? mostTemporaryBytes}`] : [];
  return [
    // bubblewrap's /dev is a file system in memory as well, and has no bound of its own.
    ...[...size, '--perms', '1777', '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
    ...[...size, '--perms', '1777', '--tmpfs', '/tmp'],
    ...[...size, '--perms', '0755', '--tmpfs', '/run'],
    ...(userland === undefined ? ['--symlink', '/tmp', '/var/tmp', '--symlink', '/run', '/var/run'] : []),
  ];
}

function hidingArgs({ path, kind, pins }: HiddenPath, workspace: SandboxPlan['workspace']): string[] {
  return [
    ...pins.flatMap((pin) => ['--bind', workspace.source + pin.slice(workspace.path.length), pin]),
    ...(kind === 'folder' ? ['--perms', '0000', '--tmpfs', path] : ['--ro-bind', '/dev/null', path]),
  ];
}
