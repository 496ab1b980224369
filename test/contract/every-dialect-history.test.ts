/** A history on the wire: it only ever grows at its end, whatever is in it, so that what a provider cached stays good. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Message } from '../../src/contract/message.ts';
import {
  answered,
  ask,
  collect,
  connect,
  createServing,
  dialectNames,
  expectAccepted,
  image,
  readFile,
  user,
} from '../kit/dialect-client.ts';
import type { RecordedRequest, Turn } from '../kit/model-server.ts';

const { serve, close } = createServing();
afterEach(close);

const rounds = 10;

/** Everything that an answer can hold, in turns. */
function turnOf(round: number): Turn {
  const calls = Array.from({ length: 1 + (round % 3) }, (_, at) => ({
    name: at === 1 ? 'no such tool' : 'read_file',
    input: { path: `${round}-${at}.txt`, pair: ['ü', at] },
    ...(round === 4 && { id: 'same' }),
  }));
  return {
    ...(round % 2 === 0 && {
      reasoning: `Thought ${round}.`,
      signature: Buffer.from(`sign ${round}`).toString('base64'),
    }),
    ...((round % 3 !== 1 || round % 5 === 4) && { text: `Words ${round}.` }),
    ...(round % 5 !== 4 && { calls }),
    chunkChars: 9,
  };
}

/** What the loop adds after an answer: results, some with images or as errors, and now and then the user's next words. */
function grow(history: readonly Message[], answer: Message, round: number): Message[] {
  if (answer.role !== 'assistant') throw new Error('no answer');
  const isCalling = answer.parts.some((part) => part.type === 'call');
  const extra = { ...(round % 3 === 2 && { images: [image] }), isError: round % 4 === 3 };
  const grown = isCalling ? answered(answer, history, extra) : [...history, answer];
  const next: Message = {
    role: 'user',
    parts: [{ type: 'text', text: `Go on, ${round}.` }, ...(round === 4 ? [image] : [])],
  };
  return isCalling && round !== 6 ? grown : [...grown, next];
}

const listNames = ['messages', 'input', 'contents'];

/** The list of messages, each as its bytes, and all the rest; the marks for caches are looked at apart. */
function partsOf({ body }: RecordedRequest) {
  const plain = JSON.parse(JSON.stringify(body, (name, value: unknown) => (name === 'cache_control' ? undefined : value))) as Record<string, unknown>; // prettier-ignore
  const listName = listNames.find((name) => Array.isArray(plain[name])) ?? '';
  const { [listName]: list, ...rest } = plain;
  return { list: (list as readonly unknown[]).map((item) => JSON.stringify(item)), rest };
}

describe.each(dialectNames)('%s', (dialect) => {
  it('sends the same bytes first in each of ten rounds with reasoning, calls, results and images', async () => {
    const { server, client } = await serve(dialect, (_, index) => turnOf(index));
    let history: Message[] = [{ role: 'user', parts: [{ type: 'text', text: 'Begin.' }, image] }];
    const tools = [readFile, { ...readFile, name: 'other' }];
    for (let round = 0; round < rounds; round += 1) {
      const { end } = await collect(client, ask(history, tools));
      history = grow(history, end.message, round);
      // Every third time as another process reads it from the journal.
      if (round % 3 === 2) history = JSON.parse(JSON.stringify(history)) as Message[];
    }
    expectAccepted(server);
    const sent = server.requests.map(partsOf);
    expect(sent).toHaveLength(rounds);
    for (const [at, { list, rest }] of sent.entries()) {
      const before = sent[at - 1];
      if (before === undefined) continue;
      expect(rest).toEqual(before.rest);
      expect(list.slice(0, before.list.length)).toEqual(before.list);
      expect(list.length).toBeGreaterThan(before.list.length);
    }
  });
});

/** What was sent before is not converted again: this must not show. */
describe.each(dialectNames)('%s', (dialect) => {
  it('sends in each round what a client would send that has sent nothing before', async () => {
    const { server, client } = await serve(dialect, (_, index) => turnOf(Math.floor(index / 2)));
    let history: Message[] = [{ role: 'user', parts: [{ type: 'text', text: 'Begin.' }, image] }];
    for (let round = 0; round < rounds; round += 1) {
      const { end } = await collect(client, ask(history));
      await collect(connect(dialect, server.url), ask(history));
      history = grow(history, end.message, round);
      // A history may also be cut at its beginning, or lose its end.
      if (round === 5) history = history.slice(2);
      if (round === 7) history = [...history.slice(0, -1), user('Something else.')];
    }
    expectAccepted(server);
    const sent = server.requests.map(({ text }) => text);
    for (let at = 0; at < sent.length; at += 2) expect(sent[at]).toBe(sent[at + 1]);
    expect(new Set(sent).size).toBe(rounds);
  });
});

type Marked = { readonly cache_control?: unknown };
type AnthropicBody = {
  readonly system: readonly Marked[];
  readonly tools: readonly Marked[];
  readonly messages: readonly { readonly role: string; readonly content: readonly Marked[] }[];
};

it('anthropic: marks what a cache may keep, at most four times, so that each request finds what the one before it stored', async () => {
  const { server, client } = await serve('anthropic', (_, index) => turnOf(index));
  let history: Message[] = [user('Begin.')];
  for (let round = 0; round < rounds; round += 1) {
    const { end } = await collect(client, ask(history));
    history = grow(history, end.message, round);
  }
  let lastMarked: readonly [number, number] | undefined;
  for (const { body, text } of server.requests) {
    const { system, tools, messages } = body as unknown as AnthropicBody;
    expect(text.match(/"cache_control":/g)?.length).toBeLessThanOrEqual(4);
    expect(system.at(-1)?.cache_control).toEqual({ type: 'ephemeral' });
    expect(tools.at(-1)?.cache_control).toEqual({ type: 'ephemeral' });
    const last = messages.at(-1);
    expect(last?.role).toBe('user');
    expect(last?.content.at(-1)?.cache_control).toEqual({ type: 'ephemeral' });
    if (lastMarked !== undefined) {
      const [message, block] = lastMarked;
      expect(messages[message]?.content[block]?.cache_control).toEqual({ type: 'ephemeral' });
    }
    lastMarked = [messages.length - 1, (last?.content.length ?? 0) - 1];
  }
});
