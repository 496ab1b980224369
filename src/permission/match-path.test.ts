/** Path patterns as people write them into settings. */
import { describe, expect, it } from 'vitest';
import { compilePathPattern, type RulePlaces } from './match-path.ts';

const places: RulePlaces = { workspace: '/ws/project', homes: ['/home/me', '/state/home'] };
const covers = (pattern: string, path: string) => compilePathPattern(pattern, places).covers(path);
const touches = (pattern: string, path: string) => compilePathPattern(pattern, places).touches(path);

describe('a pattern', () => {
  it.each([
    // A folder without a wildcard stands for itself and all below it.
    ['/etc', '/etc', true],
    ['/etc', '/etc/passwd', true],
    ['/etc/', '/etc/passwd', true],
    ['/etc/', '/etc', true],
    ['//etc/./x/../', '/etc/passwd', true],
    ['/etc', '/etcetera', false],
    ['/', '/anything', true],
    // Wildcards stay within a name, two of them do not; both match hidden files.
    ['/data/*.csv', '/data/a.csv', true],
    ['/data/*.csv', '/data/x/a.csv', false],
    ['/data/**/*.csv', '/data/x/y/a.csv', true],
    ['/data/**/*.csv', '/data/a.csv', true],
    ['/data/**', '/data/.hidden/a', true],
    ['/data/*', '/data/.env', true],
    ['/data/?.txt', '/data/a.txt', true],
    ['/data/?.txt', '/data/ab.txt', false],
    ['/data/[ab].txt', '/data/b.txt', true],
    ['/data/{a,b}/*', '/data/b/x', true],
    ['/data/{a,b}/*', '/data/c/x', false],
    // Relative ones begin in the conversation's folder.
    ['src', '/ws/project/src/a.ts', true],
    ['./src', '/ws/project/src/a.ts', true],
    ['src/**', '/ws/project/src/a.ts', true],
    ['src/', '/elsewhere/src/a.ts', false],
    ['../other/**', '/ws/other/a', true],
    // `~` is the user's home and the sandbox's own.
    ['~/notes', '/home/me/notes/a.md', true],
    ['~/notes/**', '/state/home/notes/a.md', true],
    ['~', '/home/me/a', true],
    ['~/notes', '/home/you/notes/a.md', false],
    // Paths are what they are: case counts.
    ['/Data', '/data/a', false],
  ])('%s and %s', (pattern, path, expected) => {
    expect(covers(pattern, path)).toBe(expected);
    expect(touches(pattern, path)).toBe(expected);
  });

  it.each([
    ['.env', '/ws/project/.env', true, true],
    ['.env', '/ws/project/a/b/.env', true, true],
    ['*.pem', '/ws/project/a/key.pem', true, true],
    // A name alone forbids everywhere, and allows in the conversation's folder.
    ['.env', '/other/.env', false, true],
    ['*.pem', '/etc/ssl/key.pem', false, true],
    ['.env', '/ws/project/.envrc', false, false],
  ])('a name alone: %s and %s', (pattern, path, isCovered, isTouched) => {
    expect(covers(pattern, path)).toBe(isCovered);
    expect(touches(pattern, path)).toBe(isTouched);
  });
});

describe('a prohibition', () => {
  it('means what lies below whatever matches; an allowance does not', () => {
    expect(touches('/data/*', '/data/x/deep/a')).toBe(true);
    expect(covers('/data/*', '/data/x/deep/a')).toBe(false);
    expect(touches('**/secrets', '/ws/project/a/secrets/b')).toBe(true);
  });

  it('knows a path as the call wrote it', () => {
    expect(touches('src/private', 'src/private/key')).toBe(true);
    expect(touches('src/private', './src/../src/private/key')).toBe(true);
    expect(touches('/ws/project/src', 'src/a')).toBe(true);
  });

  it('that stands for too much forbids everything, and allows nothing', () => {
    const huge = `/data/${'{a,b}'.repeat(12)}`;
    expect(touches(huge, '/anything')).toBe(true);
    expect(covers(huge, '/data/aaaaaaaaaaaa')).toBe(false);
  });
});

it('a folder with wildcards in its own name is only itself', () => {
  const strange = { workspace: '/ws/[a]*', homes: [] };
  expect(compilePathPattern('x', strange).covers('/ws/[a]*/x')).toBe(true);
  expect(compilePathPattern('src/**', strange).covers('/ws/ab/src/x')).toBe(false);
  expect(compilePathPattern('/data/[x]', places).covers('/data/[x]')).toBe(true);
});

it('without a folder of the conversation relative patterns allow nothing', () => {
  const nowhere = { workspace: undefined, homes: [] };
  expect(compilePathPattern('src/**', nowhere).covers('/src/a')).toBe(false);
  expect(compilePathPattern('~/x', nowhere).covers('/x')).toBe(false);
  expect(compilePathPattern('.env', nowhere).touches('/a/.env')).toBe(true);
});

it('a costly pattern costs no time', () => {
  const startedAt = performance.now();
  touches(`/${'**/a*'.repeat(40)}`, `/${'a/'.repeat(400)}b`);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});
