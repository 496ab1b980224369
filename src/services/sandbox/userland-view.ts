/**
 * Shows a userland as the root of a sandbox: its top-level folders one by one on a fresh, empty root. The tree's own top
 * folder never appears inside, so no command can put a link where the next sandbox mounts something (CVE-2026-87766).
 */
import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
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

export function readUserlandView(tree: string, workspace: string): UserlandView {
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
      for (const child of readdirSync(source)) show(child, source, path, true);
    } else if (info.isDirectory() || (info.isFile() && isReplaceable)) {
      mounts.push({ source, path });
      if (isReplaceable) checks.push({ path, id: `${info.dev}:${info.ino}` });
    }
  }

  for (const name of readdirSync(tree)) if (!madeByUs.has(name)) show(name, tree, '/', false);
  return { mounts, links, checks, shell: findShell(tree) };
}

/** A file or a link by that name: whether it starts shows when it is started. */
function findShell(tree: string): string {
  const has = (path: string): boolean => lstatSync(join(tree, path), { throwIfNoEntry: false }) !== undefined;
  return ['/bin/bash', '/usr/bin/bash'].find(has) ?? '/bin/sh';
}
