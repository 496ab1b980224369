import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findRealPath } from './real-path.ts';
import { soak } from '../../../test/kit/soak.ts';

let root = '';
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-real-')));
  for (const folder of ['work/sub', 'far/deep', 'home/docs']) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'far/file.txt'), 'x');
  writeFileSync(join(root, 'work/own.txt'), 'x');
  symlinkSync(join(root, 'far/deep'), join(root, 'work/link'));
  symlinkSync('link/../file.txt', join(root, 'work/chain'));
  symlinkSync('loop-b', join(root, 'work/loop-a'));
  symlinkSync('loop-a', join(root, 'work/loop-b'));
  symlinkSync(join(root, 'far/not-yet'), join(root, 'work/dangling'));
  symlinkSync('/home/inside/docs', join(root, 'home/inner'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const find = (path: string, keepsLastLink = false) =>
  findRealPath(path, {
    from: join(root, 'work'),
    homePath: '/home/inside',
    homeFolder: join(root, 'home'),
    keepsLastLink,
  });

describe('findRealPath', () => {
  it.each([
    ['own.txt', 'work/own.txt', true],
    ['./sub/../own.txt', 'work/own.txt', true],
    ['link/../file.txt', 'far/file.txt', true],
    ['chain', 'far/file.txt', true],
    ['link/new/thing', 'far/deep/new/thing', false],
    ['dangling', 'far/not-yet', false],
    ['dangling/below', 'far/not-yet/below', false],
    ['missing/../own.txt', 'work/own.txt', false],
    ['own.txt/below', 'work/own.txt/below', false],
    ['~/docs/a', 'home/docs/a', false],
    ['/home/inside/docs', 'home/docs', true],
    ['/home/./inside//docs', 'home/docs', true],
    ['~/inner', 'home/docs', true],
  ])('%s leads to %s', async (path, real, exists) => {
    expect(await find(path)).toEqual({ realPath: join(root, real), exists });
  });

  it('gives up on links that lead to each other', async () => {
    expect(await find('loop-a')).toBeUndefined();
  });

  it('names the link itself when it is asked to, but follows the links before it', async () => {
    expect((await find('chain', true))?.realPath).toBe(join(root, 'work/chain'));
    expect((await find('../work/link', true))?.realPath).toBe(join(root, 'work/link'));
    expect((await find('link/below', true))?.realPath).toBe(join(root, 'far/deep/below'));
  });

  it('takes .. from the private home for the folder above its inside name', async () => {
    expect((await find('~/../x'))?.realPath).not.toBe('/home/inside/x');
    expect((await find('/home/inside/../x'))?.realPath).toBe('/home/x');
  });

  it('[A20] follows the links of /proc to where they lead', async () => {
    expect((await find('/proc/self/root/etc/passwd'))?.realPath).toBe('/etc/passwd');
    expect((await find(`/proc/self/cwd`))?.realPath).toBe(realpathSync(process.cwd()));
  });

  it('[A24] every spelling of what exists leads where the kernel says', async () => {
    const step = fc.constantFrom(
      '.',
      '..',
      '',
      'work',
      'far',
      'link',
      'deep',
      'sub',
      'chain',
      'own.txt',
      'home',
      'docs',
    );
    let seen = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const path = `${root}/${steps.join('/')}`;
        const kernels = realOrMissing(path);
        if (kernels === undefined) return;
        seen += 1;
        expect(await find(path)).toEqual({ realPath: kernels, exists: true });
        // The walk of single steps must agree with the quick way that is taken when everything is there.
        const walked = await findRealPath(path, { from: join(root, 'work'), keepsLastLink: true });
        expect(realOrMissing(walked?.realPath ?? '')).toBe(kernels);
      }),
      { numRuns: soak(500) },
    );
    expect(seen).toBeGreaterThan(20);
  });
});

function realOrMissing(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined; // Not there: nothing to compare with.
  }
}
