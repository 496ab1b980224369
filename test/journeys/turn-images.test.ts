/** Images for the model's context: as a tool's result and in what the user says, and where they must not show. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool, type Tool } from '../../src/contract/tool.ts';
import { createContextJourney, factsOf } from '../kit/context-journey.ts';
import { dialectNames, image } from '../kit/dialect-client.ts';
import { createTurnJourney, turnEnd } from '../kit/turn-journey.ts';

const filler = 'The weather is fine today and the garden grows well in spite of the wind. '.repeat(12);
const look = defineTool({
  title: 'Look',
  description: 'Shows a picture.',
  isCore: true,
  input: z.strictObject({}),
  needs: [],
  access: () => [{ kind: 'none' }],
  effect: 'read',
  summary: () => 'a picture',
  run: async () => ({ text: 'Here is the picture.', images: [image] }),
}) as unknown as Tool;

const journeyOf = (dialect: (typeof dialectNames)[number], modelId?: string) =>
  createContextJourney({
    dialect,
    contextWindow: 12_000,
    tools: { look },
    answer: (_request, index) =>
      index === 0 ? { calls: [{ name: 'look', input: {} }] } : { text: `Noted ${index}. ${filler}` },
    summarise: (request) => ({ text: `Facts: ${factsOf(request)} and a picture.` }),
    ...(modelId === undefined ? {} : { modelId }),
  });

describe.each(dialectNames)('an image with %s', (dialect) => {
  test('[N12] of a result is in the next requests, stays there, and leaves them with its exchange only', async () => {
    const journey = await journeyOf(dialect);
    expect(await journey.say('Look, and mind FACT-ONE.')).toMatchObject({ reason: 'answer' });
    expect(journey.seen.map(({ text }) => text.includes(image.data))).toEqual([false, true]);
    await journey.restart();
    for (let turn = 2; turn <= 24; turn += 1) await journey.say(`Message ${turn}. ${filler}`);
    expect(journey.server.requests.map(({ problem }) => problem).filter(Boolean)).toEqual([]);
    const answers = journey.seen.filter(({ isSummary }) => !isSummary).map(({ text }) => text.includes(image.data));
    const lastWith = answers.lastIndexOf(true);
    expect(lastWith).toBeGreaterThan(3);
    expect(answers.slice(1, lastWith + 1)).not.toContain(false);
    expect(answers.at(-1)).toBe(false);
    const summaries = journey.seen.filter(({ isSummary }) => isSummary);
    expect(summaries[0]?.text).toContain('[image]');
    expect(summaries.filter(({ text }) => text.includes(image.data))).toEqual([]);
  }, 60_000);
});

test('[N12] a model that sees no images gets a line in the place of one', async () => {
  const journey = await journeyOf('openai-chat', 'gpt-3.5-turbo');
  await journey.say('Look');
  expect(journey.seen[1]?.text.includes(image.data)).toBe(false);
  expect(journey.seen[1]?.text).toContain('this model cannot see images');
});

test('[N12] an image of the user reaches the model and the journal, and no printed line', async () => {
  const journey = await createTurnJourney('openai-chat', [{ text: 'A dot.' }]);
  writeFileSync(path.join(journey.workspace, 'dot.png'), Buffer.from(image.data, 'base64'));
  const end = await journey.ask(['--image', 'dot.png', 'What is it?']);
  expect(journey.server.requests[0]?.text.includes(image.data)).toBe(true);
  expect(end.stdout).not.toContain(image.data.slice(0, 40));
  expect(end.events[0]).toMatchObject({ message: { parts: [{ type: 'text' }, { type: 'image', data: '[image]' }] } });
  const kept = await journey.eventsKept(turnEnd(end).conversationId);
  expect(kept[0]).toMatchObject({ message: { parts: [{}, { data: image.data }] } });
});
