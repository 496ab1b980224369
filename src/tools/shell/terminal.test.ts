import { describe, expect, it } from 'vitest';
import type { ShellResult } from '../../contract/services.ts';
import type { Terminals, TerminalScreen } from '../../contract/terminals.ts';
import tool from './terminal.ts';

const screen: TerminalScreen = {
  ...{ name: 'py', command: 'python3', columns: 80, rows: 24, cursor: { row: 1, column: 4 }, isAlive: true },
  ...{ lines: ['Python 3', '>>>', '', ''], exitCode: null },
};

const result: ShellResult = {
  ...{ exitCode: 4, timedOut: false, cwd: '/work', rung: 'namespaces', durationMs: 1, notes: ['a note'] },
  stdout: { text: 'out\n', truncated: false, totalBytes: 4 },
  stderr: { text: 'err\n', truncated: false, totalBytes: 4 },
};

/** Calls the tool with hands that give `screen`, and tells what they were asked. */
async function call(input: unknown, shown: Partial<TerminalScreen> = {}) {
  const asked: unknown[] = [];
  const give =
    (name: string) =>
    (...args: unknown[]) => {
      asked.push([name, ...args]);
      return Promise.resolve({ ...screen, ...shown });
    };
  const terminals: Terminals = {
    ...{ open: give('open'), send: give('send'), read: give('read'), resize: give('resize') },
    list: () => Promise.resolve([{ ...screen, ...shown }]),
    close: (name) => Promise.resolve(asked.push(['close', name])).then(() => []),
  };
  const shell = { run: (request: unknown) => Promise.resolve(asked.push(['run', request])).then(() => result) };
  const context = {
    signal: new AbortController().signal,
    conversation: { id: 'c', workspace: '/work', isThrowaway: true },
    calledAs: 'terminal',
    emit: () => undefined,
  };
  return { ...(await tool.run(tool.input.parse(input), { shell, terminals }, context)), asked };
}

describe('what it touches', () => {
  const accessOf = (input: unknown) => tool.access(tool.input.parse(input))[0];

  it('[N08] what is run, opened and typed is a command that must be on the list', () => {
    const common = { kind: 'command', isDangerous: false, mustBeListed: true };
    expect(accessOf({ command: 'ls' })).toEqual({ ...common, command: 'ls', cwd: '.' });
    expect(accessOf({ action: 'open' })).toEqual({ ...common, command: 'bash', cwd: '.' });
    expect(accessOf({ action: 'open', command: 'vim x', working_dir: 'a' })).toEqual({
      ...common,
      command: 'vim x',
      cwd: 'a',
    });
    const typed = { action: 'send_input', terminal_name: 't', text: 'rm x<enter>' };
    expect(accessOf(typed)).toEqual({ ...common, command: 'rm x<enter>', typedInto: 't' });
  });

  it('[N09] looking and closing touch nothing, and looking is no repetition', () => {
    for (const action of ['read_screen', 'status', 'list', 'close', 'resize']) {
      expect(accessOf({ action })).toEqual({ kind: 'none' });
    }
    const polls = (action: string) => tool.polls?.(tool.input.parse({ action, command: 'x' }));
    expect(['read_screen', 'status', 'list', 'send_input', 'run'].map(polls)).toEqual([true, true, true, false, false]);
  });
});

describe('the actions', () => {
  it('[N08] run is the default: one command apart from every shell', async () => {
    const { text, data, asked } = await call({ command: 'ls', timeout: 5, working_dir: 'a' });
    expect(asked).toEqual([['run', { command: 'ls', fresh: true, timeoutMs: 5000, workingDir: 'a' }]]);
    expect(text).toBe('out\n[stderr]\nerr\n[exit code 4]\n[note] a note');
    expect(data).toMatchObject({ command: 'ls', exit_code: 4, stdout: 'out\n', stderr: 'err\n' });
    await expect(call({ action: 'run' })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('[N09] open, send_input, read_screen, resize and close go to the terminal of that name', async () => {
    expect(
      (await call({ action: 'open', name: 'py', command: 'python3', columns: 90, rows: 30, wait: 1 })).asked,
    ).toEqual([['open', { name: 'py', command: 'python3', columns: 90, rows: 30, waitMs: 1000 }]]);
    expect((await call({ action: 'open' })).asked).toEqual([['open', { name: 'main' }]]);
    expect((await call({ action: 'send_input', terminal_name: 'py', input: '1+1\n', wait: 0.5 })).asked).toEqual([
      ['send', 'py', '1+1\n', { waitMs: 500 }],
    ]);
    expect((await call({ action: 'read_screen', name: 'py', history: 7 })).asked).toEqual([
      ['read', 'py', { historyLines: 7 }],
    ]);
    expect((await call({ action: 'resize', columns: 100 })).asked).toEqual([
      ['resize', 'main', { columns: 100, rows: 24 }],
    ]);
    expect((await call({ action: 'close', name: 'py' })).asked).toEqual([['close', 'py']]);
    await expect(call({ action: 'send_input' })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('[N09] the screen comes without the blanks below it, with what a reader has to know', async () => {
    const { text, data } = await call({ action: 'read_screen' });
    expect(text).toBe('Python 3\n>>>\n[py: running, 80x24, cursor at row 2, column 5]');
    expect(data).toMatchObject({
      screen: 'Python 3\n>>>',
      alive: true,
      exit_code: null,
      cursor: { row: 1, column: 4 },
    });
    const ended = await call({ action: 'read_screen' }, { isAlive: false, exitCode: 3, history: ['before'] });
    expect(ended.text).toBe('before\nPython 3\n>>>\n[py: ended with exit code 3]');
    expect((await call({ action: 'list' })).text).toBe('py: python3, running');
  });

  it('says when nobody pressed Enter, and only then', async () => {
    const noted = async (input: string) =>
      (await call({ action: 'send_input', input })).text.includes('Enter was not pressed');
    expect(await Promise.all(['1+1', '1+1\n', 'q', '<ctrl-c>', 'ls<enter>', '<esc>ihello'].map(noted))).toEqual([
      ...[true, false, false, false, false, false],
    ]);
  });
});
