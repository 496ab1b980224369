import { describe, expect, test } from 'vitest';
import { readTyped } from '../base/typed-keys.ts';
import type { TypedState } from '../contract/terminals.ts';
import { plainText, readTypedCommand } from './read-typed.ts';

const context = { cwd: '/work', home: '/home/handrail', workspace: '/work', isSandboxed: true };

type Before = { readonly command?: string; readonly pieces?: readonly string[]; readonly isAtShell?: boolean };

function stateOf({ command = 'bash', pieces = [], isAtShell = true }: Before): TypedState {
  const before = pieces.map((input) => ({ tokens: readTyped(input), wasAtShell: isAtShell }));
  return { command, pieces: before, count: pieces.length, isAtShell, isSandboxed: true };
}

const kindsOf = (input: string, before: Before = {}): string[] => [
  ...new Set(
    readTypedCommand(input, stateOf(before), context)
      .findings.filter((finding) => !finding.insideSandboxOnly)
      .map((finding) => finding.kind),
  ),
];

describe('in a shell', () => {
  test.each([
    ['ls -la<enter>', []],
    ['rm -rf build<enter>', ['removes']],
    ['git commit -m x\n', ['git']],
    ['ls; rm x<enter>', ['removes']],
    ['rm -rf build', []],
    ['<ctrl-c>', []],
    ['<ctrl-z>bg<enter>', []],
    ['q', []],
    ['ls<up><enter>', ['unreadable']],
    ['l<tab><enter>', ['unreadable']],
    ['<ctrl-r>rm<enter>', ['unreadable']],
    ['ls<ctrl-o>', ['unreadable']],
    ['<alt-.>', ['unreadable']],
    ['$(echo rm) x<enter>', ['unreadable']],
    ['git \\<enter>', ['unreadable']],
    ['rm -rf build<ctrl-c>ls<enter>', []],
    ['rm -rf build<enter><ctrl-c>', ['removes']],
    ['', []],
    ['<enter>', []],
  ])('[N08] %j is read as a command when it is sent off', (input, kinds) => {
    expect(kindsOf(input)).toEqual(kinds);
  });

  test('[N08] a command in pieces is read as a whole', () => {
    expect(kindsOf('f build<enter>', { pieces: ['r', 'm -r'] })).toEqual(['removes']);
    expect(kindsOf('ls<enter>', { pieces: ['echo '] })).toEqual([]);
    // A program may have taken the first of them.
    expect(kindsOf('rm x<enter>', { pieces: ['q'] })).toEqual(['removes']);
  });

  test('[N08] what a program in the foreground leaves over is found, wherever it begins', () => {
    expect(kindsOf('qrm -rf x<enter>', { isAtShell: false })).toEqual(['removes']);
    expect(kindsOf('exit()\nrm -rf x\n', { isAtShell: false })).toContain('removes');
    // The twin: at its prompt the shell takes the line as it is.
    expect(kindsOf('qrm -rf x<enter>')).toEqual([]);
    expect(kindsOf(`${'a'.repeat(500)}<enter>`, { isAtShell: false })).toEqual(['unreadable']);
  });

  test('a shell that has gone elsewhere is taken to be anywhere in the workspace', () => {
    expect(kindsOf('rm ../x<enter>')).toEqual(['removes']);
    expect(kindsOf('rm /tmp/x<enter>')).toEqual([]);
  });
});

describe('in a program', () => {
  test.each(['python3', 'python3 -i tool.py', 'vim note.txt', 'less /etc/passwd', 'node'])(
    '[N09] %j has no shell behind it, so its keys are its own',
    (command) => {
      for (const input of ['import os; os.remove("x")<enter>', ':q!<enter>', '<up><enter>', 'rm -rf x<enter>']) {
        expect(kindsOf(input, { command })).toEqual([]);
      }
    },
  );

  test.each(['ssh box', 'python3; bash', 'sudo -s', 'su', 'env bash', 'nosuch', 'docker exec -it x sh'])(
    '[N08] %j may lead to a shell, so its keys are read',
    (command) => {
      expect(kindsOf('rm -rf x<enter>', { command })).toEqual(['removes']);
    },
  );
});

test('as plain text, keys are line ends or nothing', () => {
  expect(plainText('rm x<enter>')).toBe('rm x\n');
});
