/** The folder through which a shell and we talk: pipes for output, texts of commands, the saved state. Read-only inside. */
import { execFile } from 'node:child_process';
import {
  chmodSync, chownSync, closeSync, constants, existsSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync,
} from 'node:fs'; // prettier-ignore
import { join } from 'node:path';
import { ToolFailure } from '../../../contract/failure.ts';
import { openOutputPair, openPipe, type OutputPair, type Owner, own } from './output-pair.ts';

export type ShellFolder = {
  readonly path: string;
  /** Before the shell starts: makes the pipes that every shell needs, for this user. */
  prepare(owner: Owner, onSide: (bytes: Buffer) => void, isWritable: boolean): Promise<void>;
  /** Takes what is in the pipe beside the status now. */
  drainSide(): void;
  /** For the shell to read, as bytes, one per character. */
  writeText(name: string, text: string): void;
  /** Pipes that nobody writes to. Rejects with ToolFailure('busy') when background processes hold too many. */
  takePair(): Promise<OutputPair>;
  /** Pipes that a background process still holds are drained until it is gone. */
  giveBack(pair: OutputPair): void;
  close(): void;
};

const prefix = 'shell-io-';
const firstPairs = 2;
const morePairs = 4;

/** `parent` exists. The folder can be entered and not listed by others: the names in it are no secret, what they hold is. */
export function createShellFolder(parent: string, maxPairs: number): ShellFolder {
  removeOrphans(parent);
  const path = mkdtempSync(join(parent, `${prefix}${process.pid}-`));
  chmodSync(path, 0o711);
  const free: OutputPair[] = [];
  const held = new Set<OutputPair>();
  let pairCount = 0;
  let owner: Owner = { uid: 0, gid: 0 };
  let side: ReturnType<typeof openPipe> | undefined;
  let isClosed = false;

  async function makePairs(count: number, more: readonly string[] = []): Promise<void> {
    const slots = Array.from({ length: count }, () => pairCount++);
    await makePipes(
      [...slots.flatMap((slot) => [`out.${slot}`, `err.${slot}`]), ...more].map((name) => join(path, name)),
    );
    if (isClosed) return;
    free.push(...slots.map((slot) => openOutputPair(path, slot, owner)));
  }

  /** Of those that were held, some may be free by now. */
  function lookAgain(): void {
    for (const pair of held) {
      if (!pair.isFree()) continue;
      held.delete(pair);
      free.push(pair);
    }
  }

  return {
    path,
    async prepare(forOwner, onSide, isWritable) {
      owner = forOwner;
      if (isWritable) chownSync(path, owner.uid, owner.gid);
      await makePairs(firstPairs, ['side']);
      const handle = openSync(join(path, 'side'), constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
      own(handle, owner);
      side = openPipe(handle, onSide, () => false);
    },
    drainSide: () => side?.drain(),
    writeText(name, text) {
      const handle = openSync(join(path, name), constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
      own(handle, owner);
      const bytes = Buffer.from(text, 'latin1');
      for (let at = 0; at < bytes.length;) at += writeSync(handle, bytes, at);
      closeSync(handle);
    },
    async takePair() {
      if (free.length === 0) lookAgain();
      if (free.length === 0 && pairCount >= maxPairs) {
        const message = `Background processes of ${pairCount} earlier commands still hold their output, so no further command was run. End some of them (kill), or start them with >file 2>&1.`;
        throw new ToolFailure('busy', message);
      }
      if (free.length === 0) await makePairs(Math.min(morePairs, maxPairs - pairCount));
      const pair = free.pop();
      if (pair === undefined) throw new ToolFailure('unavailable', 'The shell was closed. Run the command again.');
      return pair;
    },
    giveBack(pair) {
      pair.attach(undefined);
      if (isClosed) pair.close();
      else if (pair.isFree()) free.push(pair);
      else held.add(pair);
    },
    close() {
      isClosed = true;
      side?.close();
      for (const pair of [...free.splice(0), ...held]) pair.close();
      held.clear();
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** Those of programs of ours that were killed: their shells have ended with them. */
function removeOrphans(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = /^shell-io-(\d+)-/.exec(name)?.[1];
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue;
    rmSync(join(parent, name), { recursive: true, force: true });
  }
}

function makePipes(paths: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile('mkfifo', ['-m', '600', ...paths], { env: { PATH: '/usr/bin:/bin' } }, (error) => {
      if (error === null) resolve();
      else
        reject(
          new ToolFailure(
            'unavailable',
            `The pipes for the shell's output could not be made (${error.message}). Free some space.`,
          ),
        );
    });
  });
}
