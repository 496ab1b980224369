/**
 * Requests whose history only grew since the one before: what was sent then goes out again byte for byte, and the SDK converts
 * and writes only what is new. Otherwise each request of a long conversation costs as much as its whole history is long.
 */
import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider';
import { createTape, type Tape } from './tape.ts';

type Prompt = readonly LanguageModelV4Message[];
type Sent = { readonly prompt: Prompt; readonly list: Tape };

export type GrowingBody = {
  /** Leaves to the SDK what was not sent before. */
  prepare(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions;
  /** Puts what was sent before in front of it. */
  readonly fetch: typeof globalThis.fetch;
};

/**
 * `listKey`: where a body of the dialect has its messages. `hasSystemInList`: the system prompt is one of them. For dialects that
 * write each message without looking at those before it.
 */
export function createGrowingBody(
  fetch: typeof globalThis.fetch,
  { listKey, hasSystemInList }: { readonly listKey: string; readonly hasSystemInList: boolean },
): GrowingBody {
  // Requests are told apart by their signals, which are made for one request each.
  const growths = new WeakMap<AbortSignal, Sent>();
  const beginning = createTape(Buffer.from(`{"${listKey}":[`));
  let last: Sent = { prompt: [], list: beginning };

  return {
    prepare(options) {
      const { prompt, abortSignal } = options;
      if (abortSignal === undefined) return options;
      const before = continues(last.prompt, prompt) ? last : { prompt: [], list: beginning };
      growths.set(abortSignal, { prompt, list: before.list });
      const isNew = (message: LanguageModelV4Message, at: number) =>
        at >= before.prompt.length || (message.role === 'system' && !hasSystemInList);
      return { ...options, prompt: prompt.filter(isNew) };
    },
    async fetch(input, init) {
      const growth = init?.signal ? growths.get(init.signal) : undefined;
      if (growth === undefined || typeof init?.body !== 'string') return fetch(input, init);
      const { [listKey]: added, ...rest } = JSON.parse(init.body) as Readonly<Record<string, unknown>>;
      const comma = growth.list === beginning ? '' : ',';
      const list = growth.list.add(Buffer.from(`${comma}${JSON.stringify(added).slice(1, -1)}`));
      last = { prompt: growth.prompt, list };
      const end = Buffer.from(`],${JSON.stringify(rest).slice(1)}`);
      const headers = new Headers(init.headers);
      headers.set('content-length', String(list.bytes.length + end.length));
      return fetch(input, { ...init, headers, body: streamOf([list.bytes, end]), duplex: 'half' });
    },
  };
}

/** An answer begins a message of its own in every dialect: whatever comes from there on is written apart from what stands before. */
function continues(before: Prompt, prompt: Prompt): boolean {
  return prompt[before.length]?.role === 'assistant' && before.every((message, at) => message === prompt[at]);
}

/** The platform copies other bodies twice, and the collector then works harder than all the rest of a request. */
function streamOf(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  const left = pieces.values();
  return new ReadableStream({
    pull(controller) {
      const { value, done } = left.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
  });
}
