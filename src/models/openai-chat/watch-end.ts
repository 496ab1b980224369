/** Notices `data: [DONE]`, the end mark of a chat stream, which the SDK throws away. */
import { watchBody } from '../watch-body.ts';

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
      return watchBody(response, {
        piece(chunk) {
          tail = (tail + Buffer.from(chunk.subarray(-tailChars)).toString('latin1')).slice(-tailChars);
        },
        end() {
          if (markShape.test(tail)) ended.add(signal);
        },
      });
    },
  };
}
