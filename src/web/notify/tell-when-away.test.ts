import { expect, test } from 'vitest';
import type { Question } from '../../contract/permission.ts';
import { type LiveState, nothingKnown } from '../live/fold-notices.ts';
import { plainLine, startAway, tellAway } from './tell-when-away.ts';

const question = (id: string): Question =>
  ({ id, title: 'Run command', summary: 'rm -rf old', conversationId: 'c1' }) as Question;
const known: LiveState = { ...nothingKnown, isKnown: true };
const at = (nowMs: number) => ({ nowMs, titleOf: (id: string) => `title of ${id}` });

test('[K29] a new question is told once, and withdrawn when it is answered', () => {
  const asking = { ...known, questions: [question('q1')] };
  const first = tellAway(startAway(known, 0), asking, at(0));
  expect(first.tells).toEqual([
    { kind: 'asks', tag: 'asks-q1', title: '', text: 'Run command: rm -rf old', conversationId: 'c1' },
  ]);
  const again = tellAway(first.state, { ...asking, commands: 1 }, at(1));
  expect(again.tells).toEqual([]);
  expect(tellAway(again.state, known, at(2))).toMatchObject({ tells: [], withdrawn: ['asks-q1'] });
});

test('[K29] what was there when the page was opened is no news', () => {
  const snapshot = { ...known, questions: [question('q1')] };
  expect(tellAway(startAway(nothingKnown, 0), snapshot, at(0)).tells).toEqual([]);
});

test('[K29] a run that took long is told when it ends, a short one is not', () => {
  const running = { ...known, running: new Set(['c1']) };
  const begun = tellAway(startAway(known, 0), running, at(1_000)).state;
  expect(tellAway(begun, known, at(30_999)).tells).toEqual([]);
  expect(tellAway(begun, known, at(31_000)).tells).toEqual([
    { kind: 'over', tag: 'over-c1', title: 'title of c1', text: '', conversationId: 'c1' },
  ]);
});

test('[K29] what a call says is told once, with the place where it came up', () => {
  const said = { id: 'n1', title: 'Backup', message: 'Done.', conversationId: 'c2' };
  const first = tellAway(startAway(known, 0), { ...known, said }, at(0));
  expect(first.tells).toEqual([{ kind: 'says', tag: 'says-n1', title: 'Backup', text: 'Done.', conversationId: 'c2' }]);
  expect(tellAway(first.state, { ...known, said, commands: 1 }, at(1)).tells).toEqual([]);
});

test('[K29] text of others is one short line of characters that are seen', () => {
  expect(plainLine('a\nb\u202e\u0007 c', 10)).toBe('a b c');
  expect(plainLine('👍'.repeat(20), 5)).toBe('👍👍👍👍…');
});
