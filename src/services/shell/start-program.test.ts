/** Programs in the sandbox: what is started, what it is given, and what is left of it afterwards. */
import { closeSync, readSync, writeSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { openShellWorld, type ShellWorld } from '../../../test/kit/shell-world.ts';
import { createPipePool, type PipePool } from './pipe-pool.ts';
import { findStartFailure, type ProgramStart, startProgram } from './start-program.ts';

let world: ShellWorld | undefined;
let pool: PipePool | undefined;
afterEach(async () => {
  pool?.close();
  await world?.close();
});

function start(program: readonly [string, ...string[]], more: Partial<ProgramStart> = {}) {
  const opened = (world = openShellWorld());
  const pipes = (pool = createPipePool());
  return startProgram({
    sandbox: opened.sandbox,
    pool: pipes,
    workspace: opened.workspace,
    environment: {},
    shadowed: [],
    cwd: () => opened.workspace,
    program: () => program,
    streams: () => Promise.resolve({ stdout: 'none', stderr: 'none' }),
    ...more,
  });
}

describe('a program in the sandbox', () => {
  it('ends with its own code, and finds the descriptors that it was given from number 4 on', async () => {
    const started = await start(['/bin/bash', '-c', 'read -r -u 4 a; read -r -u 5 b; exit "$a$b"'], {
      handleCount: 2,
      streams: () =>
        Promise.resolve({ stdout: 'none', stderr: 'none', handles: [Buffer.from('1\n'), Buffer.from('7\n')] }),
    });
    expect(await started.program.exited).toEqual({ code: 17, signal: null });
    expect(await started.release()).toEqual([]);
  });

  it('that could not start says why', async () => {
    const started = await start(['/bin/true'], { cwd: () => '/nowhere' });
    await started.program.exited;
    const failure = await findStartFailure(started, (world as ShellWorld).sandbox, () => Promise.resolve(''));
    expect(failure).toMatchObject({ code: 'not_found', message: expect.stringContaining('/nowhere') });
    await started.release();
  });

  it('is asked for its number late without harm: what others have in the pipes by then is theirs', async () => {
    const started = await start(['/bin/true']);
    await started.program.exited;
    const initPid = started.initPid();
    await started.release();
    const pipes = await (pool as PipePool).take(8, { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 });
    for (const pipe of pipes) {
      const [reader, writer] = [pipe.openReader(), pipe.openWriter()];
      writeSync(writer, 'theirs');
      expect(started.initPid()).toBe(initPid);
      expect(readSync(reader, Buffer.alloc(10))).toBe('theirs'.length);
      closeSync(reader);
      closeSync(writer);
    }
    (pool as PipePool).release(pipes);
  });
});
