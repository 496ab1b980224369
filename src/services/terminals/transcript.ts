/** The last of what a terminal printed, to show to whoever looks at it later. Bounded, whatever is printed. */

export type Transcript = {
  add(bytes: Buffer): void;
  /** Begins at a character, not within one. */
  read(): Buffer;
};

export function createTranscript(maxBytes: number): Transcript {
  let chunks: Buffer[] = [];
  let length = 0;
  const join = (): Buffer => {
    const whole = Buffer.concat(chunks, length);
    return length > maxBytes ? whole.subarray(startOfCharacter(whole, length - maxBytes)) : whole;
  };
  return {
    add(bytes) {
      // A chunk may be a part of a much larger piece of memory, which must not be kept with it.
      chunks.push(Buffer.from(bytes.subarray(Math.max(0, bytes.length - maxBytes))));
      length += Math.min(bytes.length, maxBytes);
      if (length < maxBytes * 2 && chunks.length < 1_000) return;
      chunks = [Buffer.from(join())];
      length = chunks[0]?.length ?? 0;
    },
    read: join,
  };
}

/** UTF-8: bytes that go on with a character begin with the bits 10. */
function startOfCharacter(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && at < from + 3 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at += 1;
  return at;
}
