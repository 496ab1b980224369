/** What happens outside the conversation that a page shows: told to every page that is open. */
import type { WebNotice } from '../contract/web-api.ts';
import { createBroadcast, type Broadcast } from './broadcast.ts';

type Snapshot = Extract<WebNotice, { type: 'snapshot' }>;

export type Notices = Omit<Broadcast<WebNotice>, 'publish'> & {
  publish(notice: Exclude<WebNotice, Snapshot>): void;
};

export function createNotices(snapshot: () => Snapshot): Notices {
  return createBroadcast<WebNotice>(snapshot);
}
