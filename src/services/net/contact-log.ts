/** A record of every host that commands contacted: who, when, how much; never a path, a query or a credential. */
import { appendFileSync, renameSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Contact, ContactEntry } from '../../contract/contacts.ts';

export type ContactLog = {
  add(contact: Contact): void;
  /** Newest first. */
  list(options?: { readonly limit?: number; readonly conversationId?: string }): Promise<readonly ContactEntry[]>;
  /** Writes what has not been written yet. */
  flush(): void;
  /** The same, and what comes later is not recorded any more. */
  close(): void;
};

export type ContactLogOptions = {
  readonly file: string;
  /** Default 5 MB; twice as much is kept. */
  readonly maxBytes?: number;
  readonly now?: () => Date;
};

/** A program that knocks a thousand times must not push everybody else out of the record. */
const gatherMs = 1000;

export function createContactLog(options: ContactLogOptions): ContactLog {
  const { file, maxBytes = 5 * 1024 * 1024, now = () => new Date() } = options;
  const gathered = new Map<string, ContactEntry>();
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    process.off('exit', flush);
    const lines = [...gathered.values()].map((entry) => `${JSON.stringify(entry)}\n`).join('');
    gathered.clear();
    if (lines !== '') append(file, lines, maxBytes);
  }

  return {
    add(contact) {
      if (isClosed) return;
      const { conversationId, host, port, address, decision, reason } = contact;
      const key = JSON.stringify([conversationId, host, port, address, decision, reason]);
      const known = gathered.get(key);
      gathered.set(key, {
        at: known?.at ?? now().toISOString(),
        ...{ conversationId, host, port },
        ...(address === undefined ? {} : { address }),
        decision,
        ...(reason === undefined ? {} : { reason }),
        count: (known?.count ?? 0) + 1,
        bytesSent: (known?.bytesSent ?? 0) + (contact.bytesSent ?? 0),
        bytesReceived: (known?.bytesReceived ?? 0) + (contact.bytesReceived ?? 0),
      });
      if (timer !== undefined) return;
      timer = setTimeout(flush, gatherMs).unref();
      // Whoever ends this process need not know of us.
      process.once('exit', flush);
    },
    async list({ limit = 200, conversationId } = {}) {
      flush();
      const found: ContactEntry[] = [];
      for (const each of [file, older(file)]) {
        const lines = (await readText(each)).split('\n').reverse();
        for (const line of lines) {
          const entry = readEntry(line);
          if (entry === undefined || (conversationId !== undefined && entry.conversationId !== conversationId))
            continue;
          if (found.push(entry) >= limit) return found;
        }
      }
      return found;
    },
    flush,
    close() {
      flush();
      isClosed = true;
    },
  };
}

const older = (file: string): string => `${file}.1`;

/** One write each: several processes of ours write to the same file (open(2), O_APPEND). */
function append(file: string, lines: string, maxBytes: number): void {
  try {
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (size > 0 && size + lines.length > maxBytes) renameSync(file, older(file));
    appendFileSync(file, lines, { mode: 0o600 });
  } catch {
    // A full disk must not end a connection that was allowed: the result of the command is worth more than the record. And
    // a state folder that was removed is not made again for it.
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    // Nothing was contacted yet.
    return '';
  }
}

/** A line may be half written, where the machine went down. */
function readEntry(line: string): ContactEntry | undefined {
  if (line === '') return undefined;
  try {
    const entry = JSON.parse(line) as ContactEntry;
    return typeof entry.host === 'string' && typeof entry.at === 'string' ? entry : undefined;
  } catch {
    return undefined;
  }
}
