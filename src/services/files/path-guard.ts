/** Resolves paths and checks them against their zone and what the call was granted: the rail beside every file operation. */
import { statSync } from 'node:fs';
import { isInside } from '../../base/is-inside.ts';
import type { Access, PathMode, PathZone, ResolvedPath } from '../../contract/access.ts';
import { ToolFailure } from '../../contract/failure.ts';
import type { CallScope, ConversationInfo } from '../../contract/services.ts';
import { absolutePath } from './absolute-path.ts';
import { classifyPath } from './classify-path.ts';
import { findPlaces, type FilesOptions, type Places } from './places.ts';
import { findRealPath } from './real-path.ts';

/** A path that was resolved and found allowed. */
export type Located = {
  /** Absolute, as people and models know it; links not followed. */
  readonly shownPath: string;
  readonly realPath: string;
  readonly zone: PathZone;
};

/** The guard for one call. Rejects with ToolFailure. */
export type PathGuard = {
  readonly signal: AbortSignal;
  readonly workspace: string;
  absolute(path: string): string;
  /** Resolves and checks. Deletion names a link itself; reading and writing go where it leads. */
  locate(path: string, mode: PathMode, options?: { readonly keepsLastLink?: boolean }): Promise<Located>;
  /** Whether a path below a located folder may be read along with it. Both are real paths. */
  mayVisit(realPath: string, root: Located): boolean;
  /** Refuses to put into place, as part of a tree, what is run or obeyed there and was not at its old place. */
  checkPlanted(from: string, to: string): void;
  /** Refuses an operation on a whole tree that would take a protected folder along. */
  checkWhole(target: Located): void;
  /** How people and models know a real path. */
  show(realPath: string): string;
};

export type PathGuards = {
  forCall(scope: CallScope): Promise<PathGuard>;
  /** As AccessResolver does, for paths. */
  resolve(access: Extract<Access, { kind: 'path' }>, conversation: ConversationInfo): Promise<ResolvedPath>;
};

export function createPathGuards(options: FilesOptions): PathGuards {
  let found: Promise<Places> | undefined;
  const findOnce = (): Promise<Places> => {
    found ??= findPlaces(options).catch((error: unknown) => {
      found = undefined; // The next call tries again.
      throw error;
    });
    return found;
  };

  /** Looked at again for every call: a workspace may change hands. */
  async function placesFor(workspace: string): Promise<Places> {
    const places = await findOnce();
    if (options.homeOf === undefined || !isSomebodyElses(workspace)) return places;
    const walked = await findRealPath(await options.homeOf(workspace), { from: '/' });
    return walked === undefined ? places : { ...places, homeFolder: walked.realPath };
  }

  async function resolve(
    path: string,
    mode: PathMode,
    workspace: string,
    places: Places,
    keepsLastLink = mode === 'delete',
  ): Promise<ResolvedPath> {
    checkText(path);
    const walked = await findRealPath(path, {
      from: workspace,
      homePath: options.homePath,
      homeFolder: places.homeFolder,
      keepsLastLink: keepsLastLink && !/(?:^|\/)\.{0,2}$/.test(path),
    });
    if (walked === undefined)
      throw new ToolFailure(
        'invalid_input',
        `${path} goes through too many links, or through one that leads back to itself. Give the path of the file itself.`,
      );
    const zone = classifyPath(walked.realPath, mode, workspace, places);
    if (
      zone === 'outside' &&
      places.allowedPaths !== undefined &&
      !places.allowedPaths.some((folder) => isInside(walked.realPath, folder))
    ) {
      throw new ToolFailure(
        'denied',
        `${walked.realPath} lies outside the folders that the settings allow (${places.allowedPaths.join(', ') || 'none beyond the workspace'}). Work there, or ask the user to allow the folder.`,
      );
    }
    return { kind: 'path', path, realPath: walked.realPath, mode, zone };
  }

  return {
    resolve: async (access, conversation) =>
      resolve(access.path, access.mode, conversation.workspace, await placesFor(conversation.workspace)),
    async forCall(scope) {
      const workspace = scope.conversation.workspace;
      const places = await placesFor(workspace);
      const granted = scope.granted.filter((access) => access.kind === 'path');
      const classify = (realPath: string, mode: PathMode): PathZone => classifyPath(realPath, mode, workspace, places);
      const guard: PathGuard = {
        signal: scope.signal,
        workspace,
        absolute: (path) => absolutePath(path, workspace, options.homePath),
        show: (realPath) =>
          isInside(realPath, places.homeFolder)
            ? options.homePath + realPath.slice(places.homeFolder.length)
            : realPath,
        async locate(path, mode, how) {
          scope.signal.throwIfAborted();
          const resolved = await resolve(path, mode, workspace, places, how?.keepsLastLink);
          const shownPath = guard.absolute(path);
          checkAllowed(resolved, shownPath, granted);
          return { shownPath, realPath: resolved.realPath, zone: resolved.zone };
        },
        mayVisit(realPath, root) {
          if (scope.forbids?.(realPath) === true) return false;
          const zone = classify(realPath, 'read');
          if (zone === 'state' || zone === 'credentials') return false;
          return zone !== 'outside' || isInside(realPath, root.realPath);
        },
        checkPlanted(from, to) {
          if (classify(to, 'write') !== 'trusted' || classify(from, 'write') === 'trusted') return;
          if (granted.some((access) => access.realPath === to && access.mode === 'write')) return;
          throw new ToolFailure(
            'denied',
            `This would put ${guard.show(to)} in place, which this machine may run or obey on its own. Copy or write that file by itself, so that it can be approved.`,
          );
        },
        checkWhole(target) {
          const taken =
            [workspace, places.homeFolder, places.workspacesFolder, places.artifactsFolder, ...places.stateRoots].find(
              (folder) => isInside(folder, target.realPath),
            ) ?? places.credentials.firstBelow(target.realPath);
          if (taken !== undefined)
            throw new ToolFailure(
              'denied',
              `${target.shownPath} is or contains ${guard.show(taken)}, which must stay in place. Name what you want inside it instead.`,
            );
        },
      };
      return guard;
    },
  };
}

/**
 * Reading and writing in the workspace and home, and reading artifacts, need no grant. All else needs one of this very
 * path: a granted folder opens what is below it to listing, searching and copying as a whole (`mayVisit`), and to nothing else.
 * A granted write covers reading the same path. Deletion and trusted files always need their own.
 */
function checkAllowed(resolved: ResolvedPath, shownPath: string, granted: readonly ResolvedPath[]): void {
  const { zone, mode, realPath } = resolved;
  const where = shownPath === realPath ? realPath : `${shownPath} (really ${realPath})`;
  if (zone === 'state')
    throw new ToolFailure(
      'denied',
      `${where} belongs to Handrail's own state, which no tool may touch. Use the tool or setting made for it.`,
    );
  if (zone === 'credentials')
    throw new ToolFailure(
      'denied',
      `${where} is a place for keys, logins or system secrets, which no tool may touch. Ask the user to do that part.`,
    );
  if (zone === 'artifacts' && mode !== 'read')
    throw new ToolFailure(
      'denied',
      `${where} is a kept result and can only be read. Write the changed text to a file in the workspace.`,
    );
  if (mode === 'read' && zone !== 'outside') return;
  if (mode === 'write' && (zone === 'workspace' || zone === 'home')) return;
  if (
    granted.some(
      (access) =>
        access.realPath === realPath && (access.mode === mode || (access.mode === 'write' && mode === 'read')),
    )
  )
    return;
  throw new ToolFailure(
    'denied',
    `This call was not given leave to ${mode} ${where}. Name that path in the call itself, so that it can be approved.`,
  );
}

function checkText(path: string): void {
  if (path === '')
    throw new ToolFailure(
      'invalid_input',
      'The path is empty. Give a file or folder, absolute or relative to the workspace; "." is the workspace.',
    );
  if (path.includes('\0'))
    throw new ToolFailure(
      'invalid_input',
      'The path contains a NUL character, which no file name can. Give the path without it.',
    );
  if (Buffer.byteLength(path) > 4096)
    throw new ToolFailure(
      'invalid_input',
      'The path is longer than the 4,096 bytes that Linux allows. Give a shorter one.',
    );
}

/** At once: for a look at one folder a worker thread costs a hundred times what the look does, twice in every call. */
function isSomebodyElses(workspace: string): boolean {
  if (process.geteuid?.() !== 0) return false;
  try {
    return statSync(workspace).uid !== 0;
  } catch {
    return false; // Gone: the operation itself says so.
  }
}
