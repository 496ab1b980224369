import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makePrivateFolder } from './make-private-folder.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'handrail-folder-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test('makes every missing folder for us alone and leaves the others', () => {
  mkdirSync(join(folder, 'a'), { mode: 0o755 });
  for (let time = 0; time < 2; time += 1) makePrivateFolder(join(folder, 'a', 'b', 'c'));
  expect(['a', 'a/b', 'a/b/c'].map((name) => modeOf(join(folder, name)))).toEqual(['755', '700', '700']);
});

test('takes a link to a folder, and refuses a file, a link to nothing and what lies below them', () => {
  mkdirSync(join(folder, 'real'));
  symlinkSync(join(folder, 'real'), join(folder, 'link'));
  makePrivateFolder(join(folder, 'link', 'below'));
  expect(modeOf(join(folder, 'real', 'below'))).toBe('700');
  writeFileSync(join(folder, 'file'), '');
  symlinkSync(join(folder, 'nothing'), join(folder, 'dangling'));
  expect(() => makePrivateFolder(join(folder, 'file'))).toThrow('EEXIST');
  expect(() => makePrivateFolder(join(folder, 'file', 'below'))).toThrow('ENOTDIR');
  expect(() => makePrivateFolder(join(folder, 'dangling'))).toThrow('EEXIST');
  expect(() => makePrivateFolder(join(folder, 'dangling', 'below'))).toThrow('EEXIST');
});
