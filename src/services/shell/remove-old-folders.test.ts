import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { isRoot } from '../../../test/kit/ordinary-user.ts';
import { createPipePool } from './pipe-pool.ts';

function folderOf(parent: string, name: string, ageMs: number): string {
  const folder = join(parent, name);
  mkdirSync(folder);
  writeFileSync(join(folder, '0'), '');
  const at = (Date.now() - ageMs) / 1000;
  utimesSync(folder, at, at);
  return folder;
}

it('folders of pipes that a killed program left are taken away with the next ones, and nothing else is', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'handrail-old-'));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  const left = [folderOf(parent, 'handrail-pipes-a', 120_000), folderOf(parent, 'handrail-pipes-b', 600_000)];
  const kept = [folderOf(parent, 'handrail-pipes-new', 5_000), folderOf(parent, 'other-pipes', 600_000)];
  if (isRoot) {
    const other = folderOf(parent, 'handrail-pipes-of-another', 600_000);
    chownSync(other, 65_534, 65_534);
    kept.push(other);
  }
  const link = join(parent, 'handrail-pipes-link');
  symlinkSync(kept[1] ?? '', link);
  const pool = createPipePool(parent);
  onTestFinished(() => pool.close());
  const pipes = await pool.take(2, { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 });
  expect(pipes).toHaveLength(2);
  await expect.poll(() => left.filter((folder) => existsSync(folder))).toEqual([]);
  expect(kept.filter((folder) => existsSync(join(folder, '0')))).toEqual(kept);
  expect(existsSync(link)).toBe(true);
  pool.release(pipes);
});
