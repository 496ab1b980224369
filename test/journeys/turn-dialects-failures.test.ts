/** Providers in trouble, in each dialect: what is repeated, what is said, and that the conversation outlives it. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { dialectNames, key, services } from '../kit/dialect-client.ts';
import type { Turn } from '../kit/model-server.ts';
import { createTurnJourney, eventsOf, expectAccepted, expectAnswer, sentText, turnEnd } from '../kit/turn-journey.ts';

const longText = 'The heron stands in the reeds and waits for a very long time indeed.';

describe.each(dialectNames)('handrail ask with %s', (dialect) => {
  test('repeats a request whose stream was cut half-way, and shows no half answer twice', async () => {
    const cut: Turn = { text: longText, chunkChars: 8, cut: 'abrupt', cutAfterEvents: 7 };
    const journey = await createTurnJourney(dialect, [cut, { text: longText }]);
    const end = await journey.ask(['Tell me']);
    expectAnswer(journey, end, longText);
    const types = end.events.map(({ type }) => type).filter((type) => type !== 'text-delta');
    expect(types).toEqual(['turn-start', 'model-start', 'model-retry', 'model-end', 'turn-end']);
    expect(eventsOf(end, 'model-retry')[0]?.kind).toMatch(/^(?:incomplete|network)$/u);
    expect(eventsOf(end, 'model-end')[0]?.message.parts).toMatchObject([{ type: 'text', text: longText }]);
    expect(sentText(journey, 1)).toBe(sentText(journey, 0));
  });

  test('runs nothing that came in a stream without its end', async () => {
    const call = { name: 'execute_shell_command', input: { command: 'echo once >> count' } };
    const journey = await createTurnJourney(dialect, [
      { calls: [call], withoutEnd: true },
      { calls: [call] },
      { text: 'Counted.' },
    ]);
    const end = await journey.ask(['Count']);
    expectAnswer(journey, end, 'Counted.');
    expect(journey.read('count')).toBe('once\n');
    expect(eventsOf(end, 'tool-start')).toHaveLength(1);
  });

  test('gives up after the set number of retries, and the conversation goes on', async () => {
    const cut: Turn = { text: longText, chunkChars: 8, cut: 'clean', cutAfterEvents: 7 };
    const journey = await createTurnJourney(dialect, [cut, cut, { text: 'Here again.' }]);
    journey.writeSettings({ limits: { modelRetries: 1 } });
    const end = await journey.ask(['Tell me']);
    expect(end.code).toBe(1);
    expectAccepted(journey);
    expect(journey.server.requests).toHaveLength(2);
    const failed = turnEnd(end);
    expect(failed).toMatchObject({ reason: 'failed', error: { kind: 'incomplete' } });
    expect(failed.error?.message).toMatch(/\S/u);
    expect(await journey.eventsKept(failed.conversationId)).toEqual(end.events);
    const next = await journey.ask(['--conversation', failed.conversationId, 'And now?']);
    expectAnswer(journey, next, 'Here again.');
    expect(sentText(journey, 2)).toMatch(/Tell me.*And now\?/su);
  });

  test('waits as 429 asks, backs off at 529, then goes on', async () => {
    const journey = await createTurnJourney(dialect, [
      { error: 'rate_limit', headers: { 'retry-after': '1' } },
      { error: 'overloaded', status: 529 },
      { text: 'At last.' },
    ]);
    const end = await journey.ask(['Hello']);
    expectAnswer(journey, end, 'At last.');
    const [slow, busy] = eventsOf(end, 'model-retry');
    expect(slow).toMatchObject({ kind: 'rate_limit', attempt: 1, waitMs: 1_000 });
    expect(busy).toMatchObject({ kind: 'overloaded', attempt: 2 });
    // Half a second, doubled once, give or take a quarter.
    expect(busy?.waitMs).toBeGreaterThanOrEqual(750);
    expect(busy?.waitMs).toBeLessThanOrEqual(1_250);
    const waitedMs = Date.parse(busy?.at ?? '') - Date.parse(slow?.at ?? '');
    expect(waitedMs).toBeGreaterThanOrEqual(990);
  });

  test('says what to do about a conversation that is too long, and does not repeat it', async () => {
    const journey = await createTurnJourney(dialect, [{ error: 'context_overflow' }, { text: 'Shorter is better.' }]);
    const end = await journey.ask(['Read all this']);
    expect(end.code).toBe(1);
    expect(journey.server.requests).toHaveLength(1);
    const { error, conversationId } = turnEnd(end);
    expect(error?.kind).toBe('context_overflow');
    expect(error?.message).toMatch(/too long.*new conversation.*larger window/su);
    const next = await journey.ask(['--conversation', conversationId, 'Then this']);
    expectAnswer(journey, next, 'Shorter is better.');
  });

  test('names the variable of a key that is refused, and the key nowhere', async () => {
    const { keyName } = services[dialect];
    const journey = await createTurnJourney(dialect, [
      { error: 'auth', message: `Incorrect API key provided: ${key}. Get one.` },
      { error: 'auth', message: `Incorrect API key provided: ${key}. Get one.` },
    ]);
    const end = await journey.ask(['Hello']);
    expect(end.code).toBe(1);
    expect(journey.server.requests).toHaveLength(1);
    expect(turnEnd(end).error).toMatchObject({ kind: 'auth', message: expect.stringContaining(keyName) });
    const plain = await journey.run(['ask', 'Hello']);
    expect(plain.code).toBe(1);
    expect(plain.stdout).toBe('');
    expect(plain.stderr).toMatch(new RegExp(`^handrail: [^\\n]*${keyName}[^\\n]*\\n$`, 'u'));
    for (const text of [end.stdout, end.stderr, plain.stderr, ...filesBelow(journey.stateFolder)]) {
      expect(text.includes(key)).toBe(false);
    }
  });
});

function filesBelow(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name));
  return names.filter((name) => statSync(name).isFile()).map((name) => readFileSync(name, 'latin1'));
}
