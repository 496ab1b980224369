import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { canary, createFileWorld, type FileWorld, type FileWorldOptions } from '../../../test/kit/file-world.ts';
import { ToolFailure } from '../../contract/failure.ts';
import { soak } from '../../../test/kit/soak.ts';

const flipper = join(import.meta.dirname, '../../../test/fixtures/files/flip-folder.mjs');
const attempts = soak(2_000);
let running: { readonly world: FileWorld; readonly child: ChildProcess } | undefined;

afterEach(async () => {
  if (running === undefined) return;
  const { child, world } = running;
  running = undefined;
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  world.remove();
});

async function startFlipping(options: FileWorldOptions = {}): Promise<FileWorld> {
  const world = createFileWorld(options);
  world.put('workspace/flip/secret.txt', 'inside');
  world.put('workspace/flip/deep/kept.txt', 'inside');
  world.put('outside/deep/kept.txt', canary);
  const child = fork(flipper, [world.workspace, world.outside], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [],
  });
  running = { world, child };
  await once(child, 'message');
  return world;
}

/** What came of one operation: `ok`, the content read, or the code of an expected failure. */
async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    const result = (await work) as { readonly bytes?: Buffer };
    return result.bytes?.toString() ?? 'ok';
  } catch (error) {
    if (error instanceof ToolFailure) return error.code;
    throw error;
  }
}

describe('a link planted between check and use', () => {
  it(
    `[A20] leaks nothing in ${attempts} reads and lets nothing out in as many writes`,
    async () => {
      const world = await startFlipping();
      const { files } = await world.grant();
      const seen = new Map<string, number>();
      const count = (outcome: string): void => void seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
      // On a busy machine one side may rarely be met: then it goes on until both were.
      const wasMet = (): boolean => seen.has('denied') && seen.has('inside');
      for (let index = 0; index < attempts || (!wasMet() && index < 20 * attempts); index += 1) {
        count(await outcomeOf(files.read('flip/secret.txt')));
        if (index % 2 === 0) count(await outcomeOf(files.write('flip/deep/out.txt', Buffer.from('escaped'))));
        else count(await outcomeOf(files.append('flip/new/below.txt', Buffer.from('escaped'))));
        if (index % 100 === 0) count(await outcomeOf(files.list('flip', { recursive: true })));
      }
      expect([...seen.keys()].filter((outcome) => outcome.includes(canary))).toEqual([]);
      expect(readdirSync(world.outside, { recursive: true }).toSorted()).toEqual([
        'deep',
        'deep/kept.txt',
        'secret.txt',
      ]);
      // The race was real: the link was met, and the folder too, and the swapping went on to the end.
      expect(running?.child.exitCode).toBe(null);
      expect(seen.get('denied') ?? 0).toBeGreaterThan(0);
      expect(seen.get('inside') ?? 0).toBeGreaterThan(0);
      expect(
        [...seen.keys()].every((outcome) =>
          ['ok', 'inside', 'denied', 'conflict', 'not_found', 'failed', 'invalid_input'].includes(outcome),
        ),
      ).toBe(true);
    },
    soak(120_000),
  );

  it(
    'twin: without the look at the opened object, a read leaks and a write gets out',
    async () => {
      const world = await startFlipping({ filesParts: { verify: () => true } });
      const { files } = await world.grant();
      const escaped = join(world.outside, 'deep/out.txt');
      let hasLeaked = false;
      for (let index = 0; index < 20_000 && !hasLeaked; index += 1)
        hasLeaked = (await outcomeOf(files.read('flip/secret.txt'))).includes(canary);
      for (let index = 0; index < 20_000 && !existsSync(escaped); index += 1)
        await outcomeOf(files.write('flip/deep/out.txt', Buffer.from('escaped')));
      expect([hasLeaked, existsSync(escaped)]).toEqual([true, true]);
    },
    soak(120_000),
  );

  it(
    '[A20] removing a tree takes nothing of what a link in it leads to',
    async () => {
      const world = createFileWorld();
      mkdirSync(join(world.workspace, 'tree/flip/deep'), { recursive: true });
      running = {
        world,
        child: fork(flipper, [join(world.workspace, 'tree'), world.outside], {
          stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
          execArgv: [],
        }),
      };
      for (let index = 0; index < 20; index += 1) {
        world.put(`workspace/copy-${index}/a/b`, 'x');
        const { files } = await world.grant([{ kind: 'path', path: `copy-${index}`, mode: 'delete' }]);
        await files.trash(`copy-${index}`, { recursive: true });
        await outcomeOf(files.copy('tree', `taken-${index}`, { recursive: true }));
        rmSync(join(world.workspace, `taken-${index}`), { recursive: true, force: true });
      }
      expect(readdirSync(world.outside)).toEqual(['secret.txt']);
    },
    soak(60_000),
  );
});
