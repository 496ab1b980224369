/** Readers of a live conversation that come, go and read slowly, while two processes write. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { EventBody, JournalEvent } from '../contract/event.ts';
import { openStorage } from '../../test/kit/open-test-storage.ts';
import { soak } from '../../test/kit/soak.ts';
import { createEventFeeds, type EventFeeds } from './event-feeds.ts';
import type { Follower } from './sse.ts';

const conversationId = 'c1';
const at = '2026-01-01T00:00:00.000Z';

async function world() {
  const folder = mkdtempSync(path.join(tmpdir(), 'handrail-feeds-'));
  const storage = await openStorage(folder);
  await storage.conversations.create({
    id: conversationId,
    title: '',
    workspace: '/w',
    isThrowaway: false,
    createdAt: at,
    updatedAt: at,
  });
  const feeds = createEventFeeds(
    { events: (id, page) => storage.events.read(id, page), lastSeq: (id) => storage.events.lastSeq(id) },
    { pollMs: 5 },
  );
  onTestFinished(async () => {
    feeds.close();
    await storage.close();
    rmSync(folder, { recursive: true, force: true });
  });
  let seq = 0;
  return {
    feeds,
    async write(count: number): Promise<readonly JournalEvent[]> {
      const events = Array.from({ length: count }, (_, more): EventBody & { readonly at: string } => ({
        type: 'text-delta',
        text: `event ${seq + more + 1}`,
        at,
      }));
      const position = { conversationId, turnId: 't', afterSeq: seq, durable: false };
      const written = await storage.events.append(events, position);
      seq += count;
      return written;
    },
  };
}

const idsOf = (frames: readonly string[]) => frames.map((frame) => Number(/^id: (\d+)\n/.exec(frame)?.[1]));

/** Reads until the event with this seq has come; in between it connects again, or lets a moment pass. */
async function readTo(feeds: EventFeeds, last: number, random: () => number): Promise<readonly number[]> {
  const seen: number[] = [];
  let follower: Follower = await feeds.follow(conversationId, 0);
  while ((seen.at(-1) ?? 0) < last) {
    if (random() < 0.2) {
      follower.close();
      expect(await follower.next(1_000)).toBeUndefined();
      follower = await feeds.follow(conversationId, seen.at(-1) ?? 0);
    }
    if (random() < 0.3) await new Promise((resolve) => setImmediate(resolve));
    seen.push(...idsOf((await follower.next(1_000)) ?? []));
  }
  follower.close();
  return seen;
}

it('every reader sees every event once and in order, whoever wrote it and however often it came back', async () => {
  for (let round = 0; round < soak(5); round += 1) {
    let seed = round + 1;
    // A generator of our own, so that a failure can be seen again.
    const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    const { feeds, write } = await world();
    await write(700);
    const last = 1_900;
    const readers = Array.from({ length: 6 }, () => readTo(feeds, last, random));
    for (let written = 700; written < last;) {
      const count = Math.min(last - written, 1 + Math.floor(random() * 20));
      const events = await write(count);
      // Half of them are another process's: nobody tells us of those.
      if (random() < 0.5) events.forEach(feeds.push);
      if (random() < 0.1) await new Promise((resolve) => setTimeout(resolve, 3));
      written += count;
    }
    const all = Array.from({ length: last }, (_, index) => index + 1);
    for (const seen of await Promise.all(readers)) expect(seen).toEqual(all);
  }
});

it('a reader that waits is told when nothing came, and when nothing will come any more', async () => {
  const { feeds, write } = await world();
  const follower = await feeds.follow(conversationId, 99);
  expect(await follower.next(20)).toEqual([]);
  await write(1);
  expect(idsOf((await follower.next(5_000)) ?? [])).toEqual([1]);
  const waiting = follower.next(60_000);
  feeds.end(conversationId);
  expect(await waiting).toBeUndefined();
});
