/** The chat without a terminal, against a scripted program. */
import { afterEach, describe, expect, it } from 'vitest';
import { earlierConversation } from '../../../test/fixtures/chat/chat-scripts.ts';
import {
  control,
  createChatDriver,
  idle,
  moving,
  press,
  printed,
  ready,
  send,
  type,
  until,
} from '../../../test/kit/chat-driver.ts';
import { answering, type TurnScript } from '../../../test/kit/fake-handrail.ts';
import { widthOfLine } from '../show/text-width.ts';
import { frameOf } from './frame.ts';

const { open, closeAll } = createChatDriver();
afterEach(closeAll);

describe('the first screen', () => {
  it('names version, workspace, rung and model', async () => {
    const { chat } = await open();
    for (const part of ['Handrail 0.1.0', '/tmp/project', 'namespaces', 'fake/model'])
      expect(printed(chat)).toContain(part);
    expect(moving(chat)).toContain('◆ namespaces · fake/model · /tmp/project');
  });

  it('without a model says every way to one, and commands and tools work', async () => {
    const { chat, handrail } = await open({ hasNoModel: true });
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

describe('how it was started', () => {
  it('a mode that answers questions by itself is on screen', async () => {
    const { chat } = await open({ chat: { approve: 'all' } });
    expect(moving(chat)).toContain('◆ namespaces · everything is approved · fake/model');
  });

  it('a conversation of another workspace is misuse', async () => {
    const elsewhere = { ...earlierConversation, workspace: '/elsewhere' };
    const start = open({ conversations: [elsewhere], chat: { conversationId: 'earlier' } });
    await expect(start).rejects.toThrow('belongs to /elsewhere');
  });
});
