/**
 * A folder of ours for one start on a rung whose launcher takes everything by arguments: what is secret lies here instead,
 * because every user of the machine can read arguments. Gone after the end.
 */
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { OwnPrograms } from './own-programs.ts';
import type { Bind } from './sandbox-launch.ts';
import type { ShownSystem } from './shown-system.ts';
import type { ViewPlan } from './view-plan.ts';

export type RunFolder = {
  readonly folder: string;
  /** What `/` is before anything is shown in it: the names of the machine's system folders, and an empty folder. */
  readonly root: string;
  readonly emptyFolder: string;
  /** For what the launcher itself keeps. */
  readonly scratch: string;
  /** To be shown to the program. */
  readonly bind: Bind;
  /** The program with its environment, which it reads from the folder by programs of ours. */
  withEnvironment(program: readonly string[], own: OwnPrograms): readonly string[];
  remove(): void;
};

export const insidePath = '/run/handrail';
const prefix = 'start-';
const ownLinks = ['tmp', 'run'].map((name) => ({ path: `/var/${name}`, target: `../${name}` }));

/** `parent`: private to us, and to be reached by the user that the program will be. */
export function createRunFolder(
  parent: string,
  system: ShownSystem,
  request: Pick<ViewPlan, 'runAs' | 'environment' | 'binds'> & { readonly preamble?: string },
): RunFolder {
  const { runAs, environment, binds, preamble = '' } = request;
  const { uid, gid } = runAs;
  removeOrphans(parent);
  const folder = mkdtempSync(join(parent, `${prefix}${process.pid}-`));
  const inside = join(folder, 'inside');
  const scratch = join(folder, 'scratch');
  for (const path of [inside, scratch]) mkdirSync(path, { mode: 0o700 });
  // Nothing can be made in it once it is shown read-only.
  for (const { path } of binds)
    if (dirname(path) === insidePath) mkdirSync(join(inside, basename(path)), { mode: 0o700 });
  const root = makeRoot(join(folder, 'root'), system);
  const emptyFolder = join(folder, 'empty');
  mkdirSync(emptyFolder, { mode: 0o755 });
  writeFileSync(join(inside, 'environment'), environmentText(environment) + preamble, { mode: 0o400 });
  if (process.geteuid?.() === 0) {
    // The way to it is shown by a mount, or lies below what only that user can enter.
    chmodSync(folder, 0o711);
    for (const path of [folder, inside, scratch, join(inside, 'environment')]) chownSync(path, uid, gid);
  }
  return {
    folder,
    root,
    emptyFolder,
    scratch,
    bind: { source: inside, path: insidePath, isWritable: false },
    withEnvironment: (program, { env, shell }) => [
      ...[...env, '-i', ...shell, '-c', '. "$0" && exec "$@"', `${insidePath}/environment`],
      ...program,
    ],
    remove: () => removeTree(folder),
  };
}

/** The names of the top level, so that nothing has to be made in it while something runs. */
export function makeRoot(root: string, system: ShownSystem): string {
  mkdirSync(root, { mode: 0o755 });
  for (const name of ['etc', 'proc', 'dev', 'sys', 'tmp', 'run', 'home', 'var']) mkdirSync(join(root, name));
  for (const { source, path } of system.mounts) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    if (statSync(source).isDirectory()) mkdirSync(join(root, path), { recursive: true });
    else writeFileSync(join(root, path), '');
  }
  for (const { path, target } of [...system.links, ...ownLinks]) {
    if (lstatSync(join(root, path), { throwIfNoEntry: false }) !== undefined) continue;
    mkdirSync(join(root, dirname(path)), { recursive: true });
    symlinkSync(target, join(root, path));
  }
  return root;
}

/** For a POSIX shell. Names have been checked, values may hold anything but NUL. */
function environmentText(environment: Readonly<Record<string, string>>): string {
  return Object.entries(environment)
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", String.raw`'\''`)}'\n`)
    .join('');
}

/** Those of processes of ours that were killed. */
function removeOrphans(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = Number(/^start-(\d+)-/.exec(name)?.[1] ?? process.pid);
    if (pid === process.pid || isAlive(pid)) continue;
    removeTree(join(parent, name));
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: alive, and another user's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A launcher that was killed may have left folders that not even their owner can enter. */
function removeTree(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    openFolders(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

function openFolders(folder: string): void {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) openFolders(join(folder, entry.name));
  }
}
