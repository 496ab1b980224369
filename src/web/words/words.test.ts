import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { english } from './english.ts';
import { german } from './german.ts';
import { loadWords } from './load-words.ts';
import type { WordKey } from './words.ts';

const gaps = (text: string): readonly string[] => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

test('every text has the same gaps in every language', () => {
  for (const key of Object.keys(english) as WordKey[])
    expect([key, gaps(german[key])]).toEqual([key, gaps(english[key])]);
});

test('numbers take the form and the separators of their language', async () => {
  const words = await Promise.all([loadWords(['fr', 'en-GB']), loadWords(['de-AT'])]);
  expect(words.map((each) => each.language)).toEqual(['en', 'de']);
  expect(words.map((each) => each.counted('steps', 1))).toEqual(['1 step', '1 Schritt']);
  expect(words.map((each) => each.counted('table.all', 1234))).toEqual([
    'Show all 1,234 rows',
    'Alle 1.234 Zeilen zeigen',
  ]);
});

test('a gap is filled with what was given, markup or not, and never read again', async () => {
  const { t } = await loadWords(['en']);
  expect(t('list.deleted', { title: '<b>{title}</b> $&' })).toBe('“<b>{title}</b> $&” was deleted.');
});

test('no text stands in the table for nothing', async () => {
  const folder = path.join(import.meta.dirname, '..');
  const files = (await readdir(folder, { recursive: true })).filter(
    (name) => /\.tsx?$/.test(name) && !/words\/|\.test\./.test(name),
  );
  const code = (await Promise.all(files.map((name) => readFile(path.join(folder, name), 'utf8')))).join('\n');
  // Some are chosen by a kind: `scope.${scope}`.
  const chosen = [...code.matchAll(/t\(`([\w.-]+)\$\{/g)].map((match) => match[1] ?? '');
  const idle = Object.keys(english).filter((key) => {
    const stem = key.replace(/\.(one|many)$/, '');
    return !code.includes(`'${stem}'`) && !chosen.some((each) => stem.startsWith(each));
  });
  expect(idle).toEqual([]);
});
