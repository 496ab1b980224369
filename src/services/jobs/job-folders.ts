/** Where jobs lie: one folder per conversation, one per job in it, and the numbers that are never given twice. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { makePrivateFolder } from '../../base/make-private-folder.ts';
import type { ConversationInfo } from '../../contract/services.ts';

/** Conversation ids begin with a letter or digit (open-conversation.ts), so these two kinds never meet. */
const keyPattern = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,150}$/;
const sessionPattern = /^bg-[1-9][0-9]{0,8}$/;

export const isConversationKey = (text: string): boolean => keyPattern.test(text);
export const isSessionId = (text: string): boolean => sessionPattern.test(text);

/** A job of a call without a conversation would be lost to everybody: those of one workspace share a list instead. */
export function conversationKey({ id, workspace, isThrowaway }: ConversationInfo): string {
  if (!isThrowaway) return id;
  const name = basename(workspace)
    .replaceAll(/[^A-Za-z0-9._-]/g, '-')
    .slice(0, 40);
  return `_${name}-${createHash('sha256').update(workspace).digest('hex').slice(0, 12)}`;
}

export const conversationFolder = (root: string, key: string): string => join(root, key);
export const jobFolder = (root: string, key: string, sessionId: string): string => join(root, key, sessionId);

/** The keys of all conversations that have jobs, sorted. */
export function listConversations(root: string): readonly string[] {
  return namesIn(root).filter(isConversationKey).toSorted();
}

/** The ids of the jobs of one conversation, oldest first. */
export function listSessions(root: string, key: string): readonly string[] {
  return namesIn(join(root, key))
    .filter(isSessionId)
    .toSorted((first, second) => numberOf(first) - numberOf(second));
}

/** Makes the folder of a new job. Only for the one process that has the claim on `root`. Throws the file system's errors. */
export function makeJobFolder(root: string, key: string): { readonly sessionId: string; readonly folder: string } {
  const parent = join(root, key);
  makePrivateFolder(parent);
  const counter = join(parent, 'last-number');
  const next = Math.max(readNumber(counter), ...listSessions(root, key).map(numberOf)) + 1;
  // Before it is used: a number that was seen once must not come again, whatever happens to the job.
  writeFileSync(`${counter}.new`, `${next}\n`, { mode: 0o600 });
  renameSync(`${counter}.new`, counter);
  const sessionId = `bg-${next}`;
  const folder = join(parent, sessionId);
  mkdirSync(folder, { mode: 0o700 });
  return { sessionId, folder };
}

/** False when there was none. It is out of the list at once, whoever still reads in it. */
export function dropFolder(folder: string): boolean {
  const aside = `${folder}.removed-${randomUUID()}`;
  try {
    renameSync(folder, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  rmSync(aside, { recursive: true, force: true, maxRetries: 3 });
  return true;
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

const numberOf = (sessionId: string): number => Number(sessionId.slice('bg-'.length));

function readNumber(file: string): number {
  try {
    const value = Number(readFileSync(file, 'utf8'));
    return Number.isSafeInteger(value) && value > 0 ? value : 0;
  } catch {
    // The first job of the conversation.
    return 0;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Nothing was ever started there.
    return [];
  }
}
