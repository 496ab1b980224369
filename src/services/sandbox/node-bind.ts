/** Shows our own Node in a sandbox, where the system may have none, an old one, or another C library. */
import {
  copyFileSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { findNodeLibraries, type NodeLibraries } from '../net/node-libraries.ts';
import type { Bind, PrivatePlace } from './sandbox-launch.ts';
import { canReach } from './staged-launch.ts';

export type NodeBind = {
  binds(place: PrivatePlace): readonly Bind[];
  /** What starts it inside. */
  readonly command: readonly [string, ...string[]];
};

const inside = '/run/handrail-node';

/** `hasOwnSystem`: the sandbox shows another system than this machine's, so Node's libraries come along. */
export function bindNode(hasOwnSystem: boolean, libraries: () => NodeLibraries = findNodeLibraries): NodeBind {
  const program = `${inside}/bin/node`;
  const { files, loader } = hasOwnSystem ? libraries() : { files: new Map<string, string>(), loader: undefined };
  return {
    command: loader === undefined ? [program] : [`${inside}/lib/${loader}`, '--library-path', `${inside}/lib`, program],
    binds: (place) => [
      { source: reachable(process.execPath, place), path: program, isWritable: false },
      ...[...files].map(([name, path]) => ({
        source: reachable(path, place),
        path: `${inside}/lib/${name}`,
        isWritable: false,
      })),
    ],
  };
}

/** Itself where the sandbox's user may walk there, else the same file in our folder. Throws system errors. */
function reachable(path: string, place: PrivatePlace): string {
  if (canReach(path, place)) return path;
  const { size, mtimeMs, dev, ino } = statSync(path);
  const stamp = createHash('sha256')
    .update(JSON.stringify([path, size, mtimeMs, dev, ino]))
    .digest('hex')
    .slice(0, 24);
  const folder = join(place.folder, 'node');
  const kept = join(folder, stamp);
  if (existsSync(kept)) return kept;
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const draft = `${kept}.${process.pid}`;
  try {
    linkSync(path, draft);
  } catch {
    // Another file system, or not ours to link.
    copyFileSync(path, draft, constants.COPYFILE_FICLONE);
  }
  renameSync(draft, kept);
  dropOthers(folder, stamp);
  return kept;
}

const keptForMs = 24 * 60 * 60 * 1000;

/** Of versions before. Not at once: a sandbox of another process may still show one. */
function dropOthers(folder: string, current: string): void {
  for (const name of readdirSync(folder)) {
    const info = statSync(join(folder, name), { throwIfNoEntry: false });
    if (name !== current && info !== undefined && Date.now() - info.ctimeMs > keptForMs) {
      rmSync(join(folder, name), { force: true });
    }
  }
}
