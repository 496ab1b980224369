/** Bytes that grow at their end, seldom copied: what was written once never changes. */

export type Tape = {
  readonly bytes: Uint8Array;
  /** A longer one; this one stays as it is. */
  add(more: Uint8Array): Tape;
};

/** The room behind the end, taken by whoever adds first. */
type Room = { readonly buffer: Buffer; used: number };

export function createTape(beginning: Uint8Array): Tape {
  return view({ buffer: Buffer.from(beginning), used: beginning.length }, beginning.length);
}

function view(room: Room, length: number): Tape {
  return {
    bytes: room.buffer.subarray(0, length),
    add(more) {
      const needed = length + more.length;
      const isFree = room.used === length && needed <= room.buffer.length;
      const next = isFree ? room : copyOf(room, length, needed * 2);
      next.buffer.set(more, length);
      next.used = needed;
      return view(next, needed);
    },
  };
}

function copyOf({ buffer }: Room, length: number, size: number): Room {
  const copy = Buffer.allocUnsafeSlow(size);
  copy.set(buffer.subarray(0, length));
  return { buffer: copy, used: length };
}
