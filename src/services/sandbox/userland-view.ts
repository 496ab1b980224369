/**
 * Shows a userland as the root of a sandbox: its top-level folders one by one on a fresh, empty root. The tree's own top
 * folder never appears inside, so no command can put a link where the next sandbox mounts something (CVE-2026-87766).
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isInside } from './path-relation.ts';

export type UserlandView = {
  /** What is bound, writable. Real folders and files, each looked at. */
  readonly mounts: readonly { readonly source: string; readonly path: string }[];
  readonly links: readonly { readonly path: string; readonly target: string }[];
  /** Those mounts that a command could exchange while another sandbox is being made. */
  readonly checks: readonly { readonly path: string; readonly id: string }[];
  /** bash where the tree has it, else sh. */
  readonly shell: string;
};

/** The sandbox makes these itself. `root` is a link to the home: programs ask for it by the name of the user, too. */
const madeByUs = new Set(['proc', 'sys', 'dev', 'tmp', 'run', 'home', 'root']);

/** `look` stands in for the guard in tests: what identity has this path, seen as it is? */
export function readUserlandView(tree: string, workspace: string, look = lookThrough): UserlandView {
  const mounts: { source: string; path: string }[] = [];
  const links: { path: string; target: string }[] = [];
  const checks: { path: string; id: string }[] = [];

  function show(name: string, folder: string, at: string, isReplaceable: boolean): void {
    const source = join(folder, name);
    const path = join(at, name);
    const info = lstatSync(source, { throwIfNoEntry: false, bigint: true });
    if (info === undefined || path === workspace) return;
    // A link on the way would send the mount of the workspace wherever a command wanted it.
    if (isInside(workspace, path) && !info.isDirectory()) return;
    if (info.isSymbolicLink()) {
      links.push({ path, target: readlinkSync(source) });
    } else if (info.isDirectory() && isInside(workspace, path)) {
      // On the way to the workspace nothing of the tree is mounted: a command could plant a link there.
      for (const child of readdirSync(source)) {
        try {
          show(child, source, path, true);
        } catch (error) {
          if (!isGone(error)) throw error;
        }
      }
    } else if (!isReplaceable) {
      if (info.isDirectory()) mounts.push({ source, path });
    } else if (info.isDirectory() || info.isFile()) {
      const id = look(source);
      if (id === undefined) return;
      mounts.push({ source, path });
      checks.push({ path, id });
    }
  }

  for (const name of readdirSync(tree)) if (!madeByUs.has(name)) show(name, tree, '/', false);
  return { mounts, links, checks, shell: findShell(tree) };
}

/** Commands change what lies there while we look: what is not there any more is not shown. */
function isGone(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP', 'EINVAL'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/** open(2); Node has no name for it. Opens anything, waits for nothing, and is good for nothing but looking. */
const pathOnly = 0o10000000;

/**
 * Its `device:inode` if it lies in the tree under this very name; what was there a moment ago does not count. A command may put
 * a link out of the tree into the place of a folder above it, and back, all the time.
 */
export function lookThrough(source: string): string | undefined {
  let handle: number;
  try {
    handle = openSync(source, pathOnly | constants.O_NOFOLLOW);
  } catch {
    // Gone meanwhile: it is not shown.
    return undefined;
  }
  try {
    if (readlinkSync(`/proc/self/fd/${handle}`) !== source) return undefined;
    const info = fstatSync(handle, { bigint: true });
    return info.isDirectory() || info.isFile() ? `${info.dev}:${info.ino}` : undefined;
  } finally {
    closeSync(handle);
  }
}

/** A file or a link by that name: whether it starts shows when it is started. */
function findShell(tree: string): string {
  const has = (path: string): boolean => lstatSync(join(tree, path), { throwIfNoEntry: false }) !== undefined;
  return ['/bin/bash', '/usr/bin/bash'].find(has) ?? '/bin/sh';
}
