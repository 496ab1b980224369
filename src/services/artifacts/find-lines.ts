/** The lines of an artifact that match a pattern, found by a program whose time is linear: no pattern of a model runs in V8. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { ToolFailure } from '../../contract/failure.ts';
import type { FindBinary } from '../search/find-binary.ts';
import { toPosixRegex, toRustRegex } from '../search/regex-dialects.ts';
import { runProgram } from '../search/run-program.ts';

/** What is found is paged like the artifact itself; beyond this the pattern tells nothing apart. */
const maxFoundBytes = 5 * 1024 * 1024;

/** Each line with its number, as `12: text`. */
export async function findLines(
  bytes: Buffer,
  pattern: string,
  folder: string,
  id: string,
  findBinary: FindBinary,
  signal: AbortSignal,
): Promise<string> {
  if (pattern === '' || pattern.includes('\n') || pattern.includes('\0'))
    throw new ToolFailure(
      'invalid_input',
      'The pattern is empty or holds a line break; lines are searched one by one. Give a pattern for one line.',
    );
  if (bytes.length === 0) return '';
  const { program, args } = await chooseProgram(pattern, findBinary);
  const chunks: Buffer[] = [];
  let length = 0;
  const read = (chunk: Buffer): boolean => {
    chunks.push(chunk);
    length += chunk.length;
    return length < maxFoundBytes;
  };
  const opened = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    const end = await runProgram({ program, args: [...args, '--', `./${id}`], folder: opened, signal, read });
    if (end.exitCode === 2 && end.stderr.trim() !== '')
      throw new ToolFailure(
        'invalid_input',
        `The pattern ${pattern} is no valid regular expression (RE2 syntax). ${end.stderr.trim()}`,
      );
  } finally {
    await opened.close();
  }
  const text = Buffer.concat(chunks).toString('utf8');
  return text.replaceAll(/^(\d+):/gm, '$1: ');
}

async function chooseProgram(
  pattern: string,
  findBinary: FindBinary,
): Promise<{ readonly program: string; readonly args: readonly string[] }> {
  const ripgrep = await findBinary('rg');
  if (ripgrep !== undefined)
    return {
      program: ripgrep,
      args: [
        '--no-config',
        '--no-messages',
        '--color=never',
        '--text',
        '--no-filename',
        '--line-number',
        '--regexp',
        toRustRegex(pattern),
      ],
    };
  const grep = await findBinary('grep');
  const posix = toPosixRegex(pattern);
  if (grep === undefined || posix === undefined)
    throw new ToolFailure(
      'unavailable',
      'Searching in a kept result needs ripgrep for this pattern. Page through it by offset, or install ripgrep (apt-get install ripgrep).',
    );
  return {
    program: grep,
    args: ['-a', '-h', '-n', '--color=never', ...(posix.ignoreCase ? ['-i'] : []), '-E', '-e', posix.pattern],
  };
}
