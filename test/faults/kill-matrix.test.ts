/** kill -9 around every event of three journeys: whatever was said stays said, and nothing happens twice. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { killJourneys } from '../kit/kill-journeys.ts';
import type { KillJourney } from '../kit/kill-journeys.ts';
import { countEvents, killAndGoOn } from '../kit/kill-world.ts';
import { soak } from '../kit/soak.ts';

const longMs = 1_800_000;

/** Both sides of one event at once: there are two processors. */
async function killAround(journey: KillJourney, place: number, events: number): Promise<void> {
  const sides = ['before', 'after'] as const;
  const tried = await Promise.allSettled(sides.map((when) => killAndGoOn(journey, [{ when, place }])));
  for (const [at, each] of tried.entries()) {
    const words = `${sides[at]} event ${place} of ${events}`;
    if (each.status === 'rejected') throw new Error(`Killed ${words}.`, { cause: each.reason });
    expect(each.value, words).toBe(1);
  }
}

test.each(killJourneys)(
  '[K68] kill -9 at every event of $name loses nothing and does nothing twice',
  async (journey) => {
    const events = await countEvents(journey);
    expect(events).toBeGreaterThan(10);
    for (let place = 1; place <= events; place += 1) await killAround(journey, place, events);
  },
  longMs,
);

test(
  '[K68] kills at any moment, several in one turn, lose nothing and do nothing twice',
  async () => {
    const point = fc.oneof(
      fc.record({ when: fc.constantFrom('before' as const, 'after' as const), place: fc.integer({ min: 1, max: 20 }) }),
      fc.record({ when: fc.constant('milliseconds' as const), place: fc.integer({ min: 0, max: 1_500 }) }),
    );
    const dialect = fc.constantFrom(
      'anthropic' as const,
      'gemini' as const,
      'openai-chat' as const,
      'openai-responses' as const,
    );
    const turn = fc.record({
      journey: fc.constantFrom(...killJourneys),
      dialect,
      points: fc.array(point, { minLength: 1, maxLength: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(turn, async ({ journey, dialect: spoken, points }) => {
        await killAndGoOn({ ...journey, dialect: spoken }, points);
      }),
      { numRuns: soak(20), endOnFailure: true },
    );
  },
  longMs,
);
