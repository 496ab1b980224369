/** The checks that are programs of their own: compiler, linter, formatter, search for what is unused. */
import { execFile } from 'node:child_process';
import path from 'node:path';

export type ProgramCheck = {
  readonly title: string;
  /** Relative to node_modules. */
  readonly program: string;
  readonly options: readonly string[];
  /** Turns its output into lines `file:line: text`. */
  readonly readOutput: (output: string) => readonly string[];
};

const takeLines = (output: string): string[] => output.split('\n').filter((line) => line.trim() !== '');

/** What follows on further lines explains the first. */
const readCompilerOutput = (output: string): string[] =>
  takeLines(output)
    .filter((line) => !line.startsWith(' '))
    .map((line) => line.replace(/^(\S+?)\((\d+),\d+\): error /, '$1:$2: '));

const typesOf = (title: string, project: string): ProgramCheck => ({
  title,
  program: 'typescript/bin/tsc',
  options: ['-p', project, '--pretty', 'false'],
  readOutput: readCompilerOutput,
});

export const programChecks: readonly ProgramCheck[] = [
  typesOf('types', '.'),
  // A browser has other globals than Node.
  typesOf('types of the web app', 'src/web'),
  {
    title: 'lint',
    program: 'oxlint/bin/oxlint',
    options: ['--type-aware', '--deny-warnings', '--format=unix'],
    readOutput: (output) => takeLines(output).filter((line) => /^\S+:\d+/.test(line)),
  },
  {
    title: 'format',
    program: 'oxfmt/bin/oxfmt',
    options: ['--list-different'],
    readOutput: (output) => takeLines(output).map((line) => `${line}: not formatted (npx oxfmt ${line})`),
  },
  {
    title: 'unused',
    program: 'knip/bin/knip.js',
    options: ['--reporter', 'compact', '--no-progress', '--cache', '--cache-location', '.cache/knip'],
    readOutput: (output) => takeLines(output).filter((line) => !/^(Unused|Unlisted|Unresolved|Duplicate)/.test(line)),
  },
];

/** The problems it found. A program that fails without naming one is a problem itself. */
export function runProgram(root: string, check: ProgramCheck): Promise<readonly string[]> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [path.join(root, 'node_modules', check.program), ...check.options],
      { cwd: root, maxBuffer: 64 * 1024 * 1024, env: { ...process.env, NO_COLOR: '1' } },
      (error, stdout, stderr) => {
        if (error === null) return resolve([]);
        const lines = check.readOutput(stdout);
        resolve(lines.length > 0 ? lines : [`${check.program} failed: ${(stderr || stdout || error.message).trim()}`]);
      },
    );
  });
}
