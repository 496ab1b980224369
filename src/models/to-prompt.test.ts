import { describe, expect, it } from 'vitest';
import type { AssistantMessage, Message } from '../contract/message.ts';
import { createPromptConverter } from './to-prompt.ts';
import type { PromptRules } from './to-prompt.ts';

const rules: PromptRules = {
  model: 'a/b',
  acceptsImages: true,
  arguments: 'object',
  resultImages: 'native',
  marksErrors: true,
  reasoning: 'always',
};
const image = { type: 'image' as const, mediaType: 'image/jpg', data: 'AAAA' };

function user(text: string): Message {
  return { role: 'user', parts: [{ type: 'text', text }] };
}
function calling(...callIds: string[]): AssistantMessage {
  return { role: 'assistant', parts: callIds.map((callId) => ({ type: 'call', callId, tool: 'ls', input: '{}' })) };
}
function results(...callIds: string[]): Message {
  return {
    role: 'tool',
    results: callIds.map((callId) => ({ callId, tool: 'ls', text: `of ${callId}`, isError: false })),
  };
}
function convert(messages: readonly Message[], change: Partial<PromptRules> = {}) {
  return createPromptConverter({ ...rules, ...change })('', messages);
}
/** Roles and, for results, the order of their ids. */
function outline(messages: readonly Message[]): string[] {
  return convert(messages).map((message) => {
    if (message.role !== 'tool') return message.role;
    return message.content.map((part) => (part.type === 'tool-result' ? part.toolCallId : '?')).join(' ');
  });
}

describe('calls and results', () => {
  it('puts results behind their call in the calls’ order, wherever and however often they stand', () => {
    const history = [user('x'), calling('a', 'b', 'c'), results('c'), user('between'), results('a', 'zzz', 'b', 'a')];
    expect(outline(history)).toEqual(['user', 'assistant', 'a b c', 'user']);
  });

  it('says that no result was recorded, as an error', () => {
    const message = convert([user('x'), calling('a'), user('y')])[2];
    expect(message).toMatchObject({ role: 'tool', content: [{ toolCallId: 'a', output: { type: 'error-text' } }] });
  });

  it('gives the results of repeated ids to the calls in turn', () => {
    const history = [user('x'), calling('a', 'a'), results('a', 'a'), calling('a'), results('a')];
    const ids = outline(history).filter((each) => each.includes('a') && each !== 'assistant').join(' ').split(' '); // prettier-ignore
    expect(new Set(ids).size).toBe(3);
    expect(JSON.stringify(convert(history))).not.toContain('No result');
  });
});

describe('what says nothing', () => {
  it('drops empty messages and reasoning that led to nothing', () => {
    const thought = { type: 'reasoning' as const, text: 'hm', providerData: { model: 'a/b', data: { x: { y: 1 } } } };
    const history: Message[] = [
      user('x'),
      { role: 'assistant', parts: [thought, { type: 'text', text: '\n' }] },
      user('y'),
    ];
    expect(outline(history)).toEqual(['user', 'user']);
  });

  it('lets an empty user message say so', () => {
    expect(convert([user(' ')])).toEqual([{ role: 'user', content: [{ type: 'text', text: '(empty message)' }] }]);
  });

  it('begins and ends with the user, whose words the provider waits for', () => {
    const said: Message = { role: 'assistant', parts: [{ type: 'text', text: 'I' }] };
    expect(outline([said, user('x'), said])).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
  });

  it('leaves an empty system prompt out', () => {
    const converter = createPromptConverter(rules);
    expect(converter(' ', [user('x')]).map((message) => message.role)).toEqual(['user']);
    expect(converter('S', [user('x')])[0]).toEqual({ role: 'system', content: 'S' });
  });
});

describe('reasoning and signatures', () => {
  const parts: AssistantMessage['parts'] = [
    { type: 'reasoning', text: 'mine', providerData: { model: 'a/b', data: { n: { signature: 's1' } } } },
    { type: 'reasoning', text: 'foreign', providerData: { model: 'a/c', data: { n: { signature: 's2' } } } },
    { type: 'reasoning', text: 'unknown' },
    { type: 'text', text: 'said', providerData: { model: 'a/c', data: { n: { signature: 's3' } } } },
  ];

  it('go back to the model that made them and to no other', () => {
    const text = JSON.stringify(convert([user('x'), { role: 'assistant', parts }, user('y')]));
    expect(text).toContain('"mine","providerOptions":{"n":{"signature":"s1"}}');
    for (const gone of ['foreign', 'unknown', 's2', 's3']) expect(text).not.toContain(gone);
    expect(text).toContain('said');
  });

  it('go only with calls where the dialect wants it so', () => {
    const change = { reasoning: 'with-calls' as const };
    expect(JSON.stringify(convert([user('x'), { role: 'assistant', parts }, user('y')], change))).not.toContain('mine');
    const withCall: Message = { role: 'assistant', parts: [...parts, ...calling('a').parts] };
    expect(JSON.stringify(convert([user('x'), withCall, results('a')], change))).toContain('mine');
  });
});

describe('images', () => {
  const withImage: Message = {
    role: 'tool',
    results: [{ callId: 'a', tool: 'ls', text: 'see', isError: false, images: [image] }],
  };
  const history = [user('x'), calling('a'), withImage];

  it('stay in the result, or move behind it', () => {
    expect(convert(history).map((message) => message.role)).toEqual(['user', 'assistant', 'tool']);
    const moved = convert(history, { resultImages: 'moved' });
    expect(moved.map((message) => message.role)).toEqual(['user', 'assistant', 'tool', 'user']);
    expect(moved[3]).toMatchObject({ content: [{ type: 'text' }, { type: 'file', mediaType: 'image/jpeg' }] });
    expect(JSON.stringify(moved[2])).not.toContain('AAAA');
  });

  it('move out of an error, which has room for text only', () => {
    const failed: Message = {
      role: 'tool',
      results: [{ callId: 'a', tool: 'ls', text: 'no', isError: true, images: [image] }],
    };
    const converted = convert([user('x'), calling('a'), failed]);
    expect(converted[2]).toMatchObject({ content: [{ output: { type: 'error-text', value: 'no' } }] });
    expect(JSON.stringify(converted[3])).toContain('AAAA');
  });

  it('are said to be left out where the model cannot see', () => {
    const blind = convert([{ role: 'user', parts: [image] }, calling('a'), withImage], { acceptsImages: false });
    expect(JSON.stringify(blind)).not.toContain('AAAA');
    expect(JSON.stringify(blind).match(/cannot see images/g)).toHaveLength(2);
  });
});

describe('a growing history', () => {
  it('keeps what was converted, and notices results that were shortened since', () => {
    const converter = createPromptConverter(rules);
    const history = [user('x'), calling('a'), results('a')];
    const before = converter('', history);
    const after = converter('', [...history, user('y')]);
    for (const at of [0, 1, 2]) expect(after[at]).toBe(before[at]);
    const short: Message = { role: 'tool', results: [{ callId: 'a', tool: 'ls', text: 'short', isError: false }] };
    expect(JSON.stringify(converter('', [...history.slice(0, 2), short]))).toContain('short');
  });

  it('keeps what was converted while a result was missing apart from what came with it', () => {
    const converter = createPromptConverter(rules);
    const call = calling('a');
    expect(JSON.stringify(converter('', [user('x'), call]))).toContain('No result');
    expect(JSON.stringify(converter('', [user('x'), call, results('a')]))).toContain('of a');
  });
});

describe('a converter that is used again', () => {
  it('gives what a new one gives, however the history grows, shrinks or changes in between', () => {
    const first = [user('x'), calling('a', 'b')];
    const answered = [...first, results('b')];
    const whole = [...answered, results('a'), calling('a'), results('a'), user('y')];
    const [x, , ...rest] = whole;
    const shortened = [x ?? user('x'), ...rest];
    const kept = createPromptConverter(rules);
    for (const history of [first, answered, whole, whole, shortened, first, whole, [], answered, whole])
      expect(kept('system', history)).toEqual(createPromptConverter(rules)('system', history));
  });
});
