/** The screen is a fold over the journal. */
import { describe, expect, it } from 'vitest';
import type { EventBody, JournalEvent } from '../../contract/event.ts';
import type { Question } from '../../contract/permission.ts';
import { plainText } from '../show/span.ts';
import { emptyScreen, foldScreen } from './fold-screen.ts';
import { itemLines } from './item-lines.ts';
import { replay } from './replay.ts';
import type { Screen } from './screen.ts';

const usage = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 0, reasoningTokens: 0 };
const decision = { verdict: 'allow', reason: 'r' } as const;
const said = (text: string): EventBody => ({
  type: 'turn-start',
  message: { role: 'user', parts: [{ type: 'text', text }] },
  origin: 'terminal',
});
const start = (callId: string, more: object = {}): EventBody => ({
  type: 'tool-start',
  callId,
  tool: 'grep',
  title: 'Search files',
  summary: callId,
  input: '{}',
  effect: 'read',
  origin: 'model',
  ...more,
});
const end = (callId: string, ok = true, more: object = {}): EventBody => ({
  type: 'tool-end',
  callId,
  tool: 'grep',
  outcome: ok
    ? { ok, text: `result ${callId}` }
    : { ok, text: '', error: { code: 'failed', message: `reason ${callId}` } },
  decision,
  durationMs: 20,
  ...more,
});
const modelEnd = (text: string): EventBody => ({
  type: 'model-end',
  model: 'm',
  message: { role: 'assistant', parts: [{ type: 'text', text }] },
  usage,
  finish: 'answer',
  durationMs: 1,
});
const turnEnd = (more: object = {}): EventBody => ({
  type: 'turn-end',
  reason: 'answer',
  answer: '',
  rounds: 1,
  usage,
  ...more,
});

/** One event a second. */
function events(bodies: readonly EventBody[]): readonly JournalEvent[] {
  return bodies.map((body, at) => ({
    ...body,
    conversationId: 'c',
    turnId: 't',
    seq: at + 1,
    at: new Date(at * 1000).toISOString(),
  }));
}

const screenOf = (...bodies: readonly EventBody[]): Screen => events(bodies).reduce(foldScreen, emptyScreen);
const printed = (screen: Screen): string =>
  screen.items
    .flatMap((item) => itemLines(item, 60))
    .map(plainText)
    .join('\n');

describe('the fold from events to the screen', () => {
  it('a turn is its message, its text, its steps and its end', () => {
    const screen = screenOf(
      said('hello\nthere'),
      { type: 'model-start', model: 'm', round: 1 },
      { type: 'reasoning-delta', text: 'hm' },
      { type: 'text-delta', text: 'I ' },
      { type: 'text-delta', text: 'look.' },
      modelEnd('I look.'),
      start('a'),
      end('a'),
      turnEnd(),
    );
    expect(printed(screen)).toBe(
      '\n› hello\n  there\n\nThought for 1.0 s\n\nI look.\n\n✓ Search files  a  0.02 s\n│ result a\n\n0:08 · 1 step · 15 tokens',
    );
    expect(screen.turn).toBeUndefined();
    expect(screen.contextTokens).toBe(15);
  });

  it('an answer that came without deltas is shown from its end, and never twice', () => {
    expect(printed(screenOf(said('x'), { type: 'model-start', model: 'm', round: 1 }, modelEnd('whole')))).toContain(
      'whole',
    );
    const twice = printed(
      screenOf(
        said('x'),
        { type: 'model-start', model: 'm', round: 1 },
        { type: 'text-delta', text: 'whole' },
        modelEnd('whole'),
      ),
    );
    expect(twice.match(/whole/g)).toHaveLength(1);
  });

  it('[K67] calls that run together wait side by side and are printed in source order', () => {
    const running = screenOf(said('x'), start('a'), start('b'), end('b'));
    expect(running.calls.map((call) => [call.callId, call.status])).toEqual([
      ['a', 'running'],
      ['b', 'done'],
    ]);
    expect(printed(running)).not.toContain('result b');
    const text = printed(screenOf(said('x'), start('a'), start('b'), end('b'), end('a', false)));
    expect(text.indexOf('reason a')).toBeLessThan(text.indexOf('result b'));
    expect(text).toContain('✗ Search files  a');
  });

  it('a question turns its step amber, and the answer stays with it', () => {
    const question: Question = {
      id: 'q',
      callId: 'a',
      conversationId: 'c',
      tool: 'grep',
      title: 't',
      summary: '',
      reason: '',
      input: '',
      accesses: [],
      isDangerous: false,
      scopes: ['once'],
      hash: '',
    };
    const asked: readonly EventBody[] = [said('x'), start('a'), { type: 'permission-ask', question }];
    expect(screenOf(...asked).calls[0]?.status).toBe('asking');
    const answered = (answer: 'allow' | 'deny'): EventBody => ({
      type: 'permission-answer',
      questionId: 'q',
      callId: 'a',
      answer: answer === 'allow' ? { verdict: 'allow', scope: 'once' } : { verdict: 'deny' },
      origin: 'terminal',
    });
    expect(printed(screenOf(...asked, answered('allow'), end('a')))).toContain('0.02 s · allowed once');
    const denied = { outcome: { ok: false, text: '', error: { code: 'denied', message: 'Not done: you said no.' } } };
    expect(printed(screenOf(...asked, answered('deny'), end('a', false, denied)))).toContain(
      '✗ Search files  a  denied by you',
    );
  });

  it('only the last line of progress is kept, however much there was', () => {
    const screen = screenOf(said('x'), start('a'), {
      type: 'tool-progress',
      callId: 'a',
      text: `${'x'.repeat(1_000_000)}\nnearly done\n\n`,
    });
    expect(screen.calls[0]?.progress).toBe('nearly done');
  });

  it('a retry says that what was streamed does not count', () => {
    const text = printed(
      screenOf(
        said('x'),
        { type: 'model-start', model: 'm', round: 1 },
        { type: 'text-delta', text: 'half' },
        { type: 'model-retry', kind: 'overloaded', message: 'Overloaded.', attempt: 2, waitMs: 1500 },
        { type: 'text-delta', text: 'whole' },
        modelEnd('whole'),
        turnEnd(),
      ),
    );
    expect(text).toContain(
      '↻ Overloaded. Trying again in 1.5 s (attempt 2). What the\n  model had said so far does not count.',
    );
    expect(text).toContain('whole');
  });

  it('each way a turn can end has its words', () => {
    expect(printed(screenOf(said('x'), turnEnd({ reason: 'stopped' })))).toContain('Stopped by you · 0:01');
    expect(
      printed(
        screenOf(said('x'), turnEnd({ reason: 'failed', error: { kind: 'auth', message: 'The key was refused.' } })),
      ),
    ).toContain('✗ The key was refused.');
    expect(printed(screenOf(said('x'), start('a'), turnEnd({ reason: 'stopped' })))).toContain(
      'Search files  a  cut off',
    );
  });

  it('what a person typed is a line of its own, with all of its result', () => {
    const lines = Array.from({ length: 30 }, (_, at) => `line ${at}`).join('\n');
    const call = { tool: 'execute_shell_command', input: '{"command":"ls"}', origin: 'user' };
    const text = printed(screenOf(start('a', call), end('a', true, { outcome: { ok: true, text: lines } })));
    expect(text).toContain('› !ls');
    expect(text).toContain('line 29');
    const byModel = printed(screenOf(start('a'), end('a', true, { outcome: { ok: true, text: lines } })));
    expect(byModel).toContain('│ … 26 more lines · /show prints all');
  });

  it('the same events give the same screen, and the end of a long conversation is replayed', () => {
    const many = events(
      Array.from({ length: 100 }, (_, at) => [said(`message ${at}`), modelEnd(`answer ${at}`), turnEnd()]).flat(),
    );
    const { screen, said: texts, isOpen } = replay(many, (item) => (item.kind === 'user' ? item.text : undefined));
    expect(texts).toHaveLength(100);
    expect(isOpen).toBe(false);
    expect(printed(screen)).toMatch(/… 7\d earlier messages/);
    expect(printed(screen)).toContain('answer 99');
    expect(replay(many.slice(0, -1), () => undefined).isOpen).toBe(true);
  });
});
