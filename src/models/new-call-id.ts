/** An id for a call whose model gave it none, or one that another call has. */
import { randomUUID } from 'node:crypto';

export function newCallId(): string {
  return `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`;
}
