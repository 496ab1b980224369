/** Drives the chat without a terminal: opens it on a scripted program, presses keys, reads what it shows. */
import { expect, vi } from 'vitest';
import { createChat, type Chat, type ChatOptions } from '../../src/cli/chat/chat.ts';
import { frameOf } from '../../src/cli/chat/frame.ts';
import { itemLines } from '../../src/cli/chat/item-lines.ts';
import { keyPress, type KeyName } from '../../src/cli/chat/key-press.ts';
import { plainText } from '../../src/cli/show/span.ts';
import { chatScripts, chatTools } from '../fixtures/chat/chat-scripts.ts';
import { createFakeHandrail, type FakeHandrail, type FakeOptions } from './fake-handrail.ts';

export type OpenChatOptions = FakeOptions & {
  readonly quietMs?: number;
  readonly hasNoModel?: boolean;
  readonly chat?: Partial<ChatOptions>;
};

export type ChatDriver = {
  open(options?: OpenChatOptions): Promise<{ readonly chat: Chat; readonly handrail: FakeHandrail }>;
  /** Leaves every chat that was opened. */
  closeAll(): Promise<void>;
};

export function createChatDriver(): ChatDriver {
  const opened: Chat[] = [];
  return {
    async open(options = {}) {
      const model = options.hasNoModel === true ? {} : { model: 'fake/model' };
      const handrail = createFakeHandrail({ ...model, tools: chatTools, scripts: chatScripts, ...options });
      const quietMs = options.quietMs ?? 20;
      const chat = createChat({ handrail, approve: 'ask', continueLatest: false, quietMs, ...options.chat });
      opened.push(chat);
      await chat.start();
      return { chat, handrail };
    },
    async closeAll() {
      for (const chat of opened.splice(0)) {
        chat.leave(0);
        await chat.settled();
      }
    },
  };
}

/** All that was printed for good. */
export const printed = (chat: Chat): string =>
  chat.store
    .get()
    .screen.items.flatMap((item) => itemLines(item, 78))
    .map(plainText)
    .join('\n');

/** What moves, on a terminal of 80 by 24. */
export const moving = (chat: Chat): string =>
  frameOf(chat.store.get(), { width: 79, rows: 24 }, Date.now(), undefined).lines.map(plainText).join('\n');

export const type = (chat: Chat, text: string): void => chat.press(keyPress('text', { text }));

export const press = (chat: Chat, ...names: readonly KeyName[]): void =>
  names.forEach((name) => chat.press(keyPress(name)));

export const control = (chat: Chat, letter: string): void =>
  chat.press(keyPress('control', { ctrl: true, text: letter }));

export function send(chat: Chat, text: string): void {
  type(chat, text);
  press(chat, 'enter');
}

export const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 10_000, interval: 10 });

export const idle = (chat: Chat): Promise<void> => until(() => expect(chat.store.get().work).toBeUndefined());

/** The open question takes keys. */
export const ready = (chat: Chat): Promise<void> => until(() => expect(chat.store.get().question?.isReady).toBe(true));
