/** What happens outside the conversation that a page shows: told to every page that is open. */
import type { WebNotice } from '../contract/web-api.ts';
import { frameOf, type Follower } from './sse.ts';
import { createWake } from './wake.ts';

export type Notices = {
  publish(notice: Exclude<WebNotice, { type: 'snapshot' }>): void;
  /** Begins with a snapshot. */
  follow(): Follower;
  /** How many pages listen. */
  followers(): number;
  close(): void;
};

/** A page that does not read for so long gets a new snapshot instead. */
const maxWaiting = 1_000;

export function createNotices(snapshot: () => Extract<WebNotice, { type: 'snapshot' }>): Notices {
  const queues = new Set<{ add(frame: string): void; end(): void }>();
  return {
    publish(notice) {
      const frame = frameOf(notice);
      for (const queue of queues) queue.add(frame);
    },
    followers: () => queues.size,
    follow() {
      const wake = createWake();
      let waiting = [frameOf(snapshot())];
      let isEnded = false;
      const queue = {
        add(frame: string) {
          waiting.push(frame);
          if (waiting.length > maxWaiting) waiting = [frameOf(snapshot())];
          wake.wake();
        },
        end() {
          isEnded = true;
          queues.delete(queue);
          wake.wake();
        },
      };
      queues.add(queue);
      return {
        async next(maxMs) {
          if (!isEnded && waiting.length === 0) await wake.wait(maxMs);
          if (isEnded) return undefined;
          const frames = waiting;
          waiting = [];
          return frames;
        },
        close: () => queue.end(),
      };
    },
    close() {
      for (const queue of [...queues]) queue.end();
    },
  };
}
