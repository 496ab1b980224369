/** Kills the real program in the middle of a turn, goes on as a user would, and looks that nothing was lost or done twice. */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import type { JournalEvent } from '../../src/contract/event.ts';
import { answer, said, scriptOf } from './kill-journeys.ts';
import type { KillJourney } from './kill-journeys.ts';
import { createTurnJourney, eventsOf, expectAnswer } from './turn-journey.ts';
import type { TurnJourney } from './turn-journey.ts';

const loader = path.resolve(import.meta.dirname, '../fixtures/end-at-event.mjs');
const ask = ['--approve', 'all', '--conversation', 'kept'];
const resume = ['--continue'];

/** Around the writing of an event, counted in the process that is killed, or after so many milliseconds. */
export type Point = { readonly when: 'before' | 'after' | 'milliseconds'; readonly place: number };

async function begin(journey: KillJourney): Promise<TurnJourney> {
  const world = await createTurnJourney(journey.dialect, scriptOf(journey));
  if (journey.settings !== undefined) world.writeSettings(journey.settings);
  for (const { said: words, answer: given } of journey.before ?? []) {
    expectAnswer(world, await world.ask([...ask, words]), given);
  }
  return world;
}

/** How many events the turn writes when nobody kills it. */
export async function countEvents(journey: KillJourney): Promise<number> {
  const world = await begin(journey);
  const end = await world.ask([...ask, said]);
  expectAnswer(world, end, answer);
  await endJobs(world);
  return end.events.length;
}

/** Kills the program at the point; false when the turn was over before. */
async function killAt(world: TurnJourney, { when, place }: Point, words: readonly string[]): Promise<boolean> {
  const live = world.startAsk([...ask, ...words], { env: when === 'milliseconds' ? {} : endAt(when, place) });
  const timer = when === 'milliseconds' ? setTimeout(() => live.kill('SIGKILL'), place) : undefined;
  const end = await live.ended;
  clearTimeout(timer);
  await world.untilQuiet().catch(() => endJobs(world));
  return end.signal === 'SIGKILL';
}

const endAt = (when: string, place: number) => ({
  NODE_OPTIONS: `--import=${pathToFileURL(loader).href}`,
  END_AT_EVENT: `${when}:${place}`,
});

async function endJobs(world: TurnJourney): Promise<void> {
  await world.run(['jobs', 'stop-all']);
  await world.untilQuiet();
}

/** As a user would: goes on with the turn, or says it again when the program had not even taken it down. */
async function goOn(world: TurnJourney): Promise<void> {
  const { wasTaken, isOver } = lookAt(readKept(world));
  if (!isOver) expectAnswer(world, await world.ask([...ask, ...(wasTaken ? resume : [said])]), answer);
}

/** Past the program, which would take its time for it. */
function readKept(world: TurnJourney): readonly JournalEvent[] {
  const file = path.join(world.stateFolder, 'handrail.sqlite');
  if (!existsSync(file)) return [];
  using database = new DatabaseSync(file);
  const tables = database.prepare("select name from sqlite_master where name = 'events'").all();
  if (tables.length === 0) return [];
  const rows = database.prepare("select seq, body from events where conversation_id = 'kept' order by seq").all();
  return rows.map(({ seq, body }) => ({ ...(JSON.parse(String(body)) as JournalEvent), seq: Number(seq) }));
}

function lookAt(events: readonly JournalEvent[]): { readonly wasTaken: boolean; readonly isOver: boolean } {
  const wasTaken = eventsOf({ events }, 'turn-start').some(({ message }) => textOf(message) === said);
  return { wasTaken, isOver: wasTaken && events.at(-1)?.type === 'turn-end' };
}

const textOf = (message: Extract<JournalEvent, { type: 'turn-start' }>['message']): string =>
  message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');

function expectWhole(world: TurnJourney, journey: KillJourney, events: readonly JournalEvent[]): void {
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_each, at) => at + 1));
  const starts = eventsOf({ events }, 'turn-start').filter(({ message }) => textOf(message) === said);
  expect(starts).toHaveLength(1);
  expect(events.at(-1)).toMatchObject({ type: 'turn-end', reason: 'answer', answer });
  const called = eventsOf({ events }, 'model-end').flatMap(({ message }) =>
    message.parts.filter((part) => part.type === 'call').map((part) => part.callId),
  );
  const ended = eventsOf({ events }, 'tool-end').map(({ callId }) => callId);
  expect(ended.toSorted()).toEqual(called.toSorted());
  for (const name of journey.counters) expectOnce(world, name, events);
}

/** Once, or not at all, but then the model was told that nobody knows. */
function expectOnce(world: TurnJourney, name: string, events: readonly JournalEvent[]): void {
  const file = path.join(world.workspace, name);
  if (existsSync(file)) return expect(world.read(name)).toBe('once\n');
  const starts = eventsOf({ events }, 'tool-start').filter(({ input }) => input.includes(name));
  const ends = eventsOf({ events }, 'tool-end').filter(({ callId }) => starts.some((each) => each.callId === callId));
  expect(ends.map(({ outcome }) => outcome.error?.code)).toEqual(['unknown']);
}

/** Gives how often it was killed: a turn that is over cannot be. */
export async function killAndGoOn(journey: KillJourney, points: readonly Point[]): Promise<number> {
  const world = await begin(journey);
  let kills = 0;
  for (const point of points) {
    const { wasTaken, isOver } = lookAt(readKept(world));
    if (isOver) break;
    if (await killAt(world, point, wasTaken ? resume : [said])) kills += 1;
  }
  await goOn(world);
  await (journey.hasJobs === true ? endJobs(world) : world.untilQuiet());
  expectWhole(world, journey, readKept(world));
  return kills;
}
