/** Models of any two dialects in one chain: what one of them signed never reaches the other, and comes back to itself. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Message } from '../../src/contract/message.ts';
import type { ModelClient } from '../../src/contract/model.ts';
import { createModelClient } from '../../src/models/create-model-client.ts';
import { createFallbackChain } from '../../src/models/fallback-chain.ts';
import {
  answered,
  ask,
  collect,
  createServing,
  dialectNames,
  expectAccepted,
  key,
  services,
  user,
} from '../kit/dialect-client.ts';
import type { Turn, WireDialectName } from '../kit/model-server.ts';

const { serve, close } = createServing();
afterEach(close);

const thinks = (who: string): Turn => ({
  reasoning: `Thought of ${who}.`,
  signature: Buffer.from(`signed by ${who}`).toString('base64'),
  text: `Word of ${who}.`,
  calls: [{ name: 'read_file', input: { path: `${who}.txt` } }, { name: 'read_file' }],
});
const marksOf = (who: string) => [`Thought of ${who}.`, Buffer.from(`signed by ${who}`).toString('base64')];

/** Another model of the same service: the same dialect twice is still two models. */
function connectOther(dialect: WireDialectName, url: string): ModelClient {
  const model = {
    'openai-chat': 'openai-chat/acme/other',
    'openai-responses': 'openai/gpt-5.2',
    anthropic: 'anthropic/claude-opus-4-5',
    gemini: 'gemini/gemini-2.5-flash',
  }[dialect];
  return createModelClient({
    model,
    environment: { [services[dialect].baseUrlName]: url },
    readSecret: async () => key,
  });
}

const pairs = dialectNames.flatMap((first) => dialectNames.map((second) => [first, second] as const));

describe.each(pairs)('%s, then %s', (first, second) => {
  it('[K69] carry one conversation, each with its own signatures only', async () => {
    const out: Turn = { error: 'quota' };
    const one = await serve(first, [thinks('one'), out, thinks('one again')]);
    const two = await serve(second, [thinks('two'), out]);
    const chain = createFallbackChain([one.client, connectOther(second, two.server.url)]);
    let history: Message[] = [user('Hello')];
    const answers = [];
    for (let round = 0; round < 3; round += 1) {
      const { end } = await collect(chain, ask(history));
      answers.push(end.message.parts.find((part) => part.type === 'text')?.text);
      history = JSON.parse(JSON.stringify(answered(end.message, history))) as Message[];
    }
    expect(answers).toEqual(['Word of one.', 'Word of two.', 'Word of one again.']);
    for (const { server } of [one, two]) expectAccepted(server);
    const [toTwo, back] = [two.server.requests[0]?.text ?? '', one.server.requests[2]?.text ?? ''];
    // What was said and called is common; notes and signatures are not.
    expect(toTwo).toContain('Word of one.');
    expect(back).toContain('Word of two.');
    for (const mark of marksOf('one')) expect(toTwo).not.toContain(mark);
    for (const mark of marksOf('two')) expect(back).not.toContain(mark);
    expect(marksOf('one').some((mark) => back.includes(mark))).toBe(true);
  });
});
