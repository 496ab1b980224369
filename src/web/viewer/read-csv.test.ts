import { expect, test } from 'vitest';
import { endingOf, folderOf, hasPreview, inFolder, lookOf, nameOf } from './kind-of-file.ts';
import { readCsv } from './read-csv.ts';

test('values with separators, quotes and line ends stay whole', () => {
  expect(readCsv('a,"b,""c""\nd"\r\n1,2', ',', 10)).toEqual([
    ['a', 'b,"c"\nd'],
    ['1', '2'],
  ]);
  expect(readCsv('a\tb\n', '\t', 10)).toEqual([['a', 'b']]);
  expect(readCsv('1\n2\n3\n', ',', 2)).toHaveLength(2);
});

test('a file is looked at by the end of its name', () => {
  expect(['/a/B.PNG', 'x.tar.gz', '.html', 'README'].map(lookOf)).toEqual(['image', 'text', 'text', 'text']);
  expect([endingOf('/a.b/c'), endingOf('d.MD'), nameOf('/a/b'), folderOf('/a'), inFolder('/', 'a')]).toEqual([
    ...['', 'md', 'b', '/', '/a'],
  ]);
  expect(['a.stl', 'a.ts'].map(hasPreview)).toEqual([true, false]);
});
