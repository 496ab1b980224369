/** Replaces a whole file in one step: readers see the old content or the new one, and a failure leaves the old. */
import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { access, open, rename, unlink, type FileHandle } from 'node:fs/promises';
import { ToolFailure } from '../../contract/failure.ts';
import { checkRegular } from './file-info.ts';
import { giveToOwnerOf } from './give-to-owner.ts';
import { withParent } from './open-folder.ts';
import { MovedPath, openWithin, pathOf, using, type Name, type VerifyOpened } from './open-verified.ts';
import type { Located } from './path-guard.ts';
import { placeWithoutOverwriting } from './place.ts';
import { readObject } from './read-bytes.ts';
import { hasCode } from './system-failure.ts';

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, W_OK } = constants;

/** `expected`: see the contract of Files.write. A second name (hard link) of the old file keeps the old content. */
export async function writeWhole(
  target: Located,
  bytes: Uint8Array | AsyncIterable<Uint8Array>,
  verify: VerifyOpened,
  expected?: Uint8Array | null,
): Promise<{ created: boolean }> {
  return withParent(target, verify, { makes: true }, async (folder, name) => {
    const old = await statOfOld(folder, name, target.shownPath);
    if (old !== undefined && expected === null) throw existsAlready(target.shownPath);
    if (old === undefined && expected) throw changedMeanwhile(target.shownPath);
    const temporaryName = `.handrail-${randomBytes(9).toString('hex')}.tmp`;
    const temporary = pathOf(folder, temporaryName);
    try {
      await writeTemporary(folder, temporary, bytes, old);
      if (expected) await compareWithOld(folder, name, target.shownPath, expected);
      if (expected === null) await placeWithoutOverwriting({ folder, name: temporaryName }, { folder, name });
      else await rename(temporary, pathOf(folder, name));
    } catch (error) {
      await unlink(temporary).catch(() => undefined); // Never made, or renamed already: nothing is left of it.
      throw expected === null && hasCode(error, 'EEXIST') ? existsAlready(target.shownPath) : error;
    }
    return { created: old === undefined };
  });
}

async function statOfOld(folder: FileHandle, name: string, shownPath: string): Promise<Stats | undefined> {
  try {
    return await using(openWithin(folder, name), async (object) => {
      const stats = await object.stat();
      // The real path was no link when it was checked, so this one came since.
      if (stats.isSymbolicLink()) throw new MovedPath(shownPath);
      checkRegular(stats, shownPath);
      // A rename would get round the file's own write protection.
      await access(pathOf(object), W_OK).catch((error: unknown) => {
        if (!hasCode(error, 'EACCES')) throw error;
        throw new ToolFailure(
          'failed',
          `${shownPath} is read-only for this user (EACCES, mode ${(stats.mode & 0o777).toString(8).padStart(4, '0')}). Make it writable with chmod u+w, or write to another file.`,
          { cause: error },
        );
      });
      return stats;
    });
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Nobody else can read the new content before it has the old file's mode. */
async function writeTemporary(
  folder: FileHandle,
  path: Name,
  bytes: Uint8Array | AsyncIterable<Uint8Array>,
  old: Stats | undefined,
): Promise<void> {
  await using(open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, old === undefined ? 0o666 : 0o600), async (file) => {
    await file.writeFile(bytes);
    if (old === undefined) await giveToOwnerOf(folder, file);
    else {
      const isOwnerKept = await keepOwner(file, old);
      await file.chmod(old.mode & (isOwnerKept ? 0o7777 : 0o777));
    }
    await file.sync();
  });
}

/** Only root may give a file away (chown(2)); for others the group can still be kept where they belong to it. */
async function keepOwner(file: FileHandle, old: Stats): Promise<boolean> {
  const fresh = await file.stat();
  if (fresh.uid === old.uid && fresh.gid === old.gid) return true;
  try {
    await file.chown(old.uid, old.gid);
    return true;
  } catch (error) {
    if (!hasCode(error, 'EPERM')) throw error;
    await file.chown(fresh.uid, old.gid).catch(() => undefined); // Not a member of that group either: the file becomes ours.
    return false;
  }
}

async function compareWithOld(
  folder: FileHandle,
  name: string,
  shownPath: string,
  expected: Uint8Array,
): Promise<void> {
  const current = await using(openWithin(folder, name), (object) =>
    readObject(object, shownPath, expected.length),
  ).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT') || (error instanceof ToolFailure && error.code === 'too_large'))
      throw changedMeanwhile(shownPath);
    throw error;
  });
  if (Buffer.compare(current.bytes, expected) !== 0) throw changedMeanwhile(shownPath);
}

function changedMeanwhile(shownPath: string): ToolFailure {
  return new ToolFailure(
    'conflict',
    `${shownPath} was changed by something else in the meantime; it was not written. Read it again and repeat the change.`,
  );
}

function existsAlready(shownPath: string): ToolFailure {
  return new ToolFailure(
    'conflict',
    `${shownPath} exists already and was left as it is. Choose another name, or edit the file.`,
  );
}
