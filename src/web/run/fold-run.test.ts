import { expect, test } from 'vitest';
import type { EventBody, JournalEvent } from '../../contract/event.ts';
import type { CallOutcome, View } from '../../contract/output.ts';
import type { Question } from '../../contract/permission.ts';
import { foldEvents } from '../chat/fold-screen.ts';
import { emptyScreen } from '../chat/screen.ts';
import { foldRun } from './fold-run.ts';

const usage = { inputTokens: 100, outputTokens: 20 };
const allowed = { verdict: 'allow', reason: 'inside the workspace' } as const;

/** A journal of one conversation, from what happened in it. */
function runOf(turns: readonly (readonly EventBody[])[]) {
  const bodies = turns.flatMap((turn, at) => turn.map((body) => ({ ...body, turnId: `t${at}` })));
  const events = bodies.map(
    (body, at) => ({ ...body, conversationId: 'c', seq: at + 1, at: '2026-01-31T10:00:00Z' }) as JournalEvent,
  );
  return foldRun(foldEvents(emptyScreen, events).turns);
}

const start = (callId: string, input: object = {}): EventBody => ({
  ...{ type: 'tool-start', callId, tool: 'any', title: 'Any', summary: 's', effect: 'once', origin: 'model' },
  input: JSON.stringify(input),
});
const end = (callId: string, view?: View, outcome: Partial<CallOutcome> = {}): EventBody => ({
  ...{ type: 'tool-end', callId, tool: 'any', decision: allowed, durationMs: 1 },
  outcome: { ok: true, text: '', ...(view === undefined ? {} : { view }), ...outcome },
});
const diff = (path: string, added: number, removed: number): View => ({
  kind: 'diff',
  path,
  lines: [],
  added,
  removed,
});
const turnEnd: EventBody = { type: 'turn-end', reason: 'answer', answer: '', rounds: 1, usage, costUsd: 0.25 };
const ask = (callId: string, host: string): EventBody => ({
  type: 'permission-ask',
  question: {
    ...{ id: `q${callId}`, callId, accesses: [{ kind: 'url', url: `https://${host}/`, method: 'GET', host }] },
  } as unknown as Question,
});
const answer = (callId: string, verdict: 'allow' | 'deny'): EventBody => ({
  ...{ type: 'permission-answer', questionId: `q${callId}`, callId, origin: 'web' },
  answer: verdict === 'allow' ? { verdict, scope: 'once' } : { verdict },
});

test('a file that was changed twice stands there once, with both diffs', () => {
  const { files, calls } = runOf([
    [start('1'), end('1', diff('a.ts', 3, 1)), start('2'), end('2', diff('b.ts', 1, 0)), turnEnd],
    [start('3'), end('3', diff('a.ts', 2, 2)), start('4'), end('4', diff('c.ts', 9, 9), { ok: false })],
    [start('5'), end('5', diff('d.ts', 0, 0))],
  ]);
  expect(files.map(({ path, added, removed, diffs }) => [path, added, removed, diffs.length])).toEqual([
    ['a.ts', 5, 3, 2],
    ['b.ts', 1, 0, 1],
  ]);
  expect(calls).toBe(5);
});

test('commands stand with how they ended, and the newest list is the plan', () => {
  const ran = (command: string, exitCode: number | null): View => ({
    ...{ kind: 'terminal', stdout: '', stderr: '' },
    command,
    exitCode,
  });
  const list = (text: string): View => ({ kind: 'checklist', items: [{ text, status: 'open' }] });
  const { commands, plan } = runOf([
    [start('1'), end('1', ran('make', 2)), start('2'), end('2', list('old'))],
    [start('3'), end('3', list('new')), start('4'), end('4', ran('sleep', null), { ok: false })],
  ]);
  expect(commands).toEqual([
    { callId: '1', command: 'make', exitCode: 2 },
    { callId: '4', command: 'sleep', exitCode: null },
  ]);
  expect(plan).toEqual([{ text: 'new', status: 'open' }]);
});

test('a host stands there as it was answered last, and one that needed no question by the address of its call', () => {
  const { hosts, answers } = runOf([
    [start('1'), ask('1', 'a.test'), answer('1', 'deny'), end('1', undefined, { ok: false })],
    [start('2'), ask('2', 'a.test'), answer('2', 'allow'), end('2')],
    [start('3'), ask('3', 'b.test'), answer('3', 'deny'), end('3', undefined, { ok: false })],
    [start('4', { url: 'https://c.test:8443/x' }), end('4'), start('5', { url: 'no address' }), end('5')],
    [start('6', { url: 'https://never.test' }), end('6', undefined, { ok: false }), start('7'), ask('7', 'd.test')],
  ]);
  expect(hosts).toEqual([
    { host: 'a.test', state: 'reached' },
    { host: 'b.test', state: 'denied' },
    { host: 'c.test:8443', state: 'reached' },
    { host: 'd.test', state: 'asks' },
  ]);
  expect(answers.map(({ step, answer: given }) => [step.callId, given.verdict])).toEqual([
    ['1', 'deny'],
    ['2', 'allow'],
    ['3', 'deny'],
  ]);
});

test('what its turn left open does not run; tokens and money are those of all turns', () => {
  const { running, tokens, costUsd } = runOf([
    [start('1'), turnEnd],
    [start('2'), end('2'), turnEnd],
    [start('3'), start('4')],
  ]);
  expect(running.map((step) => step.callId)).toEqual(['3', '4']);
  expect({ tokens, costUsd }).toEqual({ tokens: 240, costUsd: 0.5 });
});

test('nothing has happened yet', () => {
  expect(foldRun([])).toMatchObject({ running: [], files: [], commands: [], hosts: [], plan: [], calls: 0 });
});
