import { expect, test } from 'vitest';
import type { EventBody, JournalEvent } from '../../contract/event.ts';
import type { Conversation } from '../../contract/storage.ts';
import { exportConversation, exportName, type ExportFormat } from './export-conversation.ts';

const conversation = {
  id: 'c1',
  title: 'A `title`\nof two lines',
  workspace: '/home/me/`x`',
  createdAt: '2026-01-31T10:00:00.000Z',
  updatedAt: '2026-01-31T11:00:00.000Z',
  isThrowaway: false,
} as unknown as Conversation;

const call: readonly EventBody[] = [
  {
    ...{ type: 'tool-start', callId: '1', tool: 'any', title: 'Run command', effect: 'once', origin: 'model' },
    summary: '</summary><script>',
    input: '{"command":"ls"}',
  },
  {
    ...{ type: 'tool-end', callId: '1', tool: 'any', durationMs: 12 },
    outcome: { ok: true, text: 'a\n```\n</details>\u001b[2J' },
    decision: { verdict: 'allow', reason: 'inside <the> workspace' },
  },
];

const bodies: readonly EventBody[] = [
  {
    type: 'turn-start',
    origin: 'web',
    message: {
      role: 'user',
      parts: [
        { type: 'text', text: 'Look **here**' },
        { type: 'image', mediaType: 'image/png', data: 'AAAA' },
      ],
    },
  },
  { type: 'text-delta', text: 'half' },
  ...call,
  {
    ...{ type: 'model-end', model: 'anthropic/x', finish: 'answer', durationMs: 1 },
    message: { role: 'assistant', parts: [{ type: 'text', text: 'It is `done`.' }] },
    usage: { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0 },
  },
];

async function exported(format: ExportFormat, count = 1): Promise<string> {
  const all = Array.from({ length: count }, () => bodies)
    .flat()
    .map((body, at) => ({ ...body, conversationId: 'c1', turnId: 't', seq: at + 1, at: '' }) as JournalEvent);
  const events = (_: string, { afterSeq = 0, limit = 1 }: { afterSeq?: number; limit?: number } = {}) => {
    return Promise.resolve(all.slice(afterSeq, afterSeq + limit));
  };
  return readAll(exportConversation({ events }, conversation, format));
}

async function readAll(parts: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const part of parts) text += part;
  return text;
}

test('Markdown holds what was said and answered, and each call folded away', async () => {
  const text = await exported('markdown');
  expect(text).toContain("# A `title` of two lines\n\nIn `/home/me/'x'`, since 2026-01-31T10:00:00.000Z");
  expect(text).toContain('## You\n\nLook **here**\n\n*(an image, image/png)*\n');
  expect(text).toContain('## anthropic/x\n\nIt is `done`.\n');
  expect(text).not.toContain('half');
});

test('no text of others can leave its place in the Markdown', async () => {
  const text = await exported('markdown');
  expect(text).toContain('<details><summary>Run command: &lt;/summary&gt;&lt;script&gt; (done, 12 ms)</summary>');
  expect(text).toContain('````\na\n```\n</details>\\x1b[2J\n````');
  expect(text).toContain('Allowed: inside &lt;the&gt; workspace');
});

test('JSON holds the conversation and every event, over any number of pages', async () => {
  const read = JSON.parse(await exported('json', 300)) as { conversation: object; events: { seq: number }[] };
  expect(read.conversation).toMatchObject({ id: 'c1', workspace: '/home/me/`x`' });
  expect(read.conversation).not.toHaveProperty('isThrowaway');
  expect(read.events.map(({ seq }) => seq)).toEqual(Array.from({ length: 1_500 }, (_, at) => at + 1));
  expect(JSON.parse(await exported('json', 0))).toMatchObject({ events: [] });
});

test.each([
  ['Flaky upload test!', 'flaky-upload-test.md'],
  ['../../etc/passwd', 'etc-passwd.md'],
  ['a"b\r\nSet-Cookie: x', 'a-b-set-cookie-x.md'],
  ['Größe \u202egnp', 'größe-gnp.md'],
  ['“”', 'conversation-0123abcd.md'],
  ['x'.repeat(300), `${'x'.repeat(60)}.md`],
])('%j is kept as %s', (title, name) => {
  expect(exportName({ title, id: '0123abcdef' }, 'markdown')).toBe(name);
});
