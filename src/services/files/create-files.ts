/** The files service: one guarded face per call over the operations of this folder. */
import { lstat } from 'node:fs/promises';
import type { Access, ResolvedPath } from '../../contract/access.ts';
import { ToolFailure } from '../../contract/failure.ts';
import type { OpenFile } from '../../contract/person-files.ts';
import type { CallScope, ConversationInfo, Files, ServiceOwner } from '../../contract/services.ts';
import { absolutePath } from './absolute-path.ts';
import { appendBytes } from './append-bytes.ts';
import { listFolder } from './list-folder.ts';
import { lookAt } from './look-at.ts';
import { openForReading } from './open-for-reading.ts';
import { openOrMakeFolder } from './open-folder.ts';
import { liesAt, MovedPath, using, type VerifyOpened } from './open-verified.ts';
import { createPathGuards, type PathGuard } from './path-guard.ts';
import type { FilesOptions } from './places.ts';
import { readBytes } from './read-bytes.ts';
import { systemFailure } from './system-failure.ts';
import { createTurns, type TakeTurns } from './take-turns.ts';
import { copyPath, movePath } from './transfer.ts';
import { moveToTrash, restoreFromTrash } from './trash.ts';
import { writeWhole } from './write-whole.ts';

export type FilesOwner = ServiceOwner<Files> & {
  /** What a declared path access means on this machine; the path half of an AccessResolver. */
  resolve(access: Extract<Access, { kind: 'path' }>, conversation: ConversationInfo): Promise<ResolvedPath>;
  /** The guard itself, for services that act on files in their own way (search). */
  guardFor(scope: CallScope): Promise<PathGuard>;
  /** A file of any size, read piece by piece. */
  open(scope: CallScope, path: string): Promise<OpenFile>;
  /** The same the other way. `expected` as for Files.write. */
  receive(
    scope: CallScope,
    path: string,
    chunks: AsyncIterable<Uint8Array>,
    expected?: null,
  ): Promise<{ readonly path: string; readonly created: boolean }>;
};

/** Parts that a test swaps to show what they are good for. */
export type FilesParts = { readonly verify: VerifyOpened };

/** How often an operation resolves again when something moved under it, before it gives up. */
const maxAttempts = 5;

export function createFiles(options: FilesOptions, parts: FilesParts = { verify: liesAt }): FilesOwner {
  const guards = createPathGuards(options);
  const inTurn = createTurns();
  return {
    resolve: guards.resolve,
    guardFor: guards.forCall,
    forCall: (scope) => createFace(scope, options, parts.verify, () => guards.forCall(scope), inTurn),
    open: (scope, path) =>
      once('read', path, async () =>
        openForReading(await (await guards.forCall(scope)).locate(path, 'read'), parts.verify),
      ),
    receive: (scope, path, chunks, expected) =>
      once('write', path, async () => {
        checkNamesFile(path);
        const target = await (await guards.forCall(scope)).locate(path, 'write');
        const written = await inTurn(target.realPath, () => writeWhole(target, chunks, parts.verify, expected));
        return { path: target.shownPath, ...written };
      }),
    close: () => Promise.resolve(), // Nothing is held between two operations.
  };
}

function createFace(
  scope: CallScope,
  options: FilesOptions,
  verify: VerifyOpened,
  makeGuard: () => Promise<PathGuard>,
  inTurn: TakeTurns,
): Files {
  let guarding: Promise<PathGuard> | undefined;

  /** Runs one operation; repeats it when a path moved between check and use, so that a harmless rename is no failure. */
  async function attempt<Result>(
    verb: string,
    path: string,
    act: (guard: PathGuard) => Promise<Result>,
  ): Promise<Result> {
    for (let count = 1; ; count += 1) {
      try {
        guarding ??= makeGuard();
        return await act(await guarding);
      } catch (error) {
        if (!(error instanceof MovedPath)) throw systemFailure(error, verb, path);
        if (count === maxAttempts) throw keepsMoving(path, error);
      }
    }
  }

  return {
    absolute: (path) => absolutePath(path, scope.conversation.workspace, options.homePath),
    info: (path) => attempt('look at', path, (guard) => lookAt(path, guard, verify)),
    read: (path, how) =>
      attempt('read', path, async (guard) => {
        const target = await guard.locate(path, 'read');
        return { path: target.shownPath, ...(await readBytes(target, verify, how?.maxBytes)) };
      }),
    write: (path, bytes, how) =>
      attempt('write', path, async (guard) => {
        checkNamesFile(path);
        const target = await guard.locate(path, 'write');
        return {
          path: target.shownPath,
          ...(await inTurn(target.realPath, () => writeWhole(target, bytes, verify, how?.expected))),
        };
      }),
    append: (path, bytes) =>
      attempt('append to', path, async (guard) => {
        checkNamesFile(path);
        const target = await guard.locate(path, 'write');
        return { path: target.shownPath, ...(await inTurn(target.realPath, () => appendBytes(target, bytes, verify))) };
      }),
    list: (path, how) =>
      attempt('list', path, async (guard) => listFolder(await guard.locate(path, 'read'), guard, verify, how ?? {})),
    makeFolder: (path) =>
      attempt('make the folder', path, async (guard) => {
        const target = await guard.locate(path, 'write');
        const exists = await lstat(target.realPath).catch(() => undefined); // Only for `created`; what is really there shows when it is opened.
        await using(openOrMakeFolder(target.realPath, verify), () => Promise.resolve());
        return { path: target.shownPath, created: exists === undefined };
      }),
    move: (from, to) =>
      attempt('move', from, async (guard) => {
        const [source, target] = [await guard.locate(from, 'delete'), await guard.locate(to, 'write')];
        await inTurn(source.realPath, () => movePath(source, target, guard, verify));
        return { from: source.shownPath, to: target.shownPath };
      }),
    copy: (from, to, how) =>
      attempt('copy', from, async (guard) => {
        const [source, target] = [await guard.locate(from, 'read'), await guard.locate(to, 'write')];
        await copyPath(source, target, how?.recursive ?? false, guard, verify);
        return { from: source.shownPath, to: target.shownPath };
      }),
    trash: (path, how) =>
      attempt('remove', path, async (guard) => {
        const target = await guard.locate(path, 'delete');
        return {
          path: target.shownPath,
          ...(await inTurn(target.realPath, () =>
            moveToTrash(target, how?.recursive ?? false, options.trashFolder, guard, verify),
          )),
        };
      }),
    restore: (path) =>
      attempt('restore', path, async (guard) => {
        const target = await guard.locate(path, 'write');
        await inTurn(target.realPath, () => restoreFromTrash(target, options.trashFolder, guard, verify));
        return { path: target.shownPath };
      }),
    check: (path, mode) =>
      attempt('open', path, async (guard) => {
        const target = await guard.locate(path, mode);
        return { path: target.shownPath, realPath: target.realPath };
      }),
  };
}

/** For what cannot be repeated: a stream is read only once. */
async function once<Result>(verb: string, path: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof MovedPath ? keepsMoving(path, error) : systemFailure(error, verb, path);
  }
}

function keepsMoving(path: string, cause: MovedPath): ToolFailure {
  return new ToolFailure(
    'conflict',
    `${path} keeps being replaced while it is used; nothing was done. Find out what changes it, then repeat the call.`,
    { cause },
  );
}

/** The kernel takes a slash at the end for a folder (path_resolution(7)); resolved, nothing of it would be left. */
function checkNamesFile(path: string): void {
  if (/\/\.{0,2}$/.test(path))
    throw new ToolFailure('invalid_input', `${path} names a folder. Give the name of the file in it.`);
}
