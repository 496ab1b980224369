/** The nth call of each service fails, for n = 1, 2, … until none is hit: each call has one result, the turn ends, nothing is left. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JournalEvent } from '../../src/contract/event.ts';
import { connect } from '../kit/dialect-client.ts';
import { createFaultWorld, type FaultWorld, type Target } from '../kit/fault-world.ts';
import { startModelServer } from '../kit/model-server.ts';
import type { ModelServer, Turn } from '../kit/model-server.ts';
import type { TurnMaker } from '../kit/model-server/turn.ts';

/** More calls than any target gets in one turn: a bound against a test that never ends. */
const mostCalls = 120;

const call = (name: string, input: object) => ({ name, input });
const shell = (command: string) => call('execute_shell_command', { command });
/** Every hand does something, several of them together, with results that are kept apart for their length. */
const script: readonly (Turn | TurnMaker)[] = [
  {
    text: 'I begin.',
    calls: [
      call('write_file', { path: 'made.txt', content: 'alpha\nbeta\n' }),
      shell('echo from the shell; cd /; export KEPT=yes'),
      shell('seq 1 30000'),
      call('say_much', {}),
    ],
  },
  {
    calls: [
      call('read_file', { path: 'made.txt' }),
      call('edit_file', { path: 'made.txt', oldString: 'beta', newString: 'gamma' }),
      call('search_in_files', { query: 'alpha', path: '.' }),
      call('find_files', { pattern: '*.txt' }),
      call('get_local_time', {}),
    ],
  },
  (body) => ({
    calls: [
      shell('echo $KEPT'),
      // Asks, so that grants are looked for.
      shell('rm -f nothing.txt'),
      call('filesystem', { action: 'list', path: '.' }),
      call('read_artifact', { id: /whole is artifact ([\w-]+)/u.exec(JSON.stringify(body))?.[1] ?? 'none' }),
    ],
  }),
  { text: 'All is done.' },
];

const targets: readonly Target[] = [
  ...(['files', 'search', 'shell', 'artifacts'] as const).map((name) => ({ kind: 'service', name }) as const),
  ...(['conversations', 'events', 'grants', 'spending'] as const).map((name) => ({ kind: 'store', name }) as const),
  { kind: 'model' },
];
const nameOf = (target: Target): string => (target.kind === 'model' ? 'model' : `${target.kind} ${target.name}`);

describe('a turn whose', () => {
  test.each(targets.map((target) => [nameOf(target), target] as const))(
    '%s fails at each of its calls in turn ends well, and the next turn works',
    async (_, target) => {
      let nth = 1;
      while (nth <= mostCalls && (await isHitAndSurvived(target, nth))) nth += 1;
      // Something was there to fail, and the last run was clean.
      expect(nth).toBeGreaterThan(1);
      expect(nth).toBeLessThanOrEqual(mostCalls);
      if (process.env['HANDRAIL_TEST_FIGURES'] === '1') console.log(`${nameOf(target)};${nth - 1}`);
    },
    300_000,
  );
});

/** False when the turn had fewer calls of the target than that: then it was clean. */
async function isHitAndSurvived(target: Target, nth: number): Promise<boolean> {
  const world = createFaultWorld();
  let hasFailed = false;
  await using server = await startModelServer({
    dialect: 'anthropic',
    turns(body, index) {
      if (hasFailed) return { text: 'Going on.' };
      const turn = script[index] ?? { text: 'All is done.' };
      return typeof turn === 'function' ? turn(body, index) : turn;
    },
  });
  const model = connect('anthropic', server.url);
  const end = await world.turn('Work', model, { target, nth }).then(
    ({ summary }) => summary,
    (error: unknown) => error as Error,
  );
  const [hit] = world.lastHit();
  const where = `${nameOf(target)} ${nth}: ${hit ?? 'clean'}`;
  const journal = await world.journal();
  if (hit === undefined) {
    expect(end, where).toMatchObject({ reason: 'answer', answer: 'All is done.' });
    const failed = journal.filter((event) => event.type === 'tool-end' && !event.outcome.ok);
    expect(failed, where).toEqual([]);
  }
  // A database that fails is the one thing that a turn cannot end by itself: the program says so.
  else if (end instanceof Error)
    expect([target.kind, end.message], where).toEqual(['store', expect.stringMatching(/EIO/u)]);
  else expect(end.reason, where).toMatch(target.kind === 'model' ? /failed/u : /answer/u);
  if (!(end instanceof Error)) expectWhole(journal, where);
  hasFailed = true;
  await expectGoesOn(world, server, where);
  return hit !== undefined;
}

/** The conversation is free, its transcript is one that the provider accepts, and no half-written file lies about. */
async function expectGoesOn(world: FaultWorld, server: ModelServer, where: string): Promise<void> {
  const { summary } = await world.turn('And now?', connect('anthropic', server.url));
  expect(summary, where).toMatchObject({ reason: 'answer', answer: 'Going on.' });
  expect(
    server.requests.map(({ problem }) => problem).filter((problem) => problem !== undefined),
    where,
  ).toEqual([]);
  expectWhole(await world.journal(), where);
  const files = readdirSync(world.workspace);
  expect(
    files.filter((name) => name !== 'made.txt'),
    where,
  ).toEqual([]);
  expect(readdirSync(world.root).sort(), where).toEqual(['home', 'state', 'workspace']);
  expect(readdirSync(path.join(world.root, 'home')), where).toEqual([]);
}

/** No gap, each turn closed by one end, and one end for each call that a model made. */
function expectWhole(journal: readonly JournalEvent[], where: string): void {
  expect(
    journal.map(({ seq }) => seq),
    where,
  ).toEqual(journal.map((_event, at) => at + 1));
  const of = (type: JournalEvent['type']) => journal.filter((event) => event.type === type);
  expect(
    of('turn-end').map(({ turnId }) => turnId),
    where,
  ).toEqual(of('turn-start').map(({ turnId }) => turnId));
  const called = journal.flatMap((event) =>
    event.type === 'model-end'
      ? event.message.parts.flatMap((part) => (part.type === 'call' ? [part.callId] : []))
      : [],
  );
  const ended = journal.flatMap((event) => (event.type === 'tool-end' ? [event.callId] : []));
  expect([...ended].sort(), where).toEqual([...called].sort());
}
