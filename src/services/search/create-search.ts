/** The search service: finding files and text, by the fastest program the machine has. */
import { splitGlob } from '../../base/match-glob.ts';
import { ToolFailure } from '../../contract/failure.ts';
import type { CallScope, Search, ServiceOwner } from '../../contract/services.ts';
import type { PathGuard } from '../files/path-guard.ts';
import { createHitConfirmer, type HitConfirmer } from './confirm-hit.ts';
import { createFindBinary, type FindBinary } from './find-binary.ts';
import { findByName } from './find-by-name.ts';
import { globFiles } from './glob.ts';
import { grepFiles } from './grep.ts';
import { withSearchRoot } from './search-root.ts';

export type SearchOptions = {
  /** The file service's guard: search goes nowhere that reading may not go. */
  guardFor(scope: CallScope): Promise<PathGuard>;
  /** Omitted: ripgrep's package, then the PATH. */
  readonly findBinary?: FindBinary;
  /** Omitted: the locate programs' own. */
  readonly locateDatabase?: string;
};

/** Parts that a test swaps to show what they are good for. */
export type SearchParts = { readonly makeConfirmer: () => HitConfirmer };

export function createSearch(
  options: SearchOptions,
  parts: SearchParts = { makeConfirmer: createHitConfirmer },
): ServiceOwner<Search> {
  const findBinary = options.findBinary ?? createFindBinary();
  return {
    forCall: (scope) => ({
      glob: async (request) => globBelow(await options.guardFor(scope), request, findBinary),
      grep: async (request) =>
        withSearchRoot(await options.guardFor(scope), request.path, async (root) => ({
          basePath: root.located.shownPath,
          ...(await grepFiles(request, root, findBinary, parts.makeConfirmer)),
        })),
      findByName: async (request) =>
        withSearchRoot(await options.guardFor(scope), request.path, async (root) => {
          if (root.fileName !== undefined) throw notAFolder(root.located.shownPath);
          const found = await findByName(request, root, findBinary, options.locateDatabase);
          return { basePath: root.located.shownPath, ...found, files: found.files.map((file) => root.shown(file)) };
        }),
    }),
    close: () => Promise.resolve(), // Programs end with their calls.
  };
}

/** Begins at the deepest folder that the pattern names, also when .gitignore leaves it out: it was asked for by name. */
async function globBelow(
  guard: PathGuard,
  request: Parameters<Search['glob']>[0],
  findBinary: FindBinary,
): ReturnType<Search['glob']> {
  const pattern = request.pattern.replace(/^(?:\.\/+)+/, '').replace(/\/+$/, '/**');
  if (pattern === '' || pattern.includes('\0'))
    throw new ToolFailure('invalid_input', 'The pattern is empty. Give a glob such as **/*.md.');
  if (pattern.startsWith('/') || pattern.split('/').includes('..'))
    throw new ToolFailure(
      'invalid_input',
      'The pattern must stay below path. Put the folder into path, and only what follows into pattern.',
    );
  const { folder, rest } = splitGlob(pattern);
  return withSearchRoot(guard, request.path, async (base) => {
    if (base.fileName !== undefined) throw notAFolder(base.located.shownPath);
    const basePath = base.located.shownPath;
    if (folder === '' || base.located.zone === 'outside') {
      const found = await globFiles(pattern, base, request.limit, findBinary);
      return { basePath, truncated: found.truncated, files: found.files.map((file) => base.shown(file)) };
    }
    try {
      return await withSearchRoot(guard, `${basePath}/${folder}`, async (root) => {
        if (root.fileName !== undefined) return { basePath, files: [], truncated: false };
        const found = await globFiles(`./${rest}`, root, request.limit, findBinary);
        return { basePath, truncated: found.truncated, files: found.files.map((file) => root.shown(file)) };
      });
    } catch (error) {
      if (error instanceof ToolFailure && error.code === 'not_found') return { basePath, files: [], truncated: false };
      throw error;
    }
  });
}

function notAFolder(shownPath: string): ToolFailure {
  return new ToolFailure('invalid_input', `${shownPath} is a file. Give the folder to search in as path.`);
}
