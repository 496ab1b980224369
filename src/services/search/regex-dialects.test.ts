import { spawnSync } from 'node:child_process';
import { rgPath } from '@vscode/ripgrep';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeRegex, toPosixRegex, toRustRegex } from './regex-dialects.ts';
import { soak } from '../../../test/kit/soak.ts';

const runs = (program: string, args: readonly string[], text: string): boolean | string => {
  const { status, stderr } = spawnSync(program, args, { input: text, encoding: 'utf8' });
  return status === 0 ? true : status === 1 ? false : stderr;
};
const inRust = (pattern: string, text: string): boolean | string =>
  runs(rgPath, ['--no-config', '-q', '-e', toRustRegex(pattern), '-'], text);
const inPosix = (pattern: string, text: string): boolean | string | undefined => {
  const posix = toPosixRegex(pattern);
  return posix && runs('grep', [...(posix.ignoreCase ? ['-i'] : []), '-q', '-E', '-e', posix.pattern], text);
};

describe('RE2 syntax', () => {
  it.each<[pattern: string, text: string, expected: boolean, posix?: 'cannot']>([
    ['func foo\\(\\) {', 'func foo() {', true],
    ['{', 'a{b', true],
    ['a{2}b', 'aab', true],
    ['a{2,}b', 'ab', false],
    ['a{,2}', 'a{,2}', true],
    ['x{y}', 'x{y}', true],
    ['\\d+\\s\\w', '12 a', true],
    ['^\\D+$', 'a1', false],
    ['[[]x', '[x', true],
    ['[[:alpha:]]1', 'a1', true],
    ['[]a]x', ']x', true],
    ['[&&]', '&', true],
    ['(?:ab)+c', 'ababc', true],
    ['(?i)HELLO', 'hello', true],
    ['\\Qa.b(\\Ec', 'a.b(c', true, 'cannot'],
    ['\\Qa.b(', 'axb(', false, 'cannot'],
    ['a*?b', 'aab', true, 'cannot'],
    ['\\pL', 'é', true, 'cannot'],
    ['\\p{Greek}', 'α', true, 'cannot'],
    ['\\x{61}', 'a', true, 'cannot'],
    ['\\.ts$', 'a.ts', true],
    ['a|b', 'xb', true],
    ['\\bword\\b', 'a word here', true],
    ['[\\.\\-]x', '-x', true],
    ['[\\d]x', '1x', true, 'cannot'],
  ])('%s on %s', (pattern, text, expected, posix) => {
    expect(inRust(pattern, text)).toBe(expected);
    expect(inPosix(pattern, text)).toBe(posix === 'cannot' ? undefined : expected);
  });

  it('what is escaped finds itself', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ -~]{1,12}$/), (text) => {
        expect(inRust(escapeRegex(text), text)).toBe(true);
      }),
      { numRuns: soak(60) },
    );
  });

  it('translating never throws and ends', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (pattern) => {
        toRustRegex(pattern);
        toPosixRegex(pattern);
      }),
    );
  });
});
