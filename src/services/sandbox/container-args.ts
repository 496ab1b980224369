/** Writes the arguments for podman and docker. Pure: what is shown, and what is taken away, can be read and tested as a list. */
import { join } from 'node:path';
import { readMostOpenFiles } from '../limits/limit-figures.ts';
import type { ContainerTool } from './find-container.ts';
import { hostName } from './etc-entries.ts';
import type { ShownSystem } from './shown-system.ts';
import type { ViewPlan } from './view-plan.ts';

type Seen = Pick<ViewPlan, 'runAs' | 'home' | 'workspace' | 'hidden' | 'binds' | 'keepsTerminal'>;

export type ContainerPlan = Seen & {
  readonly tool: ContainerTool;
  readonly containerName: string;
  readonly system: ShownSystem;
  /** podman: a folder with the names of the top level. docker: the name of an image made of it. */
  readonly root: string;
  /** podman writes the number of the first process there. */
  readonly pidFile: string;
  /** The filter of system calls, for the runtime to read. */
  readonly seccompFile: string;
  /** How many descriptors behind the third one go to the program. */
  readonly handleCount: number;
  /** Whether this machine lets containers have control groups: then they are limited by them. */
  readonly hasGroups: boolean;
  readonly maxProcesses: number;
  /** With what is swapped out. Omitted: none of its own. */
  readonly memoryBytes?: number;
};

const temporarySize = '2g';

export function buildContainerArgs(plan: ContainerPlan): string[] {
  return [
    ...(plan.tool.name === 'podman' ? ['--log-level', 'error'] : []),
    ...['run', '--rm', '--interactive', '--name', plan.containerName],
    ...(plan.keepsTerminal ? ['--tty'] : []),
    ...['--network', 'none', '--hostname', hostName, '--ipc', 'private', '--read-only', '--log-driver', 'none'],
    ...['--cap-drop', 'all', '--security-opt', 'no-new-privileges', '--workdir', '/'],
    ...['--security-opt', `seccomp=${plan.seccompFile}`],
    ...limitArgs(plan),
    ...(plan.tool.name === 'podman' ? podmanArgs(plan) : dockerArgs(plan)),
    ...mountArgs(plan),
    ...(plan.tool.name === 'podman' ? ['--rootfs', plan.root] : [plan.root]),
  ];
}

function limitArgs({ hasGroups, maxProcesses, memoryBytes, tool }: ContainerPlan): string[] {
  // What both tools ask for by default is more than many a user may have.
  const most = readMostOpenFiles();
  const files = Number.isFinite(most) ? ['--ulimit', `nofile=${most}:${most}`] : [];
  const memory = memoryBytes === undefined ? [] : ['--memory', `${memoryBytes}`, '--memory-swap', `${memoryBytes}`];
  if (hasGroups) return [...files, '--pids-limit', `${maxProcesses}`, ...memory];
  const limit = [...files, '--ulimit', `nproc=${maxProcesses}:${maxProcesses}`];
  return tool.name === 'podman' ? [...limit, '--cgroups', 'disabled'] : limit;
}

function podmanArgs({ runAs, pidFile, handleCount }: ContainerPlan): string[] {
  return [
    // Only the machine's own name resolution would be of use, and there is no network.
    ...['--no-hosts', '--passwd=false', '--read-only-tmpfs=false', '--unsetenv-all', '--pidfile', pidFile],
    ...['--security-opt', 'mask=/sys:/proc/config.gz:/proc/sysrq-trigger'],
    ...(handleCount > 0 ? ['--preserve-fds', `${handleCount}`] : []),
    ...identityArgs(runAs),
    ...['--user', `${runAs.insideUid}:${runAs.insideGid}`],
  ];
}

function identityArgs({ manner, insideUid, insideGid }: ContainerPlan['runAs']): string[] {
  if (manner === 'self') return insideUid === 0 ? [] : ['--userns', 'keep-id'];
  if (manner === 'dropped') return [];
  // Root's own number is one nobody inside has any rights by.
  return [...mapArgs('--uidmap', insideUid), ...mapArgs('--gidmap', insideGid)];
}

/** Root of the machine becomes `inside`, and what lies below it is given to numbers that own nothing. */
function mapArgs(option: string, inside: number): string[] {
  return [...(inside === 0 ? [] : [option, `0:1:${inside}`]), option, `${inside}:0:1`];
}

/** docker's service is root: without a user namespace of its own, the program is that very user of the machine. */
function dockerArgs({ runAs }: ContainerPlan): string[] {
  // Over what the service shows of the machine's devices and control groups; podman has an option for that.
  return ['--user', `${runAs.uid}:${runAs.gid}`, '--tmpfs', '/sys:ro,size=4k,mode=755'];
}

function mountArgs({ system, home, workspace, hidden, binds }: ContainerPlan): string[] {
  const shown = [
    ...system.mounts,
    { ...home, isWritable: true },
    { ...workspace, isWritable: true },
    ...hidden.flatMap(({ pins }) => pins.map((pin) => pinned(pin, workspace))),
    ...hidden
      .filter(({ kind }) => kind === 'file')
      .map(({ path }) => ({ source: '/dev/null', path, isWritable: false })),
    ...binds,
  ];
  return [
    ...['--tmpfs', `/tmp:rw,exec,nosuid,nodev,mode=1777,size=${temporarySize}`],
    ...['--tmpfs', `/run:rw,nosuid,nodev,mode=755,size=${temporarySize}`],
    ...shown.flatMap(({ source, path, isWritable }) => [
      '--mount',
      csv(['type=bind', `src=${source}`, `dst=${path}`, ...(isWritable ? [] : ['readonly'])]),
    ]),
    ...hidden
      .filter(({ kind }) => kind === 'folder')
      .flatMap(({ path }) => ['--mount', csv(['type=tmpfs', `dst=${path}`, 'tmpfs-mode=0000'])]),
  ];
}

function pinned(pin: string, workspace: ViewPlan['workspace']): { source: string; path: string; isWritable: boolean } {
  return { source: join(workspace.source, pin.slice(workspace.path.length)), path: pin, isWritable: true };
}

/** RFC 4180, as both tools read `--mount`: a path may hold commas and quotes. */
function csv(fields: readonly string[]): string {
  return fields.map((field) => (/[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(',');
}
