/** The chat without a terminal, against a scripted program. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  answering,
  createFakeHandrail,
  type FakeHandrail,
  type FakeOptions,
  type TurnScript,
} from '../../../test/kit/fake-handrail.ts';
import { chatScripts, chatTools, earlierConversation } from '../../../test/fixtures/chat/chat-scripts.ts';
import { plainText } from '../show/span.ts';
import { widthOfLine } from '../show/text-width.ts';
import { createChat, type Chat, type ChatOptions } from './chat.ts';
import { frameOf } from './frame.ts';
import { itemLines } from './item-lines.ts';
import { keyPress, type KeyName } from './key-press.ts';

const left: Chat[] = [];

afterEach(async () => {
  for (const chat of left.splice(0)) {
    chat.leave(0);
    await chat.settled();
  }
});

async function open(
  options: FakeOptions & { quietMs?: number; chat?: Partial<ChatOptions> } = {},
): Promise<{ chat: Chat; handrail: FakeHandrail }> {
  const handrail = createFakeHandrail({ model: 'fake/model', tools: chatTools, scripts: chatScripts, ...options });
  const chat = createChat({
    handrail,
    approve: 'ask',
    continueLatest: false,
    quietMs: options.quietMs ?? 20,
    ...options.chat,
  });
  left.push(chat);
  await chat.start();
  return { chat, handrail };
}

const printed = (chat: Chat): string =>
  chat.store
    .get()
    .screen.items.flatMap((item) => itemLines(item, 78))
    .map(plainText)
    .join('\n');
const moving = (chat: Chat): string =>
  frameOf(chat.store.get(), { width: 79, rows: 24 }, Date.now(), undefined).lines.map(plainText).join('\n');
const type = (chat: Chat, text: string): void => chat.press(keyPress('text', { text }));
const press = (chat: Chat, ...names: readonly KeyName[]): void => names.forEach((name) => chat.press(keyPress(name)));
const control = (chat: Chat, letter: string): void => chat.press(keyPress('control', { ctrl: true, text: letter }));
const send = (chat: Chat, text: string): void => (type(chat, text), press(chat, 'enter'));
const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 10_000, interval: 10 });
const idle = (chat: Chat): Promise<void> => until(() => expect(chat.store.get().work).toBeUndefined());
const ready = (chat: Chat): Promise<void> => until(() => expect(chat.store.get().question?.isReady).toBe(true));

describe('the first screen', () => {
  it('names version, workspace, rung and model', async () => {
    const { chat } = await open();
    for (const part of ['Handrail 0.1.0', '/tmp/project', 'namespaces', 'fake/model'])
      expect(printed(chat)).toContain(part);
    expect(moving(chat)).toContain('◆ namespaces · fake/model · /tmp/project');
  });

  it('without a model says every way to one, and commands and tools work', async () => {
    const handrail = createFakeHandrail({ tools: chatTools });
    const chat = createChat({ handrail, approve: 'ask', continueLatest: false });
    left.push(chat);
    await chat.start();
    for (const part of [
      'ANTHROPIC_API_KEY',
      'OPENAI_API_KEY',
      'GEMINI_API_KEY',
      'handrail secrets set',
      'ollama',
      'llama',
      'LM Studio',
      'handrail demo',
      '!ls',
    ])
      expect(printed(chat)).toContain(part);
    send(chat, '!ls -la');
    await idle(chat);
    send(chat, '/read_file a.ts offset=3');
    await idle(chat);
    expect(handrail.seen.inputs).toEqual([
      { tool: 'execute_shell_command', input: { command: 'ls -la' } },
      { tool: 'read_file', input: { path: 'a.ts', offset: 3 } },
    ]);
    send(chat, 'hello');
    await idle(chat);
    expect(handrail.seen.texts).toEqual([]);
    expect(printed(chat)).toContain('No model is connected yet');
  });
});

describe('sending', () => {
  it('a message goes to the model and its answer to the screen', async () => {
    const { chat, handrail } = await open();
    send(chat, 'hi there');
    await idle(chat);
    expect(handrail.seen.texts).toEqual(['hi there']);
    expect(printed(chat)).toContain('You said: hi there');
  });

  it('a pasted text of many lines is one message, also when a line begins with "!"', async () => {
    const { chat, handrail } = await open();
    chat.paste('first\n!rm -rf /\nlast\n');
    expect(handrail.seen.texts).toEqual([]);
    press(chat, 'enter');
    await idle(chat);
    expect(handrail.seen.texts).toEqual(['first\n!rm -rf /\nlast']);
    expect(handrail.seen.inputs).toEqual([]);
  });

  it('a backslash at the end makes a line, two slashes a message', async () => {
    const { chat, handrail } = await open();
    send(chat, 'one\\');
    send(chat, 'two');
    await idle(chat);
    send(chat, '//help me');
    await idle(chat);
    send(chat, '/etc/hosts is what?');
    await idle(chat);
    expect(handrail.seen.texts).toEqual(['one\ntwo', '/help me', '/etc/hosts is what?']);
  });

  it('what is sent while something runs waits its turn and is shown as queued', async () => {
    let go = (): void => undefined;
    const slow: TurnScript = async (turn) => {
      await new Promise<void>((resolve) => (go = resolve));
      await answering('slow answer')(turn);
    };
    const { chat, handrail } = await open({ scripts: { slow } });
    send(chat, 'slow');
    send(chat, 'second');
    await until(() => expect(handrail.seen.texts).toEqual(['slow']));
    expect(moving(chat)).toContain('› second  queued');
    go();
    await until(() => expect(handrail.seen.texts).toEqual(['slow', 'second']));
  });

  it('an unknown command suggests one, a wrong argument says what is wanted', async () => {
    const { chat, handrail } = await open();
    send(chat, '/read_fil path=x');
    expect(printed(chat)).toContain('There is no /read_fil. Did you mean /read_file?');
    send(chat, '/grep pattern=x ignoreCase=perhaps');
    expect(printed(chat)).toContain('ignoreCase: "perhaps" is not true or false.');
    expect(handrail.seen.inputs).toEqual([]);
  });

  it('Tab finishes commands, tools and arguments', async () => {
    const { chat } = await open();
    type(chat, '/rea');
    press(chat, 'tab');
    type(chat, 'pa');
    press(chat, 'tab');
    expect(chat.store.get().draft.text).toBe('/read_file path=');
  });
});

describe('stopping and leaving', () => {
  it('Ctrl-C stops a turn within two seconds, a queued text comes back to the input', async () => {
    const { chat } = await open();
    send(chat, 'long');
    await until(() => expect(chat.store.get().screen.calls).toHaveLength(1));
    send(chat, 'next');
    const startedAt = performance.now();
    control(chat, 'c');
    await idle(chat);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(printed(chat)).toContain('Stopped by you');
    expect(chat.store.get().draft.text).toBe('next');
    expect(chat.store.get().exitCode).toBeUndefined();
  });

  it('the prompt is back within two seconds also when the program does not end', async () => {
    const deaf: TurnScript = () => new Promise((resolve) => setTimeout(resolve, 4_000));
    const { chat } = await open({ scripts: { deaf } });
    send(chat, 'deaf');
    await until(() => expect(chat.store.get().work).toBeDefined());
    const startedAt = performance.now();
    control(chat, 'c');
    await idle(chat);
    expect(performance.now() - startedAt).toBeLessThan(2_100);
  });

  it('a second Ctrl-C leaves, and so do two at an empty prompt and Ctrl-D', async () => {
    const { chat: running } = await open();
    send(running, 'long');
    await until(() => expect(running.store.get().screen.calls).toHaveLength(1));
    control(running, 'c');
    control(running, 'c');
    expect(running.store.get().exitCode).toBe(130);

    const { chat: empty } = await open();
    control(empty, 'c');
    expect(empty.store.get()).toMatchObject({ hint: 'Press Ctrl-C again to leave', exitCode: undefined });
    control(empty, 'c');
    expect(empty.store.get().exitCode).toBe(0);

    const { chat: other } = await open();
    type(other, 'x');
    control(other, 'd');
    expect(other.store.get().exitCode).toBeUndefined();
    control(other, 'c');
    expect(other.store.get().draft.text).toBe('');
    control(other, 'd');
    expect(other.store.get().exitCode).toBe(0);
  });

  it('Ctrl-C withdraws an open question', async () => {
    const { chat, handrail } = await open();
    send(chat, 'ask');
    await ready(chat);
    control(chat, 'c');
    await idle(chat);
    expect(chat.store.get().question).toBeUndefined();
    expect(handrail.seen.answers).toEqual([]);
  });
});

describe('questions', () => {
  it.each([
    ['a', 'once'],
    ['y', 'once'],
    ['1', 'once'],
    ['c', 'conversation'],
    ['2', 'conversation'],
    ['d', 'deny'],
    ['n', 'deny'],
    ['3', 'deny'],
  ])('[L04] the key %s answers %s', async (key, answer) => {
    const { chat, handrail } = await open();
    send(chat, 'ask');
    await ready(chat);
    type(chat, key);
    await idle(chat);
    expect(handrail.seen.answers).toEqual([answer]);
  });

  it('[L04] Enter alone and Escape deny; no default allows', async () => {
    for (const key of ['enter', 'escape'] as const) {
      const { chat, handrail } = await open();
      send(chat, 'ask');
      await ready(chat);
      press(chat, key);
      await idle(chat);
      expect(handrail.seen.answers).toEqual(['deny']);
    }
  });

  it('a key pressed as the question appears answers nothing', async () => {
    const { chat, handrail } = await open({ quietMs: 300 });
    send(chat, 'ask');
    await until(() => expect(chat.store.get().question).toBeDefined());
    type(chat, 'a');
    press(chat, 'enter');
    await ready(chat);
    expect(handrail.seen.answers).toEqual([]);
    expect(moving(chat)).toContain('❯3 Deny');
  });

  it('twin: without the quiet time the same key would allow', async () => {
    const { chat, handrail } = await open({ quietMs: 0 });
    send(chat, 'ask');
    await ready(chat);
    type(chat, 'a');
    await idle(chat);
    expect(handrail.seen.answers).toEqual(['once']);
  });

  it('a question never takes the keyboard from a sentence: before, or in the middle of a word', async () => {
    const { chat, handrail } = await open();
    send(chat, 'ask');
    type(chat, 'a long ');
    await until(() => expect(chat.store.get().question).toBeDefined());
    type(chat, 'answer');
    expect(chat.store.get()).toMatchObject({ draft: { text: 'a long answer' }, question: { isFocused: false } });
    expect(moving(chat)).toContain('Tab answers it');
    press(chat, 'tab');
    await ready(chat);
    type(chat, 'd');
    await idle(chat);
    expect(handrail.seen.answers).toEqual(['deny']);

    const { chat: other } = await open({ quietMs: 100 });
    send(other, 'ask');
    await until(() => expect(other.store.get().question).toBeDefined());
    type(other, 'and ');
    type(other, 'also');
    await until(() => expect(other.store.get().draft.text).toBe('and also'));
    expect(other.store.get().question?.isFocused).toBe(false);
  });

  it('pasted text answers nothing', async () => {
    const { chat, handrail } = await open();
    send(chat, 'ask');
    await ready(chat);
    chat.paste('a');
    chat.paste('1\n');
    expect(handrail.seen.answers).toEqual([]);
  });

  it('several questions come one after the other', async () => {
    const { chat, handrail } = await open();
    send(chat, 'two');
    await ready(chat);
    await until(() => expect(moving(chat)).toContain('1 more after this'));
    type(chat, 'a');
    await ready(chat);
    type(chat, 'd');
    await idle(chat);
    expect(handrail.seen.answers).toEqual(['once', 'deny']);
  });

  it('[E16] a scope that is not offered has no key', async () => {
    const { chat, handrail } = await open();
    send(chat, 'hidden');
    await ready(chat);
    type(chat, 'c');
    type(chat, '2');
    type(chat, 'w');
    expect(handrail.seen.answers).toEqual([]);
    expect(moving(chat)).not.toContain('Allow in this chat');
    expect(moving(chat)).toContain('dangerous');
  });

  it('[E08] the diff is scrolled to its end above the choices', async () => {
    const { chat } = await open();
    send(chat, 'edit');
    await ready(chat);
    expect(moving(chat)).toMatch(/lines 1 to \d+ of \d+/);
    press(chat, 'end');
    expect(moving(chat)).toMatch(/lines (\d+) to (\d+) of \2/);
    expect(moving(chat).indexOf('return values.reduce')).toBeLessThan(moving(chat).indexOf('3 Deny'));
  });
});

describe('conversations', () => {
  it('goes on with the newest conversation and with the turn that was cut off', async () => {
    const { chat, handrail } = await open({ conversations: [earlierConversation], chat: { continueLatest: true } });
    await idle(chat);
    expect(handrail.seen.resumed).toBe(1);
    expect(printed(chat)).toContain('› fix the build');
    expect(printed(chat)).toContain('Here is the rest.');
    press(chat, 'up');
    expect(chat.store.get().draft.text).toBe('fix the build');
  });

  it('/resume picks, /new begins afresh', async () => {
    const { chat } = await open({ conversations: [{ ...earlierConversation, events: [] }] });
    const first = chat.store.get().conversationId;
    send(chat, '/resume');
    await until(() => expect(chat.store.get().picker?.items[0]?.label).toBe('fix the build'));
    press(chat, 'enter');
    await until(() => expect(chat.store.get().conversationId).toBe('earlier'));
    send(chat, '/new');
    expect(['earlier', first]).not.toContain(chat.store.get().conversationId);
  });

  it('/model, /grants and /doctor do what they say', async () => {
    const { chat, handrail } = await open();
    send(chat, '/model');
    await until(() => expect(chat.store.get().picker).toBeDefined());
    type(chat, 'qwen');
    press(chat, 'enter');
    await until(() => expect(chat.store.get().model?.id).toBe('ollama/qwen3:8b'));
    send(chat, '/model nobody/knows');
    await until(() => expect(printed(chat)).toContain('There is no model "nobody/knows"'));
    send(chat, '/grants');
    await until(() => expect(chat.store.get().picker?.title).toBe('Allowed by you'));
    press(chat, 'enter');
    await until(() => expect(handrail.seen.revoked).toEqual(['g1']));
    send(chat, '/doctor');
    await until(() => expect(printed(chat)).toContain('apt install bubblewrap'));
  });

  it('/show prints the whole of a result', async () => {
    const { chat } = await open();
    send(chat, 'tools');
    await until(() => expect(printed(chat)).toContain('Fixed.'));
    await idle(chat);
    expect(printed(chat)).not.toContain('line 8');
    send(chat, '/show 4');
    expect(printed(chat)).toContain('line 8');
  });
});

describe('the frame', () => {
  it.each([
    [80, 24],
    [40, 16],
    [24, 12],
    [120, 40],
  ])('is never higher or wider than a terminal of %d by %d', async (columns, rows) => {
    const { chat } = await open();
    const check = (): void => {
      const frame = frameOf(chat.store.get(), { width: columns - 1, rows }, Date.now(), undefined);
      expect(frame.lines.length).toBeLessThan(rows);
      for (const line of frame.lines) expect(widthOfLine(line)).toBeLessThanOrEqual(columns - 1);
    };
    chat.paste('x\n'.repeat(50));
    check();
    control(chat, 'c');
    for (const text of ['hidden', 'edit']) {
      send(chat, text);
      await ready(chat);
      check();
      type(chat, 'v');
      check();
      press(chat, 'escape');
      await idle(chat);
    }
    send(chat, '/model');
    await until(() => expect(chat.store.get().picker).toBeDefined());
    check();
  });
});
