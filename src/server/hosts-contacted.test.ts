import { expect, test } from 'vitest';
import type { ContactEntry } from '../contract/contacts.ts';
import { groupByHost } from './hosts-contacted.ts';

const contact = (part: Partial<ContactEntry>): ContactEntry => ({
  conversationId: 'c',
  host: 'a.test',
  port: 443,
  decision: 'allowed',
  at: '2026-03-04T10:00:00.000Z',
  count: 1,
  bytesSent: 10,
  bytesReceived: 100,
  ...part,
});

test('contacts are counted by host, the last one first, and a refusal keeps its reason', () => {
  const hosts = groupByHost(
    [
      contact({ host: 'b.test', at: '2026-03-04T12:00:00.000Z', decision: 'failed', reason: 'no answer' }),
      contact({ at: '2026-03-04T11:00:00.000Z', count: 3, reason: 'npm’s own' }),
      contact({ decision: 'refused', count: 2, reason: 'not on the list', conversationId: 'd', bytesSent: 0 }),
      contact({ at: '2026-03-03T23:59:59.000Z', count: 50 }),
    ],
    '2026-03-04T00:00:00.000Z',
  );
  expect(hosts).toEqual([
    {
      ...{ host: 'b.test', lastAt: '2026-03-04T12:00:00.000Z', reason: 'no answer', conversations: ['c'] },
      ...{ allowed: 0, refused: 0, failed: 1, bytesSent: 10, bytesReceived: 100 },
    },
    {
      ...{ host: 'a.test', lastAt: '2026-03-04T11:00:00.000Z', reason: 'not on the list', conversations: ['c', 'd'] },
      ...{ allowed: 3, refused: 2, failed: 0, bytesSent: 10, bytesReceived: 200 },
    },
  ]);
});
