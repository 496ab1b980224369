/** Files by name: an index where one knows the folder (plocate, then locate), else find. */
import { lstat } from 'node:fs/promises';
import { isInside } from '../../base/is-inside.ts';
import { compileGlob } from '../../base/match-glob.ts';
import { ToolFailure } from '../../contract/failure.ts';
import { hasCode } from '../files/system-failure.ts';
import type { FindBinary } from './find-binary.ts';
import { createParentCheck } from './glob.ts';
import { createNameReader } from './read-records.ts';
import { runProgram } from './run-program.ts';
import { comparePaths, kernelFolders, type SearchRoot } from './search-root.ts';

export type NameRequest = { readonly pattern: string; readonly limit: number; readonly includeHidden: boolean };
type Found = { readonly files: readonly string[]; readonly truncated: boolean; readonly backend: string };

/**
 * Case does not matter. A pattern without wildcards is any part of the name. Hits of an index are looked up before they
 * are believed; when an index has none (it may be stale, or leave the folder out) find is asked. Real paths, sorted.
 */
export async function findByName(
  request: NameRequest,
  root: SearchRoot,
  findBinary: FindBinary,
  database?: string,
): Promise<Found> {
  const matches = compileNamePattern(request.pattern);
  const isWanted = (realPath: string): boolean => {
    const below = realPath.slice(root.folderRealPath === '/' ? 1 : root.folderRealPath.length + 1);
    if (!isInside(realPath, root.folderRealPath) || below === '' || !matches(below)) return false;
    if (!request.includeHidden && below.split('/').some((part) => part.startsWith('.'))) return false;
    return !kernelFolders.some((folder) => isInside(realPath, folder)) && root.guard.mayVisit(realPath, root.located);
  };
  const literal = longestLiteral(request.pattern);
  for (const backend of ['plocate', 'locate'] as const) {
    const program = await findBinary(backend);
    if (program === undefined) continue;
    const args = [
      ...(database === undefined ? [] : ['-d', database]),
      '-A',
      '-0',
      '-i',
      '--',
      `${escapeGlob(root.folderRealPath === '/' ? '' : root.folderRealPath)}/*`,
      ...(literal === '' ? [] : [literal]),
    ];
    const found = await collect({ program, args, root, limit: request.limit, isWanted, toRealPath: (name) => name });
    if (found.files.length > 0) return { ...found, backend };
  }
  const program = await findBinary('find');
  if (program === undefined)
    throw new ToolFailure(
      'unavailable',
      'None of plocate, locate and find is installed, so files cannot be found by name. Install findutils, or use glob.',
    );
  const args = findArguments(
    root,
    request.includeHidden,
    longestLiteral(request.pattern.slice(request.pattern.lastIndexOf('/') + 1)),
  );
  return {
    ...(await collect({
      program,
      args,
      root,
      limit: request.limit,
      isWanted,
      toRealPath: (name) => root.realPathOf(name),
    })),
    backend: 'find',
  };
}

type Collecting = {
  readonly program: string;
  readonly args: readonly string[];
  readonly root: SearchRoot;
  readonly limit: number;
  readonly isWanted: (realPath: string) => boolean;
  readonly toRealPath: (name: string) => string;
};

/** An index that is missing or unreadable gives nothing, like one that knows nothing: the next way is tried. */
async function collect({
  program,
  args,
  root,
  limit,
  isWanted,
  toRealPath,
}: Collecting): Promise<Omit<Found, 'backend'>> {
  const candidates: string[] = [];
  // Some of an index's names will be gone, so that more than the limit are taken before they are looked at.
  const most = limit * 4 + 100;
  const read = createNameReader((bytes) => {
    const realPath = toRealPath(bytes.toString('utf8'));
    if (isWanted(realPath)) candidates.push(realPath);
    return candidates.length < most;
  });
  await runProgram({ program, args, folder: root.folder, signal: root.guard.signal, read });
  const isReal = createParentCheck();
  const files: string[] = [];
  for (const candidate of candidates.toSorted(comparePaths)) {
    if (files.length > limit) break;
    if (isReal(candidate) && (await isThere(candidate))) files.push(candidate);
  }
  return { files: files.slice(0, limit), truncated: files.length > limit };
}

async function isThere(path: string): Promise<boolean> {
  try {
    return !(await lstat(path)).isDirectory();
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return false;
    throw error;
  }
}

function compileNamePattern(pattern: string): (below: string) => boolean {
  if (pattern === '' || pattern.includes('\0'))
    throw new ToolFailure(
      'invalid_input',
      'The pattern is empty or holds a NUL. Give a part of the file name, or a glob such as *.pdf.',
    );
  if (!/[*?[{]/.test(pattern)) {
    const wanted = pattern.toLowerCase();
    return (below) =>
      (pattern.includes('/') ? below : below.slice(below.lastIndexOf('/') + 1)).toLowerCase().includes(wanted);
  }
  const isMatch = compileGlob(pattern, { ignoreCase: true });
  if (isMatch === undefined)
    throw new ToolFailure('invalid_input', `The pattern ${pattern} has too many alternatives in braces. Use fewer.`);
  return isMatch;
}

/** A text that every match contains, for a program to look for first. Empty: there is none. */
function longestLiteral(pattern: string): string {
  if (/[{\\[]/.test(pattern)) return '';
  return pattern.split(/[*?/]/).reduce((longest, part) => (part.length > longest.length ? part : longest), '');
}

/** For fnmatch(3). */
function escapeGlob(text: string): string {
  return text.replaceAll(/[*?[\]\\]/g, String.raw`\$&`);
}

function findArguments(root: SearchRoot, includeHidden: boolean, literal: string): readonly string[] {
  const pruned = [
    ...(includeHidden ? [] : ['-name', '.?*', '-o']),
    ...(root.folderRealPath === '/' ? kernelFolders.flatMap((folder) => ['-path', `.${folder}`, '-o']) : []),
  ].slice(0, -1);
  const name = literal === '' ? [] : ['-iname', `*${literal}*`];
  return [
    '.',
    '-mindepth',
    '1',
    ...(pruned.length === 0 ? [] : ['(', ...pruned, ')', '-prune', '-o']),
    '!',
    '-type',
    'd',
    ...name,
    '-print0',
  ];
}
