/** The /tmp that the commands, jobs and terminals of one conversation share, also from one start of the program to the next. */
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Bind, PrivatePlace } from './sandbox-launch.ts';

const prefix = 'tmp-';

/** Made when missing. As on any machine it does not outlive a restart of the machine: what an earlier one left is removed. */
export function bindTemporary(place: Omit<PrivatePlace, 'takesHandles'>, conversationId: string): Bind {
  const boot = readBoot();
  const source = join(place.folder, `${prefix}${boot}-${nameOf(conversationId)}`);
  try {
    mkdirSync(source, { mode: 0o700 });
    if (process.geteuid?.() === 0) chownSync(source, place.uid, place.gid);
    // Open as /tmp is; the folder around it is ours alone.
    chmodSync(source, 0o1777);
    removeOfEarlierBoots(place.folder, boot);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return { source, path: '/tmp', isWritable: true };
}

/** Once nothing of the conversation runs any more: in the private places of all users that commands were run as. */
export async function removeTemporary(stateFolder: string, homeFolder: string, conversationId: string): Promise<void> {
  const ending = `-${nameOf(conversationId)}`;
  const droppedPrefix = `${basename(homeFolder)}-of-`;
  const dropped = namesIn(dirname(homeFolder)).filter((name) => name.startsWith(droppedPrefix));
  const folders = [join(stateFolder, 'sandbox'), ...dropped.map((name) => join(dirname(homeFolder), name))];
  for (const folder of folders) {
    for (const name of namesIn(folder)) {
      if (name.startsWith(prefix) && name.endsWith(ending))
        await rm(join(folder, name), { recursive: true, force: true });
    }
  }
}

function removeOfEarlierBoots(folder: string, boot: string): void {
  for (const name of namesIn(folder)) {
    if (!name.startsWith(prefix) || name.startsWith(`${prefix}${boot}-`)) continue;
    // Nobody waits for it, and what cannot be removed now is tried again with the next conversation.
    rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Conversations may be named by anything. */
const nameOf = (conversationId: string): string =>
  createHash('sha256').update(conversationId).digest('hex').slice(0, 24);

/** proc(5): another one at every start of the machine. */
const readBoot = (): string => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8);

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // It was never made.
    return [];
  }
}
