/** The chat for terminals that cannot move their cursor (TERM=dumb): lines in, lines out, nothing drawn twice. */
import { createInterface } from 'node:readline';
import { createPalette } from '../show/palette.ts';
import { questionParts } from '../show/question-lines.ts';
import { questionTitle } from '../show/question-title.ts';
import type { Line } from '../show/span.ts';
import type { Chat } from './chat.ts';
import type { OpenQuestion } from './chat-state.ts';
import { itemLines } from './item-lines.ts';
import { keyPress } from './key-press.ts';
import { shownItems } from './picker.ts';
import { choicesOf } from './question-choices.ts';

export async function runPlainChat(
  chat: Chat,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<number> {
  const palette = createPalette('plain');
  const reader = createInterface({ input, output, terminal: false });
  const width = 79;
  let printed = 0;
  let shown = '';
  const print = (lines: readonly Line[]): void => {
    for (const each of lines) output.write(`${palette.paint(each)}\n`);
  };
  const prompt = (text: string, lines: readonly Line[] = []): void => {
    if (shown === text) return;
    shown = text;
    print(lines);
    if (text !== '') output.write(text);
  };
  const show = (): void => {
    const { screen, question, picker, work, exitCode } = chat.store.get();
    if (printed < screen.items.length && shown !== '') output.write('\n');
    if (printed < screen.items.length) shown = '';
    for (; printed < screen.items.length; printed += 1) {
      const item = screen.items[printed];
      if (item !== undefined) print(itemLines(item, width));
    }
    if (exitCode !== undefined) return reader.close();
    // Shown when it can be answered: a line that was on its way to the chat must not answer it.
    if (question !== undefined)
      return question.isReady ? prompt(`${choiceWords(question)}: `, plainQuestion(question, width)) : undefined;
    if (picker !== undefined) {
      const rows = shownItems(picker).map((item, at): Line => [
        { text: `${at + 1} ${item.label}  ${item.detail}`, marks: [] },
      ]);
      return prompt(`${picker.title}, number: `, rows);
    }
    if (work === undefined) prompt('> ');
  };
  const stop = chat.store.follow(show);
  const onInterrupt = (): void => chat.press(keyPress('control', { ctrl: true, text: 'c' }));
  process.on('SIGINT', onInterrupt);
  try {
    await chat.start();
    show();
    for await (const text of reader) {
      shown = '';
      takeLine(chat, text);
      if (chat.store.get().exitCode !== undefined) break;
      show();
    }
    chat.leave(0);
    return chat.store.get().exitCode ?? 0;
  } finally {
    stop();
    process.off('SIGINT', onInterrupt);
    reader.close();
  }
}

function takeLine(chat: Chat, text: string): void {
  const { question, picker } = chat.store.get();
  if (question !== undefined) {
    // Only a whole, known answer counts; an empty line is none.
    const typed = text.trim();
    if (typed.length === 1) chat.press(keyPress('text', { text: typed }));
    return;
  }
  if (picker !== undefined) {
    const at = Number(text.trim()) - 1;
    if (Number.isInteger(at) && at >= 0) for (let step = 0; step < at; step += 1) chat.press(keyPress('down'));
    chat.press(keyPress(Number.isInteger(at) && at >= 0 ? 'enter' : 'escape'));
    return;
  }
  if (text.trim() !== '') chat.send(text);
}

function plainQuestion(open: OpenQuestion, width: number): readonly Line[] {
  const parts = questionParts(open.question, width, true);
  const title = `${questionTitle(open.question)}${open.question.isDangerous ? '  dangerous' : ''}`;
  return [[], [{ text: title, marks: [] }], ...parts.why, ...parts.body, ...parts.facts];
}

function choiceWords(open: OpenQuestion): string {
  return choicesOf(open.question)
    .map((choice) => `${choice.digit} ${choice.label}`)
    .join(', ');
}
