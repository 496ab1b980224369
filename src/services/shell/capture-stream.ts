/** Keeps the beginning and the end of a stream of any length in bounded memory. */
import type { CapturedStream } from '../../contract/services.ts';
import { truncateMiddle } from '../../base/truncate-middle.ts';

export type Capture = {
  /** Copies the bytes: the caller may reuse its buffer. */
  write(bytes: Uint8Array): void;
  /** Once, at the end. `kept`: the whole stream, or its first and last part with a line between that says what is missing. */
  finish(): { readonly stream: CapturedStream; readonly kept: Buffer };
};

export type CaptureLimits = {
  /** Of the text. */
  readonly maxChars: number;
  /** Kept of the beginning, and as much of the end. Default 5 MB. */
  readonly partBytes?: number;
};

const defaultPartBytes = 5 * 1024 * 1024;
/** Room for the line between the two parts. */
const markerBytes = 160;
const firstSizes = [64 * 1024, 1024 * 1024];

export function createCapture({ maxChars, partBytes = defaultPartBytes }: CaptureLimits): Capture {
  const linearBytes = partBytes * 2;
  let buffer = Buffer.alloc(0);
  let totalBytes = 0;

  /** Grows in two steps, then to the full size at once: memory that is not written to is not taken from the machine. */
  function makeRoom(needed: number): void {
    if (needed <= buffer.length || buffer.length > linearBytes) return;
    const size = firstSizes.find((candidate) => candidate >= needed && candidate < linearBytes);
    const larger = Buffer.allocUnsafeSlow(size ?? linearBytes + markerBytes);
    buffer.copy(larger, 0, 0, totalBytes);
    buffer = larger;
  }

  function writeLinear(bytes: Uint8Array): number {
    const count = Math.min(bytes.length, linearBytes - totalBytes);
    if (count <= 0) return 0;
    makeRoom(totalBytes + count);
    buffer.set(bytes.subarray(0, count), totalBytes);
    totalBytes += count;
    return count;
  }

  /** The second half is a ring once both are full. */
  function writeRing(bytes: Uint8Array): void {
    let rest = bytes;
    if (rest.length > partBytes) {
      totalBytes += rest.length - partBytes;
      rest = rest.subarray(rest.length - partBytes);
    }
    while (rest.length > 0) {
      const at = (totalBytes - partBytes) % partBytes;
      const count = Math.min(rest.length, partBytes - at);
      buffer.set(rest.subarray(0, count), partBytes + at);
      totalBytes += count;
      rest = rest.subarray(count);
    }
  }

  return {
    write(bytes) {
      const taken = writeLinear(bytes);
      if (taken < bytes.length) writeRing(bytes.subarray(taken));
    },
    finish() {
      if (totalBytes <= linearBytes) {
        const kept = buffer.subarray(0, totalBytes);
        return { stream: describe(kept, kept, totalBytes, maxChars), kept };
      }
      rotateLeft(buffer.subarray(partBytes, linearBytes), (totalBytes - partBytes) % partBytes);
      const head = withoutHalfCharacterAtEnd(buffer.subarray(0, partBytes));
      const tail = withoutHalfCharacterAtStart(buffer.subarray(partBytes, linearBytes));
      const stream = describe(head, tail, totalBytes, maxChars);
      const marker = Buffer.from(
        `\n... [${totalBytes - head.length - tail.length} of ${totalBytes} bytes left out here] ...\n`,
      );
      buffer.copyWithin(head.length + marker.length, linearBytes - tail.length, linearBytes);
      marker.copy(buffer, head.length);
      return { stream, kept: buffer.subarray(0, head.length + marker.length + tail.length) };
    },
  };
}

/** UTF-8 takes at most 3 bytes for one UTF-16 unit, and an invalid byte becomes one unit: 4 leaves room for a cut character. */
const bytesPerChar = 4;

function describe(head: Buffer, tail: Buffer, totalBytes: number, maxChars: number): CapturedStream {
  const window = maxChars * bytesPerChar;
  const isWhole = head === tail;
  if (isWhole && head.length <= window * 2) {
    const text = head.toString('utf8');
    const shown = truncateMiddle(text, maxChars, (cut) => marker(`${cut} characters`, totalBytes));
    return { text: shown, truncated: text.length > maxChars, totalBytes };
  }
  const first = withoutHalfCharacterAtEnd(head.subarray(0, window)).toString('utf8');
  const last = withoutHalfCharacterAtStart(tail.subarray(Math.max(0, tail.length - window))).toString('utf8');
  // Between two parts that are each longer than the limit the cut certainly falls: the figure is in bytes then.
  const text = truncateMiddle(first + last, maxChars, () => marker('the middle', totalBytes));
  return { text, truncated: true, totalBytes };
}

function marker(what: string, totalBytes: number): string {
  return `\n... [${what} left out; the whole output has ${totalBytes} bytes] ...\n`;
}

/** In place and without a second buffer: reversing both parts and then the whole. */
function rotateLeft(bytes: Buffer, count: number): void {
  if (count === 0) return;
  bytes.subarray(0, count).reverse();
  bytes.subarray(count).reverse();
  bytes.reverse();
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

function withoutHalfCharacterAtStart(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) start += 1;
  return bytes.subarray(start);
}

function withoutHalfCharacterAtEnd(bytes: Buffer): Buffer {
  let lead = bytes.length - 1;
  while (lead > bytes.length - 4 && isContinuation(bytes[lead])) lead -= 1;
  const byte = bytes[lead] ?? 0;
  const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
  return bytes.length - lead < needed ? bytes.subarray(0, Math.max(lead, 0)) : bytes;
}
