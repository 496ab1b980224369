import { expect, test } from 'vitest';
import fc from 'fast-check';
import type { EventBody, JournalEvent } from '../../contract/event.ts';
import type { Question } from '../../contract/permission.ts';
import { foldEvents, putBefore } from './fold-screen.ts';
import { emptyScreen, type Part, type Step } from './screen.ts';

const usage = { inputTokens: 90, outputTokens: 10, cachedInputTokens: 0, reasoningTokens: 0 };
const start = Date.parse('2026-11-22T10:00:00Z');

/** Events of one turn, a second apart. */
function events(...bodies: readonly EventBody[]): readonly JournalEvent[] {
  return bodies.map((body, at) => ({
    ...body,
    conversationId: 'c',
    turnId: 't',
    seq: at + 1,
    at: new Date(start + at * 1000).toISOString(),
  }));
}

const said = (text: string): EventBody => ({
  type: 'turn-start',
  origin: 'web',
  message: { role: 'user', parts: [{ type: 'text', text }] },
});
const call = (callId: string, origin: 'model' | 'user' = 'model'): EventBody => ({
  type: 'tool-start',
  callId,
  tool: 'look',
  title: 'Look',
  summary: 'at a file',
  input: '{}',
  effect: 'read',
  origin,
});
const callEnd = (callId: string, ok = true, durationMs = 5): EventBody => ({
  type: 'tool-end',
  callId,
  tool: 'look',
  outcome: { ok, text: 'seen' },
  decision: { verdict: 'allow', reason: 'inside the workspace' },
  durationMs,
});
const answer = (text: string): EventBody => ({
  type: 'model-end',
  model: 'm',
  message: { role: 'assistant', parts: [{ type: 'text', text }] },
  usage,
  finish: 'answer',
  durationMs: 1,
});
const turnEnd: EventBody = { type: 'turn-end', reason: 'answer', answer: '', rounds: 1, usage, costUsd: 0.5 };
const delta = (text: string): EventBody => ({ type: 'text-delta', text });

const partsOf = (...bodies: readonly EventBody[]): readonly Part[] =>
  foldEvents(emptyScreen, events(...bodies)).turns[0]?.parts ?? [];
const stepOf = (...bodies: readonly EventBody[]): Step | undefined => {
  const part = partsOf(...bodies).find((each) => each.kind === 'steps');
  return part?.kind === 'steps' ? part.steps[0] : undefined;
};

test('a turn is what was said, what was streamed, and what it took', () => {
  const screen = foldEvents(
    emptyScreen,
    events(said('hello'), delta('Hi '), delta('there'), answer('Hi there'), turnEnd),
  );
  expect(screen.turns).toEqual([
    {
      turnId: 't',
      startedAtMs: start,
      said: { seq: 1, text: 'hello', images: [] },
      parts: [{ kind: 'text', id: 2, text: 'Hi there', isOpen: false }],
      end: { seq: 5, atMs: start + 4000, reason: 'answer', durationMs: 4000, tokens: 100, costUsd: 0.5 },
    },
  ]);
  expect(screen).toMatchObject({ contextTokens: 100, costUsd: 0.5, lastSeq: 5 });
});

test('an answer whose deltas were not loaded is taken from its end', () => {
  expect(partsOf(said('hello'), answer('whole'), turnEnd)).toEqual([
    { kind: 'text', id: 2, text: 'whole', isOpen: false },
  ]);
});

test('a repeated event changes nothing, as after a reconnect', () => {
  const all = events(said('hello'), delta('a'), call('1'), callEnd('1'), delta('b'), turnEnd);
  const once = foldEvents(emptyScreen, all);
  fc.assert(
    fc.property(fc.nat(all.length), fc.nat(all.length), (from, to) => {
      const known = foldEvents(emptyScreen, all.slice(0, Math.max(from, to)));
      expect(foldEvents(foldEvents(known, all.slice(Math.min(from, to))), all)).toEqual(once);
    }),
  );
});

test('calls in a row hang on one rail, and text between them begins another', () => {
  const parts = partsOf(said('go'), call('1'), call('2'), callEnd('2'), callEnd('1'), delta('so'), call('3'));
  expect(parts.map((part) => (part.kind === 'steps' ? part.steps.map((step) => step.callId) : part.kind))).toEqual([
    ['1', '2'],
    'text',
    ['3'],
  ]);
});

const question = { id: 'q', callId: '1', hash: 'h' } as Question;

test('a question waits on its step, and the clock of the step starts with the answer', () => {
  const asked = [said('go'), call('1'), { type: 'permission-ask', question }] as const;
  expect(stepOf(...asked)).toMatchObject({ status: 'asking', question, askedAtMs: start + 2000 });
  const allowed: EventBody = {
    type: 'permission-answer',
    questionId: 'q',
    callId: '1',
    answer: { verdict: 'allow', scope: 'once' },
    origin: 'web',
  };
  expect(stepOf(...asked, allowed)).toMatchObject({ status: 'running', startedAtMs: start + 3000 });
  expect(stepOf(...asked, allowed, callEnd('1', true, 3000))).toMatchObject({ status: 'done', durationMs: 1000 });
});

test('what was streamed before another attempt is void, and the attempt is told', () => {
  const retry: EventBody = { type: 'model-retry', kind: 'overloaded', message: 'busy', attempt: 1, waitMs: 500 };
  expect(partsOf(said('go'), delta('half an ans'), retry, delta('whole'))).toEqual([
    { kind: 'retry', id: 3, message: 'busy', attempt: 1, waitMs: 500 },
    { kind: 'text', id: 4, text: 'whole', isOpen: true },
  ]);
});

test('notes of a model end with its answer and say how long they took', () => {
  const thought: EventBody = { type: 'reasoning-delta', text: 'hm' };
  expect(partsOf(said('go'), thought, thought, delta('yes'))[0]).toEqual({
    kind: 'thought',
    id: 2,
    text: 'hmhm',
    startedAtMs: start + 1000,
    durationMs: 2000,
  });
});

test('a call that the end of its turn found open is lost, and one whose start is not loaded has a line', () => {
  expect(stepOf(said('go'), call('1'), { ...turnEnd, reason: 'stopped' } as EventBody)?.status).toBe('lost');
  expect(stepOf(callEnd('9', false))).toMatchObject({ callId: '9', title: 'look', status: 'failed' });
});

test('a call that a person typed makes a turn without a message', () => {
  const [turn] = foldEvents(emptyScreen, events(call('1', 'user'), callEnd('1'))).turns;
  expect(turn?.said).toBeUndefined();
  expect(turn?.parts).toMatchObject([{ kind: 'steps', steps: [{ isTyped: true, status: 'done' }] }]);
});

test('turns that have not changed stay the same objects, so that they are not drawn again', () => {
  const first = events(said('one'), answer('1'), turnEnd);
  const second = events(said('one'), answer('1'), turnEnd, said('two'), delta('2')).slice(3);
  const before = foldEvents(emptyScreen, first);
  const after = foldEvents(
    before,
    second.map((event) => ({ ...event, turnId: 'u' })),
  );
  expect(after.turns).toHaveLength(2);
  expect(after.turns[0]).toBe(before.turns[0]);
});

test('earlier events put before a screen give what all of them give, and turns that were there stay the same', () => {
  const all = ['a', 'b', 'c', 'd'].flatMap((turnId, at) =>
    events(said(turnId), call(`${turnId}1`), callEnd(`${turnId}1`), answer('done'), turnEnd).map((event) => ({
      ...event,
      turnId,
      seq: at * 5 + event.seq,
    })),
  );
  const whole = foldEvents(emptyScreen, all);
  for (let cut = 0; cut <= all.length; cut += 1) {
    const late = foldEvents(emptyScreen, all.slice(cut));
    const screen = putBefore(late, all.slice(0, cut), all);
    expect(screen.turns).toEqual(whole.turns);
    expect(screen.costUsd).toBe(cut === all.length ? 2 : whole.costUsd);
    const kept = late.turns.filter((turn) => screen.turns.includes(turn)).length;
    expect(kept).toBe(late.turns.length - (cut % 5 === 0 ? 0 : 1));
  }
});
