/** Questions to the person at the terminal: every key, no accident. */
import { afterEach, describe, expect, it } from 'vitest';
import { createChatDriver, idle, moving, press, ready, send, type, until } from '../../../test/kit/chat-driver.ts';

const { open, closeAll } = createChatDriver();
afterEach(closeAll);

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
