/** Contacts of commands, by host. Pure. */
import type { ContactEntry } from '../contract/contacts.ts';
import type { WebHost } from '../contract/web-activity.ts';

const maxConversations = 5;

/** `contacts`: newest first. */
export function groupByHost(contacts: readonly ContactEntry[], since: string): readonly WebHost[] {
  const hosts = new Map<string, WebHost>();
  for (const contact of contacts) {
    if (contact.at >= since) hosts.set(contact.host, add(hosts.get(contact.host), contact));
  }
  return [...hosts.values()];
}

function add(known: WebHost | undefined, contact: ContactEntry): WebHost {
  const { host, at, decision, count, bytesSent, bytesReceived, reason, conversationId } = contact;
  const before = known ?? { ...nothing, host, lastAt: at };
  // A refusal is what a person looks for: no later contact hides its reason.
  const isBetter = before.reason === undefined || (decision === 'refused' && before.refused === 0);
  const told = isBetter ? reason : before.reason;
  return {
    ...before,
    [decision]: before[decision] + count,
    bytesSent: before.bytesSent + bytesSent,
    bytesReceived: before.bytesReceived + bytesReceived,
    conversations: [...new Set([...before.conversations, conversationId])].slice(0, maxConversations),
    ...(told === undefined ? {} : { reason: told }),
  };
}

const nothing = { allowed: 0, refused: 0, failed: 0, bytesSent: 0, bytesReceived: 0, conversations: [] } as const;
