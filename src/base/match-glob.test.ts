import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileGlob, splitGlob } from './match-glob.ts';

const matches = (pattern: string, path: string, ignoreCase = false): boolean =>
  compileGlob(pattern, { ignoreCase })?.(path) ?? false;

describe('compileGlob', () => {
  it.each([
    ['*.go', 'main.go'],
    ['*.go', 'pkg/foo.go'],
    ['/*.go', 'main.go'],
    ['**/*.md', 'a.md'],
    ['**/*.md', 'x/y/a.md'],
    ['src/**', 'src/a/b'],
    ['src/**/b', 'src/b'],
    ['src/*/b', 'src/x/b'],
    ['a?c', 'abc'],
    ['a?c', 'a😀c'],
    ['[a-c]x', 'bx'],
    ['[!a]x', 'bx'],
    ['[^a]x', 'bx'],
    ['[]]x', ']x'],
    ['[x', '[x'],
    ['{a,b}.ts', 'b.ts'],
    ['{src,test}/**/*.{ts,tsx}', 'test/deep/a.tsx'],
    ['{a,{b,c}}', 'c'],
    ['{a', '{a'],
    [String.raw`\*`, '*'],
    [String.raw`\{a,b}`, '{a,b}'],
    ['*', '.hidden'],
    ['**/x', '.git/x'],
    ['./a/*.b', 'a/x.b'],
    ['a**b', 'axxb'],
    ['*a*b*c*', 'xxaxxbxxcxx'],
    ['**/a/**/b', 'a/x/a/y/b'],
  ])('%s matches %s', (pattern, path) => {
    expect(matches(pattern, path)).toBe(true);
  });

  it.each([
    ['/*.go', 'pkg/foo.go'],
    ['src/*.ts', 'src/a/b.ts'],
    ['src/**', 'src'],
    ['*.ts', 'a.tsx'],
    ['a?c', 'ac'],
    ['./?', 'a/b'],
    ['[!a]x', 'ax'],
    [String.raw`\*`, 'a'],
    ['{a,b}.ts', 'c.ts'],
    ['src/b', 'x/src/b'],
    ['A', 'a'],
    ['', 'a'],
  ])('%s does not match %s', (pattern, path) => {
    expect(matches(pattern, path)).toBe(false);
  });

  it('ignores case when asked to', () => {
    expect(matches('*.PDF', 'Report.pdf', true)).toBe(true);
  });

  it('takes too many alternatives for a mistake', () => {
    expect(compileGlob('{a,b}'.repeat(12))).toBeUndefined();
    expect(compileGlob(`{${'a,'.repeat(300)}b}`)).toBeUndefined();
  });

  it('[E12] takes time in proportion, whatever the pattern', () => {
    const started = performance.now();
    expect(matches('*a'.repeat(500), `${'a'.repeat(250)}b`)).toBe(false);
    expect(matches(`${'**/a/'.repeat(200)}b`, `${'a/'.repeat(1000)}c`)).toBe(false);
    expect(performance.now() - started).toBeLessThan(2000);
  });

  it('never throws, and what is escaped matches itself', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (pattern, path) => {
        compileGlob(pattern)?.(path);
      }),
    );
    fc.assert(
      fc.property(fc.stringMatching(/^[^/\0]{1,20}$/), (name) => {
        fc.pre(name !== '.' && name !== '**');
        expect(matches(name.replaceAll(/[*?[\]{}\\,!^-]/g, String.raw`\$&`), name)).toBe(true);
      }),
    );
  });
});

describe('splitGlob', () => {
  it.each([
    ['*.ts', '', '*.ts'],
    ['src/lib/*.ts', 'src/lib', '*.ts'],
    ['src/a.ts', 'src', 'a.ts'],
    ['/abs/x/**', '/abs/x', '**'],
    ['/*', '/', '*'],
    ['a/{b,c}/d', 'a', '{b,c}/d'],
  ])('%s begins in %s', (pattern, folder, rest) => {
    expect(splitGlob(pattern)).toEqual({ folder, rest });
  });
});
