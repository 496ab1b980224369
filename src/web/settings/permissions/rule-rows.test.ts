import { expect, test } from 'vitest';
import { putRule, removeRule, ruleRows } from './rule-rows.ts';

const none = { deny: [], ask: [], allow: [] };

test('rules stand in the order in which they count, and say when they wait for a yes', () => {
  expect(
    ruleRows({ ...none, allow: ['a', 'b'], deny: ['c'] }, { deny: ['c', 'd'], ask: [], allow: ['a'] }).map(
      ({ list, rule, state }) => `${list} ${rule} ${state}`,
    ),
  ).toEqual(['deny c holds', 'deny d removed', 'allow a holds', 'allow b added']);
});

test('a rule keeps its place when it is changed, moves between lists in one step, and is there only once', () => {
  const written = { ...none, deny: ['a', 'b', 'c'], ask: ['x'] };
  const path = (list: string) => ['permissions', list];
  expect(putRule(written, { list: 'deny', rule: 'z' }, { list: 'deny', rule: 'b' })).toEqual([
    { path: path('deny'), value: ['a', 'z', 'c'] },
  ]);
  expect(putRule(written, { list: 'deny', rule: 'c' }, { list: 'deny', rule: 'b' })).toEqual([
    { path: path('deny'), value: ['a', 'c'] },
  ]);
  expect(putRule(written, { list: 'allow', rule: 'x' }, { list: 'ask', rule: 'x' })).toEqual([
    { path: path('allow'), value: ['x'] },
    { path: path('ask'), value: null },
  ]);
  expect(putRule(written, { list: 'ask', rule: 'x' }, undefined)).toEqual([{ path: path('ask'), value: ['x'] }]);
  expect(removeRule(written, { list: 'deny', rule: 'a' })).toEqual([{ path: path('deny'), value: ['b', 'c'] }]);
});
