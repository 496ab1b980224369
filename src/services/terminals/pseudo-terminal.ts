/** One pseudo-terminal (pty(7)): our end of it, and the other one for a program. Node cannot open them itself. */
import { closeSync, constants, fchmodSync, fchownSync, fstatSync, openSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import { ToolFailure } from '../../contract/failure.ts';
import { createWriteQueue } from './write-queue.ts';

/** What the package's native part does; it has no types of its own. */
type Binding = {
  open(columns: number, rows: number): { readonly master: number; readonly slave: number; readonly pty: string };
  resize(master: number, columns: number, rows: number): void;
};

export type PseudoTerminal = {
  /** For a program that opens it by name, as its own terminal. */
  readonly path: string;
  /** The other end opened once more, to hand to a program. The caller closes it. */
  openForProgram(): number;
  /** Whose programs may open it by name. */
  giveTo(owner: { readonly uid: number; readonly gid: number }): void;
  /** Once a program has it: from then on its end shows as `onEnd`. */
  leaveToProgram(): void;
  onData(listener: (bytes: Buffer) => void): void;
  /** Nobody has the other end any more, and all of it was read. */
  readonly ended: Promise<void>;
  write(bytes: string | Buffer): void;
  /** How much of what was written is still waiting to be taken. */
  readonly waitingBytes: number;
  /** While paused, a program that prints has to wait. */
  pause(): void;
  resume(): void;
  /** The kernel tells the program (SIGWINCH). */
  resize(columns: number, rows: number): void;
  close(): void;
};

/** Rejects with ToolFailure('unavailable'). */
export async function openPseudoTerminal(columns: number, rows: number): Promise<PseudoTerminal> {
  const binding = await loadBinding();
  const { master, slave, pty: path } = openPair(binding, columns, rows);
  let slaveIsOurs = true;
  let isClosed = false;
  const stream = new ReadStream(master);
  const typed = createWriteQueue(master);
  stream.once('close', () => typed.close());
  const ended = new Promise<void>((resolve) => {
    stream.once('close', resolve);
    // EIO is how the kernel says that the other end was closed.
    stream.on('error', () => stream.destroy());
    stream.once('end', () => stream.destroy());
  });
  const leaveToProgram = (): void => {
    if (slaveIsOurs) closeSync(slave);
    slaveIsOurs = false;
  };
  return {
    path,
    ended,
    openForProgram: () => openSync(`/proc/self/fd/${slave}`, constants.O_RDWR | constants.O_NOCTTY),
    giveTo({ uid, gid }) {
      fchmodSync(slave, 0o600);
      if (fstatSync(slave).uid !== uid) fchownSync(slave, uid, gid);
    },
    leaveToProgram,
    onData: (listener) => void stream.on('data', listener),
    write(bytes) {
      if (!isClosed && !stream.destroyed) typed.add(typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
    },
    get waitingBytes() {
      return typed.waitingBytes;
    },
    pause: () => void stream.pause(),
    resume: () => void stream.resume(),
    resize(newColumns, newRows) {
      if (!isClosed && !stream.destroyed) binding.resize(master, newColumns, newRows);
    },
    close() {
      isClosed = true;
      typed.close();
      leaveToProgram();
      stream.destroy();
    },
  };
}

function openPair(binding: Binding, columns: number, rows: number): ReturnType<Binding['open']> {
  try {
    return binding.open(columns, rows);
  } catch (error) {
    const message =
      'The machine gave no pseudo-terminal (see /proc/sys/kernel/pty/max). Close a terminal, or run the command with the shell tool.';
    throw new ToolFailure('unavailable', message, { cause: error });
  }
}

/** The package picks the file for this processor, which lies in a package of its own. */
async function loadBinding(): Promise<Binding> {
  try {
    // @ts-expect-error: only its main file has types.
    const { requireBinary } = (await import('@lydell/node-pty/requireBinary.js')) as {
      requireBinary(name: string): Binding;
    };
    return requireBinary('pty.node');
  } catch (error) {
    const message =
      'Terminals need the package @lydell/node-pty with its part for this processor. Install Handrail again without --omit=optional, or run commands with the shell tool.';
    throw new ToolFailure('unavailable', message, { cause: error });
  }
}
