/** Whether the paths that a command changes are surely the sandbox's own. */
import { posix } from 'node:path';
import type { Field } from './expand-word.ts';
import { freshTemporary, holdsFresh } from './fresh-temporary.ts';
import type { Places, ReadContext, Scope } from './scope.ts';

// Inside the sandbox these belong to it: read-only, private or thrown away. /proc and most of /dev lead elsewhere.
const ownRoots = '/tmp /var /run /usr /bin /sbin /lib /lib32 /lib64 /libx32 /opt /etc /root /srv /dev/shm'.split(' ');

// The machine itself, where a command is not in a sandbox; in one, the system of the sandbox.
const systemRoots = '/etc /usr /bin /sbin /lib /lib32 /lib64 /libx32 /boot /sys /proc /var /opt /efi'.split(' ');

const harmlessDevice = /^\/dev\/(?:null|zero|full|u?random|tty|std(?:in|out|err)|fd\/\d+|shm\/.*|pts\/\d+|ptmx)$/;

/** A path, and whether it is everything below that folder rather than the path itself. */
type Target = { readonly path: string };

/** True only when every target is known, lies in the sandbox's own places, and touches the workspace nowhere. */
export function areOwn(
  targets: readonly (Field | undefined)[],
  places: Places,
  scope: Scope,
  context: ReadContext,
): boolean {
  if (!context.isSandboxed || scope.isForeign || targets.length === 0) return false;
  return targets.every((field) => {
    // Removing it follows no link, wherever it came from.
    if (field?.text === freshTemporary && !field.isPattern) return true;
    // A link that this very text makes is nowhere to be seen yet.
    if (scope.notes.makesLinks) return false;
    const resolved = resolveTargets(field, places);
    return resolved !== undefined && resolved.length > 0 && resolved.every((target) => isOwn(target.path, context));
  });
}

/** The absolute paths that a word may name; undefined when that is not certain. */
function resolveTargets(field: Field | undefined, places: Places): Target[] | undefined {
  if (field === undefined || holdsFresh(field.text)) return undefined;
  const fixed = field.isPattern ? beforePattern(field.text) : field.text;
  // The kernel takes `..` behind a link to the link's target, which nobody here can see.
  if (fixed === undefined || /(?:^|\/)\.\.(?:\/|$)/.test(fixed)) return undefined;
  if (fixed.startsWith('/')) return [{ path: posix.resolve(fixed) }];
  if (places?.some(holdsFresh) === true) return undefined;
  return places?.map((place) => ({ path: posix.resolve(place, fixed) }));
}

/** The folder in which a pattern begins to match. A `..` behind it could lead anywhere. */
function beforePattern(text: string): string | undefined {
  const parts = text.split('/');
  const first = parts.findIndex((part) => /[*?[]/.test(part));
  if (parts.slice(first + 1).includes('..')) return undefined;
  const folder = parts.slice(0, first).join('/');
  return text.startsWith('/') ? `/${folder}` : folder;
}

function isOwn(path: string, context: ReadContext): boolean {
  const real = context.realPath === undefined ? path : context.realPath(path);
  if (real === undefined) return false;
  const touchesWorkspace = isWithin(real, context.workspace) || isWithin(context.workspace, real);
  return !touchesWorkspace && [context.home, ...ownRoots].some((root) => isWithin(real, root));
}

/** Whether any of the paths surely or possibly lies in the workspace. */
export function mayBeInWorkspace(field: Field | undefined, places: Places, context: ReadContext): boolean {
  const resolved = resolveTargets(field, places);
  return resolved === undefined || resolved.some(({ path }) => isWithin(path, context.workspace));
}

/** Whether the word surely names something outside the workspace. */
export function isOutsideWorkspace(field: Field | undefined, places: Places, context: ReadContext): boolean {
  const resolved = resolveTargets(field, places);
  return resolved !== undefined && resolved.every(({ path }) => !isWithin(path, context.workspace));
}

/** Whether writing there changes the machine: its settings, programs or devices. */
export function isSystemPath(field: Field | undefined, places: Places, context: ReadContext): boolean {
  const resolved = resolveTargets(field, places) ?? [];
  return resolved.some(({ path }) => {
    if (isWithin(path, context.workspace) || isWithin(path, context.home)) return false;
    if (isWithin(path, '/dev')) return !harmlessDevice.test(path);
    if (isWithin(path, '/var/tmp')) return false;
    return path === '/' || systemRoots.some((root) => isWithin(path, root));
  });
}

/** `path` is `root` or lies below it. */
export function isWithin(path: string, root: string): boolean {
  if (root === '') return false;
  const folder = root.length > 1 && root.endsWith('/') ? root.slice(0, -1) : root;
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}
