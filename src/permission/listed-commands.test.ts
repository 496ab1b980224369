import { describe, expect, test } from 'vitest';
import { hardDenial } from './defaults.ts';
import { findNotListed } from './listed-commands.ts';
import { createAccessResolver, type AccessSources } from './resolve-access.ts';

const context = { cwd: '/work', home: '/home/handrail', workspace: '/work', isSandboxed: true };
const find = (text: string, list: readonly string[] = ['ls', 'git status *']) => findNotListed(text, list, context);

describe('[N08] every command of a chain must be on the list', () => {
  test.each(['ls', 'ls -la sub', '/usr/bin/ls', 'ls; ls -l', 'ls | ls', 'timeout 5 ls', 'git status', 'git status -s'])(
    '%j is',
    (text) => {
      expect(find(text)).toBeUndefined();
    },
  );

  test.each([
    ...['curl x', 'ls; curl x', 'ls && curl x', 'ls | curl x', 'ls & curl x', 'ls\ncurl x', 'ls $(curl x)'],
    ...['ls `curl x`', 'ls <(curl x)', 'find . -exec curl {} +', 'bash -c curl', "sh -c 'ls; curl x'", 'eval curl'],
    ...['timeout 5 curl x', 'env curl', 'xargs curl', 'sudo ls', './ls', '/tmp/ls', 'ls > file', 'ls >> file'],
    ...['PATH=/tmp ls', 'alias ls=curl', 'ls() { curl; }; ls', 'git commit', 'git -c x=y status', '$x', 'ls; $(x)'],
    ...[
      'ls "',
      'if ls; then curl; fi',
      'for a in b; do curl; done',
      'ls\\\n; curl',
      '{ curl; }',
      '(curl)',
      '! curl',
      '',
    ],
  ])('%j is not', (text) => {
    expect(find(text)).toBeDefined();
  });

  test('without a list everything is', () => {
    expect(find('curl x', ['*'])).toBeUndefined();
    expect(find('curl x', ['ls', '*'])).toBeUndefined();
    expect(find('ls', [])).toBe('"ls"');
  });

  test('the answer names what is missing', () => {
    expect(find('ls; curl x')).toBe('"curl x"');
  });
});

describe('the decision', () => {
  const sources = (listed: readonly string[]): AccessSources => ({
    resolvePath: () => Promise.reject(new Error('not asked for')),
    isSandboxed: () => true,
    homePath: '/home/handrail',
    homeFolder: '/home/handrail',
    isAllowedHost: () => false,
    listedCommands: listed,
    typedState: () => Promise.resolve({ command: 'bash', pieces: [], count: 0, isAtShell: true, isSandboxed: false }),
    shellState: () => Promise.resolve(undefined),
  });
  const conversation = { id: 'c', workspace: '/work', isThrowaway: false };
  const denialOf = async (command: string, listed: readonly string[], more: object = { mustBeListed: true }) => {
    const resolve = createAccessResolver(sources(listed));
    return hardDenial(await resolve({ kind: 'command', command, isDangerous: false, ...more }, conversation));
  };

  test('[N08] what is not listed is refused for good, in commands and in what is typed', async () => {
    expect(await denialOf('curl x', ['ls'])).toContain(
      '"curl x" is not covered by the setting terminal.allowedCommands',
    );
    const typed = { mustBeListed: true, typedInto: 'main' };
    expect(await denialOf('curl x<enter>', ['ls'], typed)).toContain('curl');
    expect(await denialOf('ls<up><enter>', ['ls'], typed)).toBeDefined();
    expect(await denialOf('ls<enter>', ['ls'], typed)).toBeUndefined();
  });

  test('[N08] without the list, and for other tools, the same command is not refused', async () => {
    expect(await denialOf('curl x', ['*'])).toBeUndefined();
    expect(await denialOf('curl x', ['ls'], {})).toBeUndefined();
  });

  test('[N08] a terminal that was opened on the machine itself stays there, whatever the settings say by now', async () => {
    const resolve = createAccessResolver(sources(['*']));
    const typed = { kind: 'command', command: 'ls<enter>', isDangerous: false, typedInto: 'main' } as const;
    expect(await resolve(typed, conversation)).toMatchObject({ isSandboxed: false });
    expect(await resolve({ kind: 'command', command: 'ls', isDangerous: false }, conversation)).toMatchObject({
      isSandboxed: true,
    });
  });
});
