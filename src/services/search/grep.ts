/** Text in files: ripgrep where it is, else grep. */
import { compileGlob } from '../../base/match-glob.ts';
import { ToolFailure } from '../../contract/failure.ts';
import type { Search, TextMatch } from '../../contract/services.ts';
import type { HitConfirmer } from './confirm-hit.ts';
import type { FindBinary } from './find-binary.ts';
import { createHitReader, type RawHit } from './read-records.ts';
import { escapeRegex, toPosixRegex, toRustRegex } from './regex-dialects.ts';
import { commonArguments, ignoreArguments } from './ripgrep-arguments.ts';
import { runProgram } from './run-program.ts';
import { comparePaths, kernelFolders, type SearchRoot } from './search-root.ts';

export type GrepRequest = Parameters<Search['grep']>[0];
type Found = { readonly matches: readonly TextMatch[]; readonly truncated: boolean; readonly backend: string };

/** Longest line given back, in characters. */
const maxLineChars = 2_000;

export async function grepFiles(
  request: GrepRequest,
  root: SearchRoot,
  findBinary: FindBinary,
  makeConfirmer: () => HitConfirmer,
): Promise<Found> {
  checkPattern(request.pattern);
  const isIncluded = compileInclude(request.include);
  const search = async (program: string, args: readonly string[], backend: string): Promise<Found> => {
    const found: TextMatch[] = [];
    const confirmer = makeConfirmer();
    const readHit = (hit: RawHit): boolean => {
      const match = confirmHit(hit, root, confirmer, isIncluded);
      if (match !== undefined) found.push(match);
      return found.length <= request.limit;
    };
    const end = await runProgram({
      program,
      args,
      folder: root.folder,
      signal: root.guard.signal,
      read: createHitReader(readHit),
    }).finally(() => confirmer.close());
    if (end.exitCode === 2 && end.stderr.trim() !== '') throw badPattern(request.pattern, end.stderr);
    const matches = found
      .toSorted((a, b) => comparePaths(a.file, b.file) || a.lineNumber - b.lineNumber)
      .slice(0, request.limit);
    return { matches, truncated: found.length > request.limit, backend };
  };
  const ripgrep = await findBinary('rg');
  if (ripgrep !== undefined) {
    const args = await ripgrepArguments(request, root);
    const found = await search(ripgrep, args, 'rg');
    // Threads report in any order. Sorting takes one thread, but it ends at the limit and gives the same first hits every time.
    return found.truncated ? search(ripgrep, ['--sort=path', ...args], 'rg') : found;
  }
  const grep = await findBinary('grep');
  if (grep === undefined)
    throw new ToolFailure(
      'unavailable',
      'Neither ripgrep (rg) nor grep is installed, so text cannot be searched. Install one, for example with: apt-get install ripgrep',
    );
  return search(grep, grepArguments(request, root), 'grep');
}

function checkPattern(pattern: string): void {
  if (pattern === '')
    throw new ToolFailure(
      'invalid_input',
      'The pattern is empty and would match every line. Give the text to look for.',
    );
  if (pattern.includes('\n') || pattern.includes('\0'))
    throw new ToolFailure(
      'invalid_input',
      'The pattern contains a line break or NUL, but lines are searched one by one. Search for a part that stands on one line.',
    );
}

function compileInclude(include: string | undefined): (path: string) => boolean {
  if (include === undefined) return () => true;
  const isMatch = compileGlob(include);
  if (isMatch === undefined)
    throw new ToolFailure('invalid_input', 'The glob for files has too many alternatives in braces. Use fewer.');
  return isMatch;
}

function confirmHit(
  hit: RawHit,
  root: SearchRoot,
  confirmer: HitConfirmer,
  isIncluded: (path: string) => boolean,
): TextMatch | undefined {
  const name = hit.path.toString('utf8');
  if (root.fileName === undefined && !isIncluded(name)) return undefined;
  const realPath = root.realPathOf(name);
  if (!root.guard.mayVisit(realPath, root.located)) return undefined;
  const line = confirmer.confirm(hit.path.equals(Buffer.from(name)) ? realPath : root.rawPathOf(hit.path), hit);
  return line === undefined
    ? undefined
    : { file: root.shown(realPath), lineNumber: hit.lineNumber, line: cutLine(line) };
}

function cutLine(line: Buffer): string {
  const text = line.toString('utf8').replace(/\r$/, '');
  return text.length > maxLineChars
    ? `${text.slice(0, maxLineChars)} ... [line cut after ${maxLineChars} characters]`
    : text;
}

async function ripgrepArguments(request: GrepRequest, root: SearchRoot): Promise<readonly string[]> {
  const pattern = request.isLiteral === true ? request.pattern : toRustRegex(request.pattern);
  return [
    ...commonArguments(root),
    ...(await ignoreArguments(root, request.honourIgnoreFiles ?? false)),
    ...[
      '--no-heading',
      '--with-filename',
      '--line-number',
      '--byte-offset',
      '--max-columns=2000',
      '--max-columns-preview',
    ],
    ...(request.isLiteral === true ? ['--fixed-strings'] : []),
    request.ignoreCase === true ? '--ignore-case' : '--case-sensitive',
    ...maxCount(request),
    ...['--regexp', pattern, '--', root.fileName === undefined ? '.' : `./${root.fileName}`],
  ];
}

function grepArguments(request: GrepRequest, root: SearchRoot): readonly string[] {
  const posix =
    request.isLiteral === true ? { pattern: request.pattern, ignoreCase: false } : toPosixRegex(request.pattern);
  if (posix === undefined)
    throw new ToolFailure(
      'unavailable',
      `ripgrep is not installed, and grep cannot do everything in the pattern ${request.pattern}. Use a plainer pattern, or install ripgrep (apt-get install ripgrep).`,
    );
  return [
    ...['-r', '-Z', '-n', '-b', '-H', '-I', '-s', '--color=never', '--exclude-dir=.git'],
    // By name only: grep knows no paths here. From the root that leaves out too much rather than read what blocks.
    ...(root.folderRealPath === '/' ? kernelFolders.map((folder) => `--exclude-dir=${folder.slice(1)}`) : []),
    ...(request.isLiteral === true ? ['-F'] : ['-E']),
    ...(request.ignoreCase === true || posix.ignoreCase ? ['-i'] : []),
    ...maxCount(request),
    ...['-e', posix.pattern, '--', root.fileName === undefined ? '.' : `./${root.fileName}`],
  ];
}

function maxCount(request: GrepRequest): readonly string[] {
  const count = request.filesOnly === true ? 1 : request.maxPerFile;
  return count === undefined ? [] : [`--max-count=${count}`];
}

function badPattern(pattern: string, stderr: string): ToolFailure {
  const reason = stderr.trim().replace(/^(?:rg|grep): /, '');
  return new ToolFailure(
    'invalid_input',
    `The pattern ${pattern} is no valid regular expression (RE2 syntax). ${reason}\nTo search for it as plain text, put a backslash before special characters: ${escapeRegex(pattern)}`,
  );
}
