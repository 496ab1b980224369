/** Runs the real program before a model that misbehaves, and holds the turn to what every turn has to keep. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { JournalEvent } from '../../../src/contract/event.ts';
import type { WireDialectName } from '../model-server.ts';
import type { RunEnd } from '../program.ts';
import { createTurnJourney, eventsOf, expectAccepted, expectAnswer, turnEnd } from '../turn-journey.ts';
import type { Misbehaviour } from './misbehaviour.ts';

/** A turn that only a time limit ends would take longer. */
const longestTurnMs = 25_000;

export type Burnt = { readonly requests: number; readonly calls: number };

export async function runMisbehaving(misbehaviour: Misbehaviour, dialect: WireDialectName): Promise<Burnt> {
  let isSane = false;
  const journey = await createTurnJourney(dialect, (body, index) => {
    if (isSane) return { text: 'All is well.' };
    return misbehaviour.turn({ dialect, index, offersTools: hasTools(body) });
  });
  journey.write('a.txt', 'line\n'.repeat(40));
  journey.writeSettings(misbehaviour.settings ?? {});
  const startedAt = performance.now();
  const end = await journey.ask(['Read the file']);
  expect(performance.now() - startedAt).toBeLessThan(longestTurnMs);
  expectEnded(end, misbehaviour);
  expectCallsAnswered(end.events);
  expect(existsSync(path.join(journey.workspace, 'harmed'))).toBe(false);
  const requests = journey.server.requests.length;
  const calls = eventsOf(end, 'tool-end').length;
  isSane = true;
  const { conversationId } = turnEnd(end);
  const next = await journey.ask(['--conversation', conversationId, 'Are you well?']);
  expectAccepted(journey);
  expectAnswer(journey, next, 'All is well.');
  return { requests, calls };
}

const hasTools = (body: Record<string, unknown>): boolean => Array.isArray(body['tools']) && body['tools'].length > 0;

/** The last line says how it ended, the exit code agrees, and what is said is for people. */
function expectEnded(end: RunEnd, { reasons, says }: Misbehaviour): void {
  const last = turnEnd(end);
  expect(reasons, JSON.stringify(last)).toContain(last.reason);
  expect([end.code, end.signal]).toEqual([last.reason === 'failed' ? 1 : 0, null]);
  expect(end.stderr).toBe('');
  const said = [last.error?.message ?? '', last.answer, ...eventsOf(end, 'note').map(({ text }) => text)];
  if (says !== undefined) expect(said.join('\n')).toMatch(says);
  if (last.reason === 'failed')
    expect(last.error).toMatchObject({ message: expect.stringMatching(/^\p{Lu}?.{20,1000}[.!?…]$/su) });
  expect(eventsOf(end, 'tool-end').filter(({ outcome }) => outcome.error?.code === 'internal')).toEqual([]);
  for (const text of [last.error?.message ?? '', ...eventsOf(end, 'tool-end').map(({ outcome }) => outcome.text)]) {
    expect(text).not.toMatch(/\n {4}at |\b(?:TypeError|SyntaxError|RangeError|AI_\w+)\b|\[object Object\]/u);
    expect(text).not.toMatch(/Something failed inside/u);
  }
}

/** Every call of every answer has exactly one start and one end, and nothing else has any. */
function expectCallsAnswered(events: readonly JournalEvent[]): void {
  const called = events.flatMap((event) =>
    event.type === 'model-end'
      ? event.message.parts.flatMap((part) => (part.type === 'call' ? [part.callId] : []))
      : [],
  );
  const started = events.flatMap((event) => (event.type === 'tool-start' ? [event.callId] : []));
  const ended = events.flatMap((event) => (event.type === 'tool-end' ? [event.callId] : []));
  expect(new Set(called).size).toBe(called.length);
  expect([...started].sort()).toEqual([...called].sort());
  expect([...ended].sort()).toEqual([...called].sort());
}
