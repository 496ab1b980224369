import { expect, test } from 'vitest';
import type { FileEntry } from '../../../contract/person-files.ts';
import { foldersTo, keyTarget, noTree, rowsOf, withFolder, withOpen } from './fold-tree.ts';

const entry = (path: string, kind: FileEntry['kind'] = 'file'): FileEntry => ({
  ...{ path, kind, name: path.slice(path.lastIndexOf('/') + 1), bytes: 0, modifiedAt: '' },
});
const read = withFolder(
  withFolder(noTree, '/w', { entries: [entry('/w/a', 'folder'), entry('/w/c')], isCut: false }),
  '/w/a',
  { entries: [entry('/w/a/b')], isCut: false },
);

test('a folder shows what is in it while it is open, and a link is no folder', () => {
  expect(rowsOf(read, '/w').map(({ name }) => name)).toEqual(['a', 'c']);
  expect(rowsOf(withOpen(read, '/w/a', true), '/w').map(({ name, level }) => [name, level])).toEqual([
    ['a', 1],
    ['b', 2],
    ['c', 1],
  ]);
  const linked = withFolder(noTree, '/', { entries: [entry('/l', 'link')], isCut: false });
  expect(rowsOf(linked, '/')[0]).toMatchObject({ isFolder: false, isLink: true, place: 1, siblings: 1 });
});

test('keys move as WAI-ARIA says of trees', () => {
  const rows = rowsOf(withOpen(read, '/w/a', true), '/w');
  expect(['ArrowDown', 'End', 'ArrowRight', 'ArrowLeft', 'x'].map((key) => keyTarget(rows, 0, key))).toEqual([
    ...[{ to: 1 }, { to: 2 }, { to: 1 }, 'close', undefined],
  ]);
  expect([keyTarget(rows, 1, 'ArrowLeft'), keyTarget(rows, 2, 'ArrowRight')]).toEqual([{ to: 0 }, undefined]);
  expect(keyTarget(rowsOf(read, '/w'), 0, 'ArrowRight')).toBe('open');
});

test('the way to a file is every folder above it', () => {
  expect(foldersTo('/w', '/w/a/b/c')).toEqual(['/w', '/w/a', '/w/a/b']);
  expect(foldersTo('/w', '/other')).toEqual([]);
});
