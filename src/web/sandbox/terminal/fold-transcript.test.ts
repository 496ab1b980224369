import { expect, test } from 'vitest';
import type { EventBody, JournalEvent } from '../../../contract/event.ts';
import { foldTranscript, plainText } from './fold-transcript.ts';

const isShell = (tool: string): boolean => tool === 'sh';
const journal = (...bodies: readonly EventBody[]): readonly JournalEvent[] =>
  bodies.map((body, at) => ({
    ...body,
    conversationId: 'c',
    turnId: 't',
    seq: at + 1,
    at: '2026-11-22T09:00:00.000Z',
  }));

const start = (callId: string, command: string, origin: 'model' | 'user' = 'model', tool = 'sh'): EventBody => ({
  ...{ type: 'tool-start', callId, tool, title: 'Run', summary: command, effect: 'once', origin },
  input: JSON.stringify({ command }),
});
const line = (callId: string, text: string, stream: 'stdout' | 'stderr' = 'stdout'): EventBody => ({
  ...{ type: 'tool-progress', callId, text, stream },
});
const end = (callId: string, stdout: string, stderr = '', exitCode = 0): EventBody =>
  ({
    ...{ type: 'tool-end', callId, tool: 'sh', durationMs: 1, decision: { verdict: 'allow', reason: '' } },
    outcome: { ok: true, text: '', view: { kind: 'terminal', command: '', stdout, stderr, exitCode } },
  }) as EventBody;

test('[S13] [S31] commands are echoed, lines come as they are printed, by stream, and the code ends them', () => {
  const running = foldTranscript(
    [],
    journal(start('1', 'make'), line('1', 'a\n'), line('1', 'b\n'), line('1', 'no\n', 'stderr')),
    isShell,
  );
  expect(running).toMatchObject([{ command: 'make', state: 'running', isTyped: false }]);
  expect(running[0]?.pieces).toEqual([
    { stream: 'stdout', text: 'a\nb\n' },
    { stream: 'stderr', text: 'no\n' },
  ]);
  const over = foldTranscript(running, journal(end('1', 'a\nb\n', 'no\n', 2)), isShell);
  expect(over).toMatchObject([{ state: 'ended', exitCode: 2, pieces: running[0]?.pieces }]);
});

test('from the journal alone, without its pieces, the whole is there; other tools are not', () => {
  const events = journal(start('1', 'ls', 'user'), start('2', 'x', 'model', 'read'), end('1', 'out', 'err'));
  expect(foldTranscript([], events, isShell)).toMatchObject([
    {
      command: 'ls',
      isTyped: true,
      pieces: [
        { stream: 'stdout', text: 'out' },
        { stream: 'stderr', text: 'err' },
      ],
    },
  ]);
});

test('[S08] about the last 10,000 characters are kept, whatever was printed', () => {
  const many = Array.from({ length: 50 }, (_, at) => [start(`${at}`, `c${at}`), end(`${at}`, 'x'.repeat(999))]).flat();
  const kept = foldTranscript(
    [],
    journal(...many, start('big', 'big'), end('big', `${'y'.repeat(9_000)}end`)),
    isShell,
  );
  const length = kept.flatMap(({ pieces }) => pieces).reduce((sum, { text }) => sum + text.length, 0);
  expect(length).toBeGreaterThan(9_500);
  expect(length).toBeLessThanOrEqual(10_000);
  expect(kept.at(-1)?.pieces[0]?.text.endsWith('end')).toBe(true);
});

test('a call that was refused says why, and what a turn leaves open is over with it', () => {
  const denied = {
    ...{ type: 'tool-end', callId: '1', tool: 'sh', durationMs: 1, decision: { verdict: 'deny', reason: 'rule' } },
    outcome: { ok: false, text: '', error: { code: 'denied', message: 'A rule says no.' } },
  } as EventBody;
  const over = { type: 'turn-end', reason: 'stopped', answer: '', rounds: 1, usage: {} } as EventBody;
  expect(foldTranscript([], journal(start('1', 'rm'), denied, start('2', 'make'), over), isShell)).toMatchObject([
    { state: 'refused', note: 'A rule says no.' },
    { state: 'ended', exitCode: null },
  ]);
});

test('colours and titles are taken out, words stay', () => {
  expect(plainText('\u001b[1;31mred\u001b[0m \u001b]0;title\u0007[x] \u001b(B')).toMatch(/^red \[x\] /);
});
