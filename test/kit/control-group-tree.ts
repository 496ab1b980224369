/** A tree of control groups, version 2, in memory, with the kernel's own rules: what a machine of another kind would answer. */
import { dirname, resolve } from 'node:path';
import type { GroupFiles } from '../../src/services/limits/group-files.ts';

type Group = {
  readonly files: Map<string, string>;
  readonly processes: Set<number>;
  /** Who may write in it. */
  readonly owner: 'root' | 'user';
};

export type ControlGroupTree = GroupFiles & {
  /** Everything that was made, written or removed, in order; below the mount, without what failed. */
  readonly log: string[];
  add(path: string, options?: { readonly owner?: Group['owner']; readonly handsDown?: readonly string[] }): void;
  put(path: string, pid: number): void;
  /** It ended. */
  forget(pid: number): void;
  set(path: string, file: string, text: string): void;
  value(path: string, file: string): string | undefined;
  groups(): readonly string[];
};

const mount = '/sys/fs/cgroup';
const filesOf: Readonly<Record<string, readonly string[]>> = {
  memory: ['memory.max', 'memory.swap.max', 'memory.oom.group', 'memory.events'],
  pids: ['pids.max', 'pids.events'],
  cpu: ['cpu.max', 'cpu.weight'],
};

/** `own`: the group that we are in, below the mount. `user`: who we are. */
export function createControlGroupTree(options: {
  readonly own: string;
  readonly user: 'root' | 'user';
  readonly controllers?: readonly string[];
  readonly pid?: number;
}): ControlGroupTree {
  const { own, user, controllers = ['cpu', 'memory', 'pids'], pid = process.pid } = options;
  const groups = new Map<string, Group>();
  const log: string[] = [];
  const fail = (code: string): never => {
    throw Object.assign(new Error(code), { code });
  };
  const groupOf = (path: string): Group => groups.get(path) ?? fail('ENOENT');
  const handed = (path: string): string[] =>
    (groups.get(path)?.files.get('cgroup.subtree_control') ?? '').split(' ').filter(Boolean);
  const mayWrite = (path: string): boolean => user === 'root' || groups.get(path)?.owner === 'user';
  const childrenOf = (path: string): string[] =>
    [...groups.keys()].filter((name) => name !== path && dirname(name) === path);

  function make(path: string, owner: Group['owner']): void {
    const isTop = path === mount;
    const given = isTop ? controllers : handed(dirname(path));
    const files = new Map([
      ['cgroup.controllers', given.join(' ')],
      ['cgroup.subtree_control', ''],
      ['cgroup.procs', ''],
      ['cgroup.kill', ''],
    ]);
    if (!isTop) {
      files.set('cgroup.type', 'domain');
      for (const file of given.flatMap((name) => filesOf[name] ?? [])) files.set(file, '');
    }
    groups.set(path, { files, processes: new Set(), owner });
  }

  function handDown(path: string, text: string): void {
    const group = groupOf(path);
    const name = text.slice(1);
    const isTop = path === mount;
    if (!(group.files.get('cgroup.controllers') ?? '').split(' ').includes(name)) fail('ENOENT');
    // Only the top group may hold processes and hand controllers down as well.
    if (!isTop && group.processes.size > 0) fail('EBUSY');
    group.files.set('cgroup.subtree_control', [...new Set([...handed(path), name])].join(' '));
    for (const child of childrenOf(path)) {
      const { files } = groupOf(child);
      files.set('cgroup.controllers', handed(path).join(' '));
      for (const file of filesOf[name] ?? []) files.set(file, files.get(file) ?? '');
    }
  }

  function move(path: string, moved: number): void {
    const target = groupOf(path);
    if (handed(path).length > 0 && path !== mount) fail('EBUSY');
    const from = [...groups].find(([, group]) => group.processes.has(moved))?.[0] ?? mount;
    if (!mayWrite(path) || !mayWrite(commonOf(from, path))) fail('EACCES');
    for (const group of groups.values()) group.processes.delete(moved);
    target.processes.add(moved);
  }

  const tree: ControlGroupTree = {
    log,
    add(path, { owner = 'root', handsDown = [] } = {}) {
      make(resolve(mount + path), owner);
      groupOf(resolve(mount + path)).files.set('cgroup.subtree_control', handsDown.join(' '));
    },
    put: (path, moved) => void groupOf(resolve(mount + path)).processes.add(moved),
    forget(pid) {
      for (const group of groups.values()) group.processes.delete(pid);
    },
    set: (path, file, text) => void groupOf(resolve(mount + path)).files.set(file, text),
    value: (path, file) => groups.get(resolve(mount + path))?.files.get(file),
    groups: () => [...groups.keys()].map((path) => path.slice(mount.length)).filter((path) => path !== ''),
    read(path) {
      if (path === '/proc/self/cgroup') return `0::${ownOf(groups, pid) ?? own}\n`;
      if (path === '/proc/self/mountinfo') return `30 23 0:26 / ${mount} rw,nosuid shared:4 - cgroup2 cgroup2 rw\n`;
      const group = groupOf(dirname(path));
      const file = path.slice(dirname(path).length + 1);
      if (file === 'cgroup.procs') return [...group.processes].map((entry) => `${entry}\n`).join('');
      return group.files.get(file) ?? fail('ENOENT');
    },
    write(path, text) {
      const folder = dirname(path);
      const file = path.slice(folder.length + 1);
      const group = groupOf(folder);
      if (!group.files.has(file)) fail('ENOENT');
      if (!mayWrite(folder)) fail('EACCES');
      if (file === 'cgroup.subtree_control') handDown(folder, text);
      else if (file === 'cgroup.procs') move(folder, Number(text));
      else group.files.set(file, text);
      log.push(`${path.slice(mount.length)} = ${text}`);
    },
    makeFolder(path) {
      if (groups.has(path)) fail('EEXIST');
      if (!groups.has(dirname(path))) fail('ENOENT');
      if (!mayWrite(dirname(path))) fail('EACCES');
      make(path, user);
      log.push(`make ${path.slice(mount.length)}`);
    },
    removeFolder(path) {
      const group = groupOf(path);
      if (!mayWrite(dirname(path))) fail('EACCES');
      if (group.processes.size > 0 || childrenOf(path).length > 0) fail('EBUSY');
      groups.delete(path);
      log.push(`remove ${path.slice(mount.length)}`);
    },
    folders: (path) => childrenOf(path).map((child) => child.slice(path.length + 1)),
    exists(path) {
      if (path.startsWith('/proc/')) return path === `/proc/${pid}`;
      return groups.has(path) || groups.get(dirname(path))?.files.has(path.slice(dirname(path).length + 1)) === true;
    },
  };
  make(mount, 'root');
  return tree;
}

/** The nearest group that holds both. */
function commonOf(left: string, right: string): string {
  let group = left;
  while (group !== '/' && right !== group && !right.startsWith(`${group}/`)) group = dirname(group);
  return group;
}

function ownOf(groups: ReadonlyMap<string, Group>, pid: number): string | undefined {
  const path = [...groups].find(([, group]) => group.processes.has(pid))?.[0];
  return path === undefined ? undefined : path.slice(mount.length) || '/';
}
