/** A question shows everything a person needs to decide. */
import { describe, expect, it } from 'vitest';
import type { ResolvedAccess } from '../../contract/access.ts';
import type { Question } from '../../contract/permission.ts';
import { questionParts } from './question-lines.ts';
import { questionTitle } from './question-title.ts';
import { plainText } from './span.ts';

const command = (text: string, more: Partial<Extract<ResolvedAccess, { kind: 'command' }>> = {}): ResolvedAccess => ({
  kind: 'command',
  command: text,
  cwd: '/w',
  isDangerous: false,
  isSandboxed: true,
  heads: [],
  findings: [],
  ...more,
});

function question(more: Partial<Question> = {}): Question {
  return {
    id: 'q',
    callId: 'c',
    conversationId: 'v',
    tool: 'execute_shell_command',
    title: 'Run command',
    summary: 'tidy up',
    reason: 'it removes files',
    input: '{"command":"ls"}',
    accesses: [command('ls')],
    isDangerous: false,
    scopes: ['once'],
    hash: 'h',
    ...more,
  };
}

const all = (asked: Question, width = 80, areBytesShown = false): string => {
  const { why, body, facts } = questionParts(asked, width, areBytesShown);
  return [...why, ...body, ...facts].map(plainText).join('\n');
};

describe('a question', () => {
  it('[E16] shows the summary, the reason, the exact command, the folder and the tool', () => {
    expect(all(question())).toBe('tidy up\nIt removes files.\nls\nin /w · in the sandbox\ntool execute_shell_command');
  });

  it('is titled by what the call touches', () => {
    expect(questionTitle(question())).toBe('Run this command?');
    expect(questionTitle(question({ accesses: [command('ls', { isSandboxed: false })] }))).toBe(
      'Run this command outside any sandbox?',
    );
    expect(questionTitle(question({ accesses: [], title: 'Set alarm' }))).toBe('Set alarm?');
    const path: ResolvedAccess = { kind: 'path', path: 'a', realPath: '/w/a', mode: 'delete', zone: 'workspace' };
    expect(questionTitle(question({ accesses: [path] }))).toBe('Remove this?');
    expect(questionTitle(question({ accesses: [path, command('ls')], title: 'Move' }))).toBe('Move?');
  });

  it('[E24] names the path as given and where it really leads', () => {
    const path: ResolvedAccess = { kind: 'path', path: 'link/x', realPath: '/etc/x', mode: 'write', zone: 'outside' };
    expect(all(question({ accesses: [path] }))).toContain('write link/x is really /etc/x');
    expect(all(question({ accesses: [{ ...path, realPath: '/w/link/x' }] }))).toContain('write link/x is /w/link/x');
  });

  it('[A17] shows every argument, hidden characters, the length and the line count', () => {
    const text = all(
      question({
        input: JSON.stringify({ command: 'ls \u202e\nrm x', env: { LD_PRELOAD: 'evil.so' }, background: true }),
      }),
    );
    expect(text).toContain('command: 9 characters in 2 lines  1 hidden character, shown as');
    expect(text).toContain('1 ls \\u202e\n2 rm x');
    expect(text).toContain('env: {"LD_PRELOAD":"evil.so"}');
    expect(text).toContain('background: true');
  });

  it('[A17] arguments that are no JSON are shown as they are', () => {
    expect(all(question({ input: '{"command": \u0007' }))).toContain('{"command": \\x07');
  });

  it('[A17] a long command is whole', () => {
    const long = Array.from({ length: 300 }, (_, at) => `word${at}`).join(' ');
    const text = all(question({ input: JSON.stringify({ command: long }) }), 60).replaceAll('\n  ', '');
    expect(text).toContain(long);
    expect(text).toContain('2,289 characters');
  });

  it('[E08] a diff stands in the body; the long arguments it was made of come when asked for', () => {
    const preview = {
      kind: 'diff',
      path: 'a',
      added: 1,
      removed: 0,
      lines: [{ kind: 'added', newLine: 1, content: 'x\u200b' }],
    } as const;
    const asked = question({ preview, input: JSON.stringify({ path: 'a', content: 'x\u200b\n' }) });
    expect(all(asked)).toContain(
      'path: a\ncontent: 3 characters, in the diff below · V shows the bytes\na  +1 -0\n1 + x\\u200b',
    );
    expect(all(asked, 80, true)).toContain('1 x\\u200b');
  });
});
