/**
 * kill -9 around every event of three journeys: whatever was said stays said, and nothing happens twice. `npm test` kills on
 * one side of each event, before and after in turns, the soak on both.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { killJourneys } from '../kit/kill-journeys.ts';
import type { KillJourney } from '../kit/kill-journeys.ts';
import { countEvents, killAndGoOn } from '../kit/kill-world.ts';
import { soak, soakAll } from '../kit/soak.ts';

const longMs = 1_800_000;

type Point = { readonly when: 'before' | 'after'; readonly place: number };

function pointsOf(events: number): readonly Point[] {
  const places = Array.from({ length: events }, (_, at) => at + 1);
  const all = places.flatMap((place) => [{ when: 'before', place } as const, { when: 'after', place } as const]);
  return soakAll(all, ({ when, place }) => (when === 'before') === (place % 2 === 1));
}

/** Two at once: there are two processors. */
async function killAtBoth(journey: KillJourney, points: readonly Point[], events: number): Promise<void> {
  const tried = await Promise.allSettled(points.map((point) => killAndGoOn(journey, [point])));
  for (const [at, each] of tried.entries()) {
    const words = `${points[at]?.when} event ${points[at]?.place} of ${events}`;
    if (each.status === 'rejected') throw new Error(`Killed ${words}.`, { cause: each.reason });
    expect(each.value, words).toBe(1);
  }
}

test.each(killJourneys)(
  '[K68] kill -9 at every event of $name loses nothing and does nothing twice',
  async (journey) => {
    const events = await countEvents(journey);
    expect(events).toBeGreaterThan(10);
    const points = pointsOf(events);
    expect(new Set(points.map(({ place }) => place)).size).toBe(events);
    for (let at = 0; at < points.length; at += 2) await killAtBoth(journey, points.slice(at, at + 2), events);
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
