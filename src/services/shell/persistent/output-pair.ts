/**
 * The two named pipes that one command prints to. We open them once, before any command could have touched them, and hold
 * an end for writing ourselves: they never seem to end, and whether anybody else writes to them shows when ours is closed.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { OutputSink } from '../running-command.ts';

export type OutputPair = {
  readonly slot: number;
  /** What the shell is to run; it reads the file `cmd.<slot>`. */
  setCommand(text: string): void;
  /** Whom what comes is given to from now on; undefined: nobody, but nobody who writes is made to wait. */
  attach(sink: OutputSink | undefined): void;
  /** Everything that is in the pipes now goes to the sink. What a program has written before it ended is there already (pipe(7)). */
  drain(): void;
  /** No program holds them for writing. */
  isFree(): boolean;
  close(): void;
};

const bufferBytes = 64 * 1024;
/** A pipe holds 64 KiB, at most 1 MiB (F_SETPIPE_SZ): what comes after that was written after we began to look. */
const maxDrainReads = 32;
/** What nobody wants any more is read no faster than this: an endless `yes &` must not keep us busy. */
const droppedBytesPerTick = 1024 * 1024;
const tickMs = 50;
const keptTextBytes = 64 * 1024;

export type Owner = { readonly uid: number; readonly gid: number };

/** The pipes `out.<slot>` and `err.<slot>` exist in the folder; no command can have written there. */
export function openOutputPair(folder: string, slot: number, owner: Owner): OutputPair {
  let sink: OutputSink | undefined;
  const handles: number[] = [];
  try {
    const open = (name: string, flags: number): number => {
      const handle = openSync(join(folder, `${name}.${slot}`), flags | constants.O_NOFOLLOW, 0o600);
      handles.push(handle);
      own(handle, owner);
      return handle;
    };
    const text = open('cmd', constants.O_RDWR | constants.O_CREAT | constants.O_EXCL);
    const out = openPipe(
      open('out', constants.O_RDONLY | constants.O_NONBLOCK),
      (bytes) => sink?.('stdout', bytes),
      isDropped,
    );
    const err = openPipe(
      open('err', constants.O_RDONLY | constants.O_NONBLOCK),
      (bytes) => sink?.('stderr', bytes),
      isDropped,
    );
    return {
      slot,
      setCommand(command) {
        const bytes = Buffer.from(command);
        ftruncateSync(text, 0);
        for (let at = 0; at < bytes.length;) at += writeSync(text, bytes, at, bytes.length - at, at);
      },
      attach: (next) => void (sink = next),
      drain() {
        out.drain();
        err.drain();
      },
      isFree() {
        const isFree = out.isFree() && err.isFree();
        if (isFree && fstatSync(text).size > keptTextBytes) ftruncateSync(text, 0);
        return isFree;
      },
      close() {
        out.close();
        err.close();
        closeSync(text);
      },
    };
  } catch (error) {
    for (const handle of handles) closeSync(handle);
    throw error;
  }

  function isDropped(): boolean {
    return sink === undefined;
  }
}

/** The sandbox's user opens them, and nobody else does. */
export function own(handle: number, { uid, gid }: Owner): void {
  if (process.geteuid?.() === 0) fchownSync(handle, uid, gid);
  fchmodSync(handle, 0o600);
}

type OneWay = Pick<OutputPair, 'drain' | 'isFree' | 'close'>;

/** Takes the handle over. */
export function openPipe(handle: number, onBytes: (bytes: Buffer) => void, isDropped: () => boolean): OneWay {
  if (!fstatSync(handle).isFIFO()) throw new Error('a pipe of ours was exchanged');
  const buffer = Buffer.allocUnsafeSlow(bufferBytes);
  let writer = openSync(`/proc/self/fd/${handle}`, constants.O_WRONLY);
  let droppedBytes = 0;
  let pause: NodeJS.Timeout | undefined;
  const socket = new Socket({
    fd: handle,
    readable: true,
    writable: false,
    onread: {
      buffer,
      callback(count) {
        onBytes(buffer.subarray(0, count));
        droppedBytes = isDropped() ? droppedBytes + count : 0;
        if (droppedBytes < droppedBytesPerTick) return true;
        droppedBytes = 0;
        pause = setTimeout(() => void socket.resume(), tickMs).unref();
        return false;
      },
    },
  });
  // Reading a pipe fails only when the handle is bad, which is seen by the shell's end.
  socket.on('error', () => undefined);
  socket.resume();
  // What is to be waited for is the shell, and that is done by who started it.
  socket.unref();
  return {
    drain() {
      if (pause !== undefined) clearTimeout(pause);
      pause = undefined;
      for (let count = 0; count < maxDrainReads; count += 1) {
        const length = readNow(handle, buffer);
        if (length <= 0) break;
        onBytes(buffer.subarray(0, length));
      }
      socket.resume();
    },
    // In one go, so that nothing else of ours sees the end that is none.
    isFree() {
      closeSync(writer);
      const length = readNow(handle, buffer);
      if (length > 0) onBytes(buffer.subarray(0, length));
      writer = openSync(`/proc/self/fd/${handle}`, constants.O_WRONLY);
      return length === 0;
    },
    close() {
      if (pause !== undefined) clearTimeout(pause);
      closeSync(writer);
      socket.destroy();
    },
  };
}

/** -1: nothing there, and somebody holds the other end. */
function readNow(handle: number, buffer: Buffer): number {
  try {
    return readSync(handle, buffer, 0, buffer.length, null);
  } catch {
    // EAGAIN.
    return -1;
  }
}
