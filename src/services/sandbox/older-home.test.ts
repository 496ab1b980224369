import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openShellWorld } from '../../../test/kit/shell-world.ts';
import { moveOlderHome } from './older-home.ts';

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-home-')));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

it.each(['sandbox/home', 'userland/home', 'userland/root/root'])(
  '[K46] commands find the files of a home that lay in %s',
  async (place) => {
    mkdirSync(join(base, place, '.ssh'), { recursive: true });
    writeFileSync(join(base, place, '.ssh/id'), 'key');
    const world = openShellWorld({ sandbox: { stateFolder: base, homeFolder: join(base, 'home') } });
    expect((await world.run('cat ~/.ssh/id')).stdout.text).toBe('key');
    expect(existsSync(join(base, place))).toBe(false);
    await world.close();
  },
);

it('[K46] a home that is there already is never replaced, and a link is no home', () => {
  mkdirSync(join(base, 'home'));
  mkdirSync(join(base, 'sandbox/home'), { recursive: true });
  writeFileSync(join(base, 'sandbox/home/file'), 'older');
  expect(moveOlderHome(join(base, 'home'))).toBe(false);
  expect(readFileSync(join(base, 'sandbox/home/file'), 'utf8')).toBe('older');
  mkdirSync(join(base, 'other/sandbox'), { recursive: true });
  symlinkSync('/etc', join(base, 'other/sandbox/home'));
  expect(moveOlderHome(join(base, 'other/home'))).toBe(false);
});
