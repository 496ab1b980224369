/** Runs a program to its end and gives what it printed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

export type ProgramEnd = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

export async function runProgram(
  command: string,
  given: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv; readonly input?: string } = {},
): Promise<ProgramEnd> {
  const child = spawn(command, given, { cwd: options.cwd, env: options.env ?? process.env });
  // A program that ends without reading its input breaks the pipe, which is its right.
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.input ?? '');
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, stdout, stderr };
}
