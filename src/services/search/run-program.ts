/** Runs one search program in an open folder and feeds its output to a reader until the reader has enough. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { ToolFailure } from '../../contract/failure.ts';

export type ProgramRun = {
  readonly program: string;
  readonly args: readonly string[];
  /** Where it runs: an open folder, so that nothing swapped in its place wins. */
  readonly folder: FileHandle;
  readonly signal: AbortSignal;
  /** Answers false when it has enough; the program is ended then. Must not throw. */
  read(chunk: Buffer): boolean;
};

export type ProgramEnd = {
  /** Null when it was ended because the reader had enough. */
  readonly exitCode: number | null;
  readonly stderr: string;
};

const maxStderrChars = 4_000;

/** util-linux; on every Debian. */
const setpriv = '/usr/bin/setpriv';

/** When we are killed, the kernel kills the program too (prctl(2), PR_SET_PDEATHSIG): nobody is left to read what it finds. */
function endingWithUs(command: readonly [string, ...string[]]): readonly [string, ...string[]] {
  return existsSync(setpriv) ? [setpriv, '--pdeathsig', 'KILL', '--', ...command] : command;
}

/** No shell, no inherited environment, no configuration. Rejects with the signal's reason when it fires. */
export function runProgram(run: ProgramRun): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    run.signal.throwIfAborted();
    const [program, ...args] = endingWithUs([run.program, ...run.args]);
    const child = spawn(program, args, {
      // Seen from the child between fork and exec, where the descriptor is still open (clone(2), open(2) O_CLOEXEC).
      cwd: `/proc/self/fd/${run.folder.fd}`,
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stderr = '';
    let hasEnough = false;
    const kill = (): void => void child.kill('SIGKILL');
    run.signal.addEventListener('abort', kill, { once: true });
    child.stdout.on('data', (chunk: Buffer) => {
      if (hasEnough || run.read(chunk)) return;
      hasEnough = true;
      kill();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (stderr.length < maxStderrChars) stderr += chunk.toString('utf8');
    });
    child.on('error', (error) => {
      run.signal.removeEventListener('abort', kill);
      reject(
        new ToolFailure(
          'unavailable',
          `Could not start ${run.program}: ${error.message}. Check that it is installed, then repeat the call.`,
          { cause: error },
        ),
      );
    });
    child.on('close', (exitCode) => {
      run.signal.removeEventListener('abort', kill);
      if (run.signal.aborted)
        reject(
          run.signal.reason instanceof Error
            ? run.signal.reason
            : new ToolFailure('cancelled', 'The search was cancelled.'),
        );
      else resolve({ exitCode: hasEnough ? null : exitCode, stderr: stderr.slice(0, maxStderrChars) });
    });
  });
}
