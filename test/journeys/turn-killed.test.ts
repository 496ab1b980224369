/** kill -9 at the worst moments, then --continue: nothing is lost, nothing is done twice, and the provider accepts it all. */
import { existsSync, linkSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { dialectNames } from '../kit/dialect-client.ts';
import { findLeftovers } from '../kit/leftovers.ts';
import type { LiveProgram } from '../kit/program.ts';
import type { Turn } from '../kit/model-server.ts';
import { createTurnJourney, eventsOf, expectAccepted, expectAnswer, sentText, turnEnd } from '../kit/turn-journey.ts';
import type { TurnJourney } from '../kit/turn-journey.ts';

const shell = (command: string) => ({ name: 'execute_shell_command', input: { command } });
/** What is left of the effect of each call can be counted afterwards. */
const quick = shell('echo quick >> quick-count; echo quick result');
const slow = shell('echo slow >> slow-count; echo begun; sleep 600; echo survived >> slow-count');
const lines = (journey: TurnJourney, name: string) => journey.read(name).trim().split('\n');

async function kill(journey: TurnJourney, live: LiveProgram): Promise<void> {
  live.kill('SIGKILL');
  const end = await live.ended;
  expect([end.code, end.signal]).toEqual([null, 'SIGKILL']);
  await journey.untilQuiet();
}

/** Killed while `slow` runs, after `quick` has ended. */
async function killedInCommand(dialect: (typeof dialectNames)[number], after: readonly Turn[]): Promise<TurnJourney> {
  const first: Turn = { reasoning: 'Two things.', signature: 'c2lnbmVk', text: 'Both.', calls: [quick, slow] };
  const journey = await createTurnJourney(dialect, [first, ...after]);
  const live = journey.startAsk(['Do both']);
  await live.waitFor('tool-progress', ({ text }) => text.includes('begun'));
  await live.waitFor('tool-end', ({ outcome }) => outcome.text.includes('quick result'));
  await kill(journey, live);
  return journey;
}

function expectNothingTwice(journey: TurnJourney): void {
  expect(lines(journey, 'quick-count')).toEqual(['quick']);
  expect(lines(journey, 'slow-count')).toEqual(['slow']);
  expect(sentText(journey, 1)).toContain('quick result');
  expect(sentText(journey, 1)).toMatch(/unknown whether it had its effect\. Check that first/u);
}

describe.each(dialectNames)('after kill -9, with %s,', (dialect) => {
  test('--continue goes on behind a command whose effect is unknown', async () => {
    const journey = await killedInCommand(dialect, [{ text: 'I shall check.' }]);
    const end = await journey.ask(['--continue']);
    expectAnswer(journey, end, 'I shall check.');
    expectNothingTwice(journey);
    expect(eventsOf(end, 'tool-start')).toEqual([]);
    expect(eventsOf(end, 'tool-end').map(({ outcome }) => outcome.error?.code)).toEqual(['unknown']);
    const kept = await journey.eventsKept(turnEnd(end).conversationId);
    expect(kept.map(({ seq }) => seq)).toEqual(kept.map((_, at) => at + 1));
    expect(new Set(kept.map(({ turnId }) => turnId)).size).toBe(1);
    expect(kept.slice(-end.events.length)).toEqual(end.events);
  });

  test('--continue with a new message closes the old turn first', async () => {
    const journey = await killedInCommand(dialect, [{ text: 'Nothing much.' }, { text: 'Still here.' }]);
    const end = await journey.ask(['--continue', 'what now?']);
    expectAnswer(journey, end, 'Nothing much.');
    expectNothingTwice(journey);
    expect(sentText(journey, 1)).toMatch(/Check that first.*what now\?/su);
    const kept = await journey.eventsKept(turnEnd(end).conversationId);
    const ends = eventsOf({ events: kept }, 'turn-end');
    expect(ends.map(({ reason, error }) => [reason, error?.kind])).toEqual([
      ['failed', 'interrupted'],
      ['answer', undefined],
    ]);
    // The first message, its calls and their results stand before the second message.
    expectAnswer(journey, await journey.ask(['--continue', 'and now?']), 'Still here.');
  });

  test('--continue asks anew for an answer that was cut off while it streamed', async () => {
    const text = 'The heron stands in the reeds and waits for a very long time indeed.';
    const journey = await createTurnJourney(dialect, [{ text, chunkChars: 8, stallAfterEvents: 7 }, { text }]);
    const live = journey.startAsk(['Tell me']);
    await live.waitFor('text-delta');
    await kill(journey, live);
    const end = await journey.ask(['--continue']);
    expectAnswer(journey, end, text);
    // What never was whole was never said: the model is shown the same as before.
    expect(sentText(journey, 1)).toBe(sentText(journey, 0));
  });

  test('--continue does not sit out the rest of a retry', async () => {
    const busy: Turn = { error: 'rate_limit', headers: { 'retry-after': '50' } };
    const journey = await createTurnJourney(dialect, [busy, { text: 'Free again.' }]);
    const live = journey.startAsk(['Hello']);
    await live.waitFor('model-retry');
    await kill(journey, live);
    expectAnswer(journey, await journey.ask(['--continue']), 'Free again.');
    expect(sentText(journey, 1)).toBe(sentText(journey, 0));
  });
});

/** A search that takes many seconds, beside a command that has ended. */
async function startSearch() {
  // Without a fixed word in it: such a word is found so fast that the search is over before the test has looked.
  const pattern = String.raw`[0-9]{3}\pL{4}[0-9]`;
  const journey = await createTurnJourney('openai-responses', [
    { calls: [quick, { name: 'grep', input: { pattern, path: 'tree' } }] },
    { text: 'No heron.' },
  ]);
  // Many names of one file: a tree that is quick to make and slow to search.
  journey.write('tree/book-0.txt', 'neither here nor there 99 '.repeat(40).concat('\n').repeat(8_000));
  const [tree, book] = [path.join(journey.workspace, 'tree'), path.join(journey.workspace, 'tree/book-0.txt')];
  for (let at = 1; at < 3_000; at++) linkSync(book, path.join(tree, `book-${at}.txt`));
  const live = journey.startAsk(['Search']);
  await live.waitFor('tool-end', ({ tool }) => tool === 'execute_shell_command');
  const searchers = () => findLeftovers(journey.root).filter(({ text }) => / \S*\brg /u.test(text));
  await expect.poll(searchers, { timeout: 10_000 }).toHaveLength(1);
  return { journey, live, searcher: searchers()[0]?.pid ?? 0 };
}

function endIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already, as it should.
  }
}

describe('after kill -9', () => {
  test('a search in flight, which changes nothing, is simply made again', async () => {
    const { journey, live, searcher } = await startSearch();
    live.kill('SIGKILL');
    await live.ended;
    endIfAlive(searcher);
    await journey.untilQuiet();
    expect(eventsOf({ events: live.events() }, 'tool-end')).toHaveLength(1);
    for (const name of readdirSync(path.join(journey.workspace, 'tree')).slice(3)) {
      rmSync(path.join(journey.workspace, 'tree', name));
    }
    const end = await journey.ask(['--continue']);
    expectAnswer(journey, end, 'No heron.');
    expect(eventsOf(end, 'tool-start').map(({ tool }) => tool)).toEqual(['grep']);
    expect(eventsOf(end, 'tool-end').map(({ outcome }) => outcome.ok)).toEqual([true]);
    expect(lines(journey, 'quick-count')).toEqual(['quick']);
  });

  test('no search goes on without the program', async () => {
    const { journey, live } = await startSearch();
    await kill(journey, live);
    expect(findLeftovers(journey.root)).toEqual([]);
  });

  test('a resumed turn that is killed too goes on once more', async () => {
    const journey = await killedInCommand('anthropic', [{ calls: [slow] }, { text: 'Enough.' }]);
    const live = journey.startAsk(['--continue']);
    await live.waitFor('tool-progress', ({ text }) => text.includes('begun'));
    await kill(journey, live);
    const end = await journey.ask(['--continue']);
    expectAnswer(journey, end, 'Enough.');
    expect(lines(journey, 'slow-count')).toEqual(['slow', 'slow']);
    expect(sentText(journey, 2).match(/Check that first/gu)).toHaveLength(2);
  });

  test('the model learns of a file that was written before the end came', async () => {
    const write = { name: 'write_file', input: { path: 'made.txt', content: 'made\n' } };
    const journey = await createTurnJourney('gemini', [{ calls: [write, slow] }, { text: 'It is there.' }]);
    const live = journey.startAsk(['Write']);
    await live.waitFor('tool-progress', ({ text }) => text.includes('begun'));
    await live.waitFor('tool-end', ({ tool }) => tool === 'write_file');
    await kill(journey, live);
    rmSync(path.join(journey.workspace, 'made.txt'));
    expectAnswer(journey, await journey.ask(['--continue']), 'It is there.');
    // A finished call is not run again, not even one that could be.
    expect(existsSync(path.join(journey.workspace, 'made.txt'))).toBe(false);
  });

  test('--continue says so when nothing was cut off, and when there is no conversation', async () => {
    const journey = await createTurnJourney('openai-chat', [{ text: 'Done.' }]);
    const none = await journey.run(['ask', '--continue']);
    expect([none.code, none.stdout]).toEqual([2, '']);
    expect(none.stderr).toMatch(/^handrail: There is no earlier conversation in [^\n]+\n$/u);
    expectAnswer(journey, await journey.ask(['Hello']), 'Done.');
    const whole = await journey.run(['ask', '--continue']);
    expect(whole.code).toBe(2);
    expect(whole.stderr).toMatch(/^handrail: [^\n]*no turn that was cut off[^\n]*\n$/u);
    expectAccepted(journey);
  });
});

test('a killed program is told from its sandbox: both are seen while they run', async () => {
  const journey = await createTurnJourney('anthropic', [{ calls: [slow] }]);
  const live = journey.startAsk(['Work']);
  await live.waitFor('tool-progress', ({ text }) => text.includes('begun'));
  const seen = () => findLeftovers(journey.root).map(({ text }) => text);
  expect(seen()).toContainEqual(expect.stringContaining('dist/main.js'));
  // Inside the sandbox neither arguments nor environment name the folder.
  await expect.poll(seen).toContainEqual(expect.stringMatching(/ sleep 600$/u));
  await kill(journey, live);
});
