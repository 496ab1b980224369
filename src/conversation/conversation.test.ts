import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Call } from '../contract/call.ts';
import type { EventBody, JournalEvent } from '../contract/event.ts';
import { MisuseFailure, ModelFailure } from '../contract/failure.ts';
import type { AssistantMessage } from '../contract/message.ts';
import type { ModelClient, ModelRequest } from '../contract/model.ts';
import type { Conversation, Storage } from '../contract/storage.ts';
import { foldContext } from './fold-context.ts';
import { createJournal } from './journal.ts';
import { openConversation } from './open-conversation.ts';
import { resumeTurn, startTurn, type TurnServices } from './start-turn.ts';

const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0 };
let folder: string;
let storage: Storage;
const now = () => new Date('2026-01-02T03:04:05Z');

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'handrail-conversation-'));
  const { openStorage } = await import('../../test/kit/open-test-storage.ts');
  storage = await openStorage(folder);
});
afterEach(async () => {
  await storage.close();
  await rm(folder, { recursive: true, force: true });
});

const request = (id: string, workspace = '/ws') => ({ id, title: 't', workspace, isThrowaway: false, now: now() });
const answers = (text: string): AssistantMessage => ({ role: 'assistant', parts: [{ type: 'text', text }] });

function modelThatSays(text: string) {
  const requests: ModelRequest[] = [];
  const model: ModelClient = {
    info: {
      id: 'test/model',
      contextWindow: 1_000,
      maxOutputTokens: 100,
      acceptsImages: false,
      hasNativeCalls: true,
      isSmall: false,
    },
    async *stream(given) {
      requests.push({ ...given, messages: [...given.messages] });
      yield { type: 'end', message: answers(text), usage, finish: 'answer' };
    },
  };
  return { model, requests };
}

function services(executed: Call[] = []): TurnServices {
  let ids = 0;
  return {
    storage,
    now,
    newId: () => `id${(ids += 1)}`,
    own: async () => async () => {},
    offeredTools: async () => [],
    executeCalls: async (calls, context) => {
      executed.push(...calls);
      for (const call of calls) {
        const outcome = { ok: true, text: 'ran again' };
        await context.record({
          type: 'tool-end',
          callId: call.callId,
          tool: call.tool,
          outcome,
          decision: { verdict: 'allow', reason: '' },
          durationMs: 1,
        });
      }
      return calls.map(() => ({ ok: true, text: 'ran again' }));
    },
    polls: async () => false,
    systemPrompt: async () => 'system',
  };
}
const options = (model: ModelClient, onEvent?: (event: JournalEvent) => void) => ({
  model,
  approve: 'none' as const,
  asker: undefined,
  signal: new AbortController().signal,
  maxRounds: 5,
  ...(onEvent === undefined ? {} : { onEvent }),
});
const said = (text: string) => ({ role: 'user', parts: [{ type: 'text', text }] }) as const;

/** Writes what a process had written when it was killed in the middle of calls. */
async function killedTurn(conversation: Conversation): Promise<void> {
  const record = createJournal({ store: storage.events, conversationId: conversation.id, lastSeq: 0, now }).recorder(
    'killed',
  );
  const call = (callId: string) => ({ type: 'call', callId, tool: 'some_tool', input: '{}' }) as const;
  const start = (callId: string, effect: 'read' | 'once'): EventBody => ({
    type: 'tool-start',
    callId,
    tool: 'some_tool',
    title: '',
    summary: '',
    input: '{}',
    effect,
    origin: 'model',
  });
  await record({ type: 'turn-start', message: said('do it'), origin: 'test' });
  await record({ type: 'model-start', model: 'test/model', round: 1 });
  await record({
    type: 'model-end',
    model: 'test/model',
    message: { role: 'assistant', parts: ['done', 'read', 'sent', 'asked', 'later'].map(call) },
    usage,
    finish: 'calls',
    durationMs: 1,
  });
  await record(start('done', 'once'));
  await record(start('read', 'read'));
  await record(start('sent', 'once'));
  await record(start('asked', 'once'));
  await record({ type: 'permission-ask', question: { callId: 'asked' } as never });
  await record({
    type: 'tool-end',
    callId: 'done',
    tool: 'some_tool',
    outcome: { ok: true, text: 'was done' },
    decision: { verdict: 'allow', reason: '' },
    durationMs: 1,
  });
}

describe('a turn', () => {
  it('is written before it is shown, in one order, and its context can be folded again from the journal', async () => {
    const conversation = await openConversation(storage.conversations, request('c1'));
    const shown: JournalEvent[] = [];
    const { model, requests } = modelThatSays('hello');
    const summary = await startTurn(
      services(),
      conversation,
      said('hi'),
      options(model, (event) => shown.push(event)),
    );
    expect(summary).toMatchObject({ reason: 'answer', answer: 'hello' });
    const kept = await storage.events.read('c1');
    expect(kept.map((event) => event.type)).toEqual(['turn-start', 'model-start', 'model-end', 'turn-end']);
    expect(kept.map((event) => event.seq)).toEqual([1, 2, 3, 4]);
    expect(shown).toEqual(kept);
    await startTurn(services(), conversation, said('again'), options(model));
    expect(requests[1]?.messages).toEqual([said('hi'), answers('hello'), said('again')]);
  });

  it('shows the model at once what somebody wrote into the journal from another window', async () => {
    const conversation = await openConversation(storage.conversations, request('c1'));
    const typed = { callId: 'typed', tool: 'look', input: '{}' } as const;
    const requests: ModelRequest[] = [];
    const model: ModelClient = {
      ...modelThatSays('').model,
      async *stream(given) {
        requests.push({ ...given, messages: [...given.messages] });
        const isFirst = requests.length === 1;
        if (isFirst) {
          const lastSeq = await storage.events.lastSeq('c1');
          const record = createJournal({ store: storage.events, conversationId: 'c1', lastSeq, now }).recorder('other');
          const more = { title: '', summary: '', effect: 'read', origin: 'user' } as const;
          await record({ type: 'tool-start', ...typed, ...more });
          const outcome = { ok: true, text: 'typed result' };
          const decision = { verdict: 'allow', reason: '' } as const;
          await record({ type: 'tool-end', ...typed, outcome, decision, durationMs: 1 });
        }
        const call = { type: 'call', callId: 'own', tool: 'some_tool', input: '{}' } as const;
        const message = isFirst ? ({ role: 'assistant', parts: [call] } as const) : answers('done');
        yield { type: 'end', message, usage, finish: isFirst ? 'calls' : 'answer' };
      },
    };
    await startTurn(services(), conversation, said('hi'), options(model));
    expect(requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'user', 'assistant', 'tool']);
    expect(JSON.stringify(requests[1]?.messages[1])).toContain('typed result');
    const folded = foldContext(await storage.events.read('c1'));
    expect(folded.messages.slice(0, 4)).toEqual(requests[1]?.messages);
  });

  it('that failed leaves a conversation that goes on', async () => {
    const conversation = await openConversation(storage.conversations, request('c1'));
    const failing: ModelClient = {
      ...modelThatSays('').model,
      stream: async function* () {
        throw new ModelFailure('auth', 'No key.');
      },
    };
    expect(await startTurn(services(), conversation, said('hi'), options(failing))).toMatchObject({
      reason: 'failed',
      error: { kind: 'auth' },
    });
    expect(await startTurn(services(), conversation, said('now?'), options(modelThatSays('yes').model))).toMatchObject({
      reason: 'answer',
    });
  });
});

describe('after a kill', () => {
  it('a new message closes the open calls without running anything: unknown for what may have had its effect', async () => {
    const conversation = await openConversation(storage.conversations, request('c1'));
    await killedTurn(conversation);
    const executed: Call[] = [];
    const { model, requests } = modelThatSays('I see');
    await startTurn(services(executed), conversation, said('what happened?'), options(model));
    expect(executed).toEqual([]);
    const results = requests[0]?.messages.find((message) => message.role === 'tool')?.results ?? [];
    expect(results.map((result) => [result.callId, result.isError])).toEqual([
      ['done', false],
      ['read', true],
      ['sent', true],
      ['asked', true],
      ['later', true],
    ]);
    expect(results.find((result) => result.callId === 'sent')?.text).toContain('unknown');
    expect(results.find((result) => result.callId === 'asked')?.text).not.toContain('unknown');
  });

  it('going on runs again what may run again, never what is done or may have had its effect', async () => {
    const conversation = await openConversation(storage.conversations, request('c1'));
    await killedTurn(conversation);
    const executed: Call[] = [];
    const { model, requests } = modelThatSays('finished');
    expect(await resumeTurn(services(executed), conversation, options(model))).toMatchObject({
      reason: 'answer',
      answer: 'finished',
    });
    expect(executed.map((call) => call.callId)).toEqual(['read', 'asked', 'later']);
    const results = requests[0]?.messages.at(-1);
    expect(results).toMatchObject({
      role: 'tool',
      results: [
        { text: 'was done' },
        { text: 'ran again' },
        { isError: true },
        { text: 'ran again' },
        { text: 'ran again' },
      ],
    });
    expect(foldContext(await storage.events.read('c1')).openTurn).toBeUndefined();
    expect(await resumeTurn(services(), conversation, options(model))).toBeUndefined();
  });
});

describe('a journal', () => {
  it.each([
    ['answer', 'answer'],
    ['stopped', 'stopped'],
    ['length', 'failed'],
  ] as const)('that lacks nothing but its end (%s) is ended without another request', async (finish, reason) => {
    const conversation = await openConversation(storage.conversations, request('c'));
    const journal = createJournal({ store: storage.events, conversationId: 'c', lastSeq: 0, now });
    const record = journal.recorder('killed');
    await record({ type: 'turn-start', message: said('hello'), origin: 'test' });
    await record({ type: 'model-start', model: 'test/model', round: 1 });
    await record({ type: 'model-end', model: 'test/model', message: answers('Hi.'), usage, finish, durationMs: 1 });
    const { model, requests } = modelThatSays('never');
    expect(await resumeTurn(services(), conversation, options(model))).toMatchObject({ reason, answer: 'Hi.', usage });
    expect(requests).toEqual([]);
    expect(await resumeTurn(services(), conversation, options(model))).toBeUndefined();
  });

  it('two writers of one conversation get behind each other and lose nothing', async () => {
    await openConversation(storage.conversations, request('c1'));
    const journal = () => createJournal({ store: storage.events, conversationId: 'c1', lastSeq: 0, now });
    const writers = [journal().recorder('a'), journal().recorder('b')];
    await Promise.all(Array.from({ length: 40 }, (_, at) => writers[at % 2]?.({ type: 'note', text: `${at}` })));
    const kept = await storage.events.read('c1');
    expect(kept.map((event) => event.seq)).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
    expect(new Set(kept.map((event) => (event.type === 'note' ? event.text : ''))).size).toBe(40);
  });

  it('what the user ran by hand is part of the context', () => {
    const stamp = { conversationId: 'c', turnId: 't', at: '' };
    const { messages } = foldContext([
      {
        type: 'tool-start',
        callId: 'x',
        tool: 'bash',
        title: '',
        summary: '',
        input: '{"command":"ls"}',
        effect: 'once',
        origin: 'user',
        seq: 1,
        ...stamp,
      },
      {
        type: 'tool-end',
        callId: 'x',
        tool: 'bash',
        outcome: { ok: true, text: 'a.txt' },
        decision: { verdict: 'allow', reason: '' },
        durationMs: 1,
        seq: 2,
        ...stamp,
      },
    ]);
    expect(messages).toMatchObject([{ role: 'user', parts: [{ text: expect.stringContaining('a.txt') }] }]);
  });
});

describe('a conversation', () => {
  it('keeps its workspace: another one is misuse', async () => {
    await openConversation(storage.conversations, request('c1'));
    await expect(openConversation(storage.conversations, request('c1', '/other'))).rejects.toThrow(MisuseFailure);
    expect(await openConversation(storage.conversations, request('c1'))).toMatchObject({ workspace: '/ws' });
  });

  it.each(['', '../x', '.hidden', 'a/b', 'a b', 'x'.repeat(129)])('"%s" is no id', async (id) => {
    await expect(openConversation(storage.conversations, request(id))).rejects.toThrow(MisuseFailure);
  });
});
