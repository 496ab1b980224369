import { expect, it } from 'vitest';
import { createStopRules } from './stop-rules.ts';

const call = (tool: string, input = '{}', polls = false) => ({
  type: 'call' as const,
  callId: 'x',
  tool,
  input,
  polls,
});

it('[K70] ends after the last round that is allowed, and not before', () => {
  const rules = createStopRules(3);
  expect([1, 2, 3].map((round) => rules.afterRound([call('a', `{"round":${round}}`)])?.reason)).toEqual([
    undefined,
    undefined,
    'rounds',
  ]);
});

it('[K71] ends when the same calls come three rounds running, whatever their order and spacing', () => {
  const rules = createStopRules(15);
  expect(rules.afterRound([call('a', '{"x":1,"y":2}'), call('b')])).toBeUndefined();
  expect(rules.afterRound([call('b'), call('a', '{ "y": 2, "x": 1 }')])).toBeUndefined();
  expect(rules.afterRound([call('a', '{"x":1,"y":2}'), call('b')])?.reason).toBe('repeat');
});

it('[K71] ends when two sets of calls alternate', () => {
  const rules = createStopRules(15);
  expect(['a', 'b', 'a', 'b'].map((tool) => rules.afterRound([call(tool)])?.reason)).toEqual([
    undefined,
    undefined,
    undefined,
    'repeat',
  ]);
});

it('[K71] goes on when the arguments differ, and when a job is polled', () => {
  const rules = createStopRules(15);
  for (let round = 0; round < 5; round += 1) expect(rules.afterRound([call('a', `{"n":${round}}`)])).toBeUndefined();
  for (let round = 0; round < 5; round += 1) expect(rules.afterRound([call('poll', '{}', true)])).toBeUndefined();
});

it('[K71] ends when a longer cycle comes for the third time, not for the second', () => {
  const rules = createStopRules(30);
  const reasons = Array.from({ length: 9 }, (_, round) => rules.afterRound([call('abc'[round % 3] ?? '')])?.reason);
  expect(reasons).toEqual([...Array.from({ length: 8 }, () => undefined), 'repeat']);
});

it('[K71] ends when five rounds brought nothing but the same failure, whatever the arguments', () => {
  const rules = createStopRules(15);
  const failing = (round: number, failure: string | undefined) =>
    rules.afterRound([{ ...call('a', `{"n":${round}}`), failure }])?.reason;
  expect([1, 2, 3, 4].map((round) => failing(round, 'no'))).toEqual([undefined, undefined, undefined, undefined]);
  expect(failing(5, undefined)).toBeUndefined();
  expect([6, 7, 8, 9, 10].map((round) => failing(round, 'no')).at(-1)).toBe('repeat');
});

it('twin: five equal successes, five different failures and five rounds of which a part succeeds go on', () => {
  for (const failure of [() => undefined, (round: number) => `no ${round}`]) {
    const rules = createStopRules(15);
    for (let round = 0; round < 8; round += 1)
      expect(rules.afterRound([{ ...call('a', `{"n":${round}}`), failure: failure(round) }])).toBeUndefined();
  }
  const rules = createStopRules(15);
  for (let round = 0; round < 8; round += 1) {
    const failing = { ...call('a', `{"n":${round}}`), failure: 'no' };
    expect(rules.afterRound([failing, call('b', `{"n":${round}}`)])).toBeUndefined();
  }
});

it('twin: without a limit on rounds and repeats nothing would end', () => {
  const rules = createStopRules(Number.POSITIVE_INFINITY);
  const reasons = Array.from({ length: 40 }, (_, round) => rules.afterRound([call('a', `{"n":${round}}`)])?.reason);
  expect(reasons.every((reason) => reason === undefined)).toBe(true);
});
