/** Notices `data: [DONE]`, the end mark of a chat stream, which the SDK throws away. */

const markShape = /data:\s*\[DONE\]\s*$/;
const tailChars = 48;

export type EndWatch = { readonly fetch: typeof globalThis.fetch; sawEnd(signal: AbortSignal): boolean };

/** Requests are told apart by their signals, which are made for one request each. */
export function createEndWatch(fetch: typeof globalThis.fetch): EndWatch {
  const ended = new WeakSet<AbortSignal>();
  return {
    sawEnd: (signal) => ended.has(signal),
    async fetch(input, init) {
      const response = await fetch(input, init);
      const signal = init?.signal;
      if (!response.body || !signal) return response;
      let tail = '';
      const watched = response.body.pipeThrough(
        new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
          transform(chunk, controller) {
            tail = (tail + Buffer.from(chunk.subarray(-tailChars)).toString('latin1')).slice(-tailChars);
            controller.enqueue(chunk);
          },
          flush() {
            if (markShape.test(tail)) ended.add(signal);
          },
        }),
      );
      return new Response(watched, { status: response.status, headers: response.headers });
    },
  };
}
