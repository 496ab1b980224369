/** The files of one person's hands: the same guards as for tools, with nothing granted but the very path of each act. */
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import type { PathMode, ResolvedPath } from '../../contract/access.ts';
import { ToolFailure } from '../../contract/failure.ts';
import type { FileEntry, PersonFiles } from '../../contract/person-files.ts';
import type { CallScope, FileInfo, Files } from '../../contract/services.ts';
import type { FilesOwner } from './create-files.ts';

export type PersonFilesOptions = {
  readonly files: FilesOwner;
  readonly homePath: string;
  /** Where that home lies on the machine. */
  readonly homeFolder: string;
  /** Undefined: only the home. */
  readonly workspace: string | undefined;
};

const maxEntries = 10_000;

export function createPersonFiles({ files, homePath, homeFolder, workspace }: PersonFilesOptions): PersonFiles {
  // Without one the home itself is the folder that relative paths begin at; never a folder above it.
  const conversation = { id: 'person', workspace: workspace ?? homeFolder, isThrowaway: true };
  const signal = new AbortController().signal;

  /** What the person names is what the act may touch. `hasGrant` false: as for a call that was granted nothing. */
  async function scopeFor(...acts: readonly (readonly [path: string, mode: PathMode])[]): Promise<CallScope> {
    const granted: ResolvedPath[] = [];
    for (const [path, mode] of acts) {
      const resolved = await files.resolve({ kind: 'path', path, mode }, conversation);
      if (resolved.zone === 'outside') throw outside(path);
      if (resolved.zone !== 'artifacts') granted.push(resolved);
    }
    return { callId: 'person', conversation, granted, signal };
  }

  async function hand(...acts: readonly (readonly [path: string, mode: PathMode])[]): Promise<Files> {
    return files.forCall(await scopeFor(...acts));
  }

  async function mustBe(face: Files, path: string): Promise<FileInfo> {
    const info = await face.info(path);
    if (info !== undefined) return info;
    throw new ToolFailure('not_found', `${path} is not there any more. Look at its folder again.`);
  }

  return {
    places: () => ({ home: homePath, ...(workspace === undefined ? {} : { workspace }) }),
    async list(path, { offset, limit }) {
      const face = await hand([path, 'read']);
      const { entries, truncated } = await face.list(path, { limit: maxEntries });
      const sorted = entries.map(toEntry).sort(byKindAndName);
      const page = await Promise.all(sorted.slice(offset, offset + limit).map((entry) => withTarget(entry)));
      return { path: face.absolute(path), entries: page, total: entries.length, isCut: truncated };
    },
    info: async (path) => (await hand([path, 'read'])).info(path),
    async read(path, maxBytes) {
      const { bytes, info } = await (await hand([path, 'read'])).read(path, { maxBytes });
      return { bytes, info, hash: hashOf(bytes) };
    },
    open: async (path) => files.open(await scopeFor([path, 'read']), path),
    async write(path, bytes, expected) {
      const face = await hand([path, 'write'], [path, 'read']);
      const old = typeof expected === 'string' ? await oldBytes(face, path, expected) : expected;
      await face.write(path, bytes, old === undefined ? {} : { expected: old });
      return { path: face.absolute(path), hash: hashOf(bytes), info: await mustBe(face, path) };
    },
    async receive(path, chunks, { replaces }) {
      const scope = await scopeFor([path, 'write']);
      // What the machine obeys on its own is written where it can be read first: in the editor.
      if (scope.granted.some((access) => access.kind === 'path' && access.zone === 'trusted')) throw obeyed(path);
      await files.receive(scope, path, chunks, replaces ? undefined : null);
      return { path, info: await mustBe(await hand([path, 'read']), path) };
    },
    async makeFolder(path) {
      const made = await (await hand([path, 'write'])).makeFolder(path);
      if (made.created) return { path: made.path };
      throw new ToolFailure('conflict', `${made.path} is there already. Choose another name.`);
    },
    move: async (from, to) => (await hand([from, 'delete'], [to, 'write'])).move(from, to),
    remove: async (path) => (await hand([path, 'delete'])).trash(path, { recursive: true }),
    restore: async (path) => (await hand([path, 'write'])).restore(path),
  };

  /** Where a link leads outside, it is no more than a link. */
  async function withTarget(entry: FileEntry): Promise<FileEntry> {
    if (entry.kind !== 'link') return entry;
    const target = await hand([entry.path, 'read']).then(
      (face) => face.info(entry.path),
      () => undefined, // It leads where nobody may look.
    );
    return target === undefined || target.kind === 'link' ? entry : { ...entry, leadsTo: target.kind };
  }
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The bytes that must still be there, as the hash says. */
async function oldBytes(face: Files, path: string, expected: string): Promise<Uint8Array> {
  const old = await face.read(path).catch((error: unknown) => {
    if (error instanceof ToolFailure && error.code === 'not_found') return undefined;
    throw error;
  });
  if (old !== undefined && hashOf(old.bytes) === expected) return old.bytes;
  throw new ToolFailure(
    'conflict',
    old === undefined
      ? `${path} was removed after you opened it. Save it again to make it anew, or close it.`
      : `${path} was changed after you opened it; it was not written. Compare both, then keep yours or take the other.`,
  );
}

function toEntry({ path, kind, bytes, modifiedAt }: FileInfo): FileEntry {
  return { name: posix.basename(path), path, kind, bytes, modifiedAt };
}

const names = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

function byKindAndName(left: FileEntry, right: FileEntry): number {
  return (
    Number(right.kind === 'folder') - Number(left.kind === 'folder') ||
    names.compare(left.name, right.name) ||
    (left.name < right.name ? -1 : 1)
  );
}

const outside = (path: string): ToolFailure =>
  new ToolFailure(
    'denied',
    `${path} lies outside of the workspace and of the sandbox's home, or leads there. Only these two can be seen here.`,
  );

const obeyed = (path: string): ToolFailure =>
  new ToolFailure(
    'denied',
    `${path} is something that this machine runs or obeys on its own. Open it in the editor and save it there.`,
  );
