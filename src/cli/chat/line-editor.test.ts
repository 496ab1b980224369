/** The keys of a line editor. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { graphemesOf } from '../show/text-width.ts';
import { historyOf, walkHistory } from './input-history.ts';
import { keyPress, keyPressesOf, type KeyPress } from './key-press.ts';
import { draftOf, editDraft, emptyDraft, insertPaste, type Draft } from './line-editor.ts';

const typed = (text: string): KeyPress => keyPress('text', { text });
const control = (letter: string): KeyPress => keyPress('control', { ctrl: true, text: letter });
const wordLeft = keyPress('left', { ctrl: true });

/** `|` is the cursor. */
function after(picture: string, ...keys: readonly KeyPress[]): string {
  const at = picture.indexOf('|');
  let draft: Draft = { text: picture.replace('|', ''), at, killed: '' };
  for (const key of keys) draft = editDraft(draft, key) ?? draft;
  return `${draft.text.slice(0, draft.at)}|${draft.text.slice(draft.at)}`;
}

describe('the input line', () => {
  it('typing goes in at the cursor, arrows and word moves go about', () => {
    expect(after('ab|', typed('c'), keyPress('left'), typed('x'))).toBe('abx|c');
    expect(after('one two.three|', wordLeft)).toBe('one two.|three');
    expect(after('one two.three|', wordLeft, wordLeft, wordLeft)).toBe('|one two.three');
    expect(after('|one two', keyPress('right', { alt: true }))).toBe('one| two');
    expect(after('one two|', keyPress('text', { alt: true, text: 'b' }))).toBe('one |two');
    expect(after('a\nbc|d', control('a'))).toBe('a\n|bcd');
    expect(after('a\nb|cd', control('e'))).toBe('a\nbcd|');
    expect(after('abc|', keyPress('home'), keyPress('end'))).toBe('abc|');
  });

  it('Ctrl-U, Ctrl-K, Ctrl-W and Alt-D cut, Ctrl-Y brings back', () => {
    expect(after('a\nbc|d', control('u'))).toBe('a\n|d');
    expect(after('a|bc\nd', control('k'))).toBe('a|\nd');
    expect(after('a|\nd', control('k'))).toBe('a|d');
    expect(after('rm /etc/x  |', control('w'))).toBe('rm |');
    expect(after('|one two', keyPress('text', { alt: true, text: 'd' }))).toBe('| two');
    expect(after('one two|', control('w'), keyPress('home'), control('y'))).toBe('two|one ');
  });

  it('backspace removes what a person takes for one character', () => {
    expect(after('a👨‍👩‍👧|', keyPress('backspace'))).toBe('a|');
    expect(after('e\u0301x|', keyPress('left'), keyPress('backspace'))).toBe('|x');
    expect(after('a\n|b', keyPress('backspace'))).toBe('a|b');
    expect(after('|👨‍👩‍👧a', keyPress('delete'))).toBe('|a');
    expect(after('|', keyPress('backspace'), keyPress('left'), keyPress('delete'))).toBe('|');
  });

  it('Alt-Enter makes a line, plain Enter is left to the chat', () => {
    expect(after('a|', keyPress('enter', { alt: true }), typed('b'))).toBe('a\nb|');
    expect(editDraft(draftOf('a'), keyPress('enter'))).toBeUndefined();
  });

  it('up and down move between lines and leave the text at its ends', () => {
    expect(after('abc\ndé|f', keyPress('up'))).toBe('ab|c\ndéf');
    expect(after('abc|\nd', keyPress('down'))).toBe('abc\nd|');
    expect(editDraft(draftOf('one line'), keyPress('up'))).toBeUndefined();
  });

  it('pasted text is one text, its line ends are kept', () => {
    expect(insertPaste(emptyDraft, 'a\r\nb\rc\n').text).toBe('a\nb\nc');
  });

  it('no key ever puts the cursor inside a character or outside the text', () => {
    const key = fc.oneof(
      fc
        .constantFrom('left', 'right', 'up', 'down', 'home', 'end', 'backspace', 'delete')
        .map((name) => keyPress(name as 'left')),
      fc.constantFrom('a', 'e', 'b', 'f', 'u', 'k', 'w', 'y', 'd', 'h').map(control),
      fc.constantFrom('x', '日', '👨‍👩‍👧', ' ', 'e\u0301').map(typed),
      fc.constant(keyPress('enter', { alt: true })),
    );
    fc.assert(
      fc.property(fc.array(key, { maxLength: 60 }), (keys) => {
        let draft = emptyDraft;
        for (const each of keys) draft = editDraft(draft, each) ?? draft;
        const edges = [0];
        for (const each of graphemesOf(draft.text)) edges.push((edges.at(-1) ?? 0) + each.length);
        expect(edges).toContain(draft.at);
      }),
    );
  });
});

describe('keys', () => {
  const none = { ctrl: false, meta: false, shift: false, return: false, escape: false } as Parameters<
    typeof keyPressesOf
  >[1];

  it('a chunk that holds text and Enter is text and Enter', () => {
    expect(keyPressesOf('ls\r', none).map(({ name, text }) => [name, text])).toEqual([
      ['text', 'ls'],
      ['enter', ''],
    ]);
    expect(keyPressesOf('ls\n', none).map(({ name }) => name)).toEqual(['text', 'enter']);
    expect(keyPressesOf('\u0015x\t', none).map(({ name, text }) => [name, text])).toEqual([
      ['control', 'u'],
      ['text', 'x'],
      ['tab', ''],
    ]);
  });
});

describe('history', () => {
  it('goes up and down and brings the unsent text back', () => {
    const history = historyOf(['one', 'one', ' ', 'two']);
    const up = walkHistory(history, -1, 'unsent');
    expect(up?.text).toBe('two');
    const top = walkHistory(up?.history ?? history, -1, 'two');
    expect(top?.text).toBe('one');
    expect(walkHistory(top?.history ?? history, -1, 'one')).toBeUndefined();
    const down = walkHistory(up?.history ?? history, 1, 'two');
    expect(down?.text).toBe('unsent');
    expect(walkHistory(down?.history ?? history, 1, 'unsent')).toBeUndefined();
  });
});
