import { expect, test } from 'vitest';
import fc from 'fast-check';
import { readStream, type StreamMessage } from './read-stream.ts';

/** The bytes come in pieces of these sizes, and then all that is left. */
async function read(bytes: Uint8Array, sizes: readonly number[] = []): Promise<readonly StreamMessage[]> {
  const found: StreamMessage[] = [];
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      let at = 0;
      for (const size of [...sizes, bytes.length]) {
        if (at < bytes.length) controller.enqueue(bytes.slice(at, at + size));
        at += size;
      }
      controller.close();
    },
  });
  await readStream(body, { onMessage: (message) => found.push(message), onSign: () => undefined });
  return found;
}

const text = ': hello\n\nid: 1\ndata: {"a":"ü€😀"}\n\nid: 2\r\ndata: one\r\ndata: two\r\n\r\n: beat\n\ndata:three\n\n';
const messages = [
  { id: '1', data: '{"a":"ü€😀"}' },
  { id: '2', data: 'one\ntwo' },
  { id: '2', data: 'three' },
];

test('events are read with their ids, and comments are none', async () => {
  expect(await read(new TextEncoder().encode(text))).toEqual(messages);
});

test('however a stream is cut into pieces, also within a character, its events are the same', async () => {
  const bytes = new TextEncoder().encode(text);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 200, maxLength: 200 }), async (sizes) => {
      expect(await read(bytes, sizes)).toEqual(messages);
    }),
    { numRuns: 30 },
  );
});
