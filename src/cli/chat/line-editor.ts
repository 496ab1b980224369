/** The text being written and the place in it: pure, every key makes a new state. */
import { graphemesOf } from '../show/text-width.ts';
import type { KeyPress } from './key-press.ts';

/** `at`: the cursor's offset in UTF-16 units, always between two characters a person would call one. `killed`: for Ctrl-Y. */
export type Draft = { readonly text: string; readonly at: number; readonly killed: string };

export const emptyDraft: Draft = { text: '', at: 0, killed: '' };

export function draftOf(text: string, before: Draft = emptyDraft): Draft {
  return { ...before, text, at: text.length };
}

export function insertText(draft: Draft, text: string): Draft {
  return {
    ...draft,
    text: draft.text.slice(0, draft.at) + text + draft.text.slice(draft.at),
    at: draft.at + text.length,
  };
}

/** Pasted text stays one text: its line ends are line ends, not Enter. */
export function insertPaste(draft: Draft, text: string): Draft {
  return insertText(draft, text.replace(/\r\n?/g, '\n').replace(/\n$/, ''));
}

/** The draft after an editing key; undefined when the key means nothing to an editor. */
export function editDraft(draft: Draft, key: KeyPress): Draft | undefined {
  const isWordwise = key.ctrl || key.alt;
  switch (key.name) {
    case 'text':
      return key.alt ? byWord(draft, key.text) : insertText(draft, key.text);
    case 'enter':
      return key.alt || key.shift ? insertText(draft, '\n') : undefined;
    case 'backspace':
      return cut(draft, isWordwise ? wordStart(draft) : previous(draft), draft.at, isWordwise);
    case 'delete':
      return cut(draft, draft.at, isWordwise ? wordEnd(draft) : next(draft), isWordwise);
    case 'left':
      return { ...draft, at: isWordwise ? wordStart(draft) : previous(draft) };
    case 'right':
      return { ...draft, at: isWordwise ? wordEnd(draft) : next(draft) };
    case 'home':
      return { ...draft, at: lineStart(draft) };
    case 'end':
      return { ...draft, at: lineEnd(draft) };
    case 'up':
      return onOtherLine(draft, -1);
    case 'down':
      return onOtherLine(draft, 1);
    case 'control':
      return byControl(draft, key.text);
    default:
      return undefined;
  }
}

/** The keys of every shell's line editor. */
function byControl(draft: Draft, letter: string): Draft | undefined {
  switch (letter) {
    case 'a':
      return { ...draft, at: lineStart(draft) };
    case 'e':
      return { ...draft, at: lineEnd(draft) };
    case 'b':
      return { ...draft, at: previous(draft) };
    case 'f':
      return { ...draft, at: next(draft) };
    case 'h':
      return cut(draft, previous(draft), draft.at, false);
    case 'd':
      return cut(draft, draft.at, next(draft), false);
    case 'u':
      return cut(draft, lineStart(draft), draft.at, true);
    case 'k':
      return cut(draft, draft.at, lineEnd(draft) === draft.at ? next(draft) : lineEnd(draft), true);
    case 'w':
      return cut(draft, spaceStart(draft), draft.at, true);
    case 'y':
      return insertText(draft, draft.killed);
    default:
      return undefined;
  }
}

function byWord(draft: Draft, letter: string): Draft | undefined {
  if (letter === 'b') return { ...draft, at: wordStart(draft) };
  if (letter === 'f') return { ...draft, at: wordEnd(draft) };
  return letter === 'd' ? cut(draft, draft.at, wordEnd(draft), true) : undefined;
}

function cut(draft: Draft, from: number, to: number, isKept: boolean): Draft {
  if (from >= to) return draft;
  const killed = isKept ? draft.text.slice(from, to) : draft.killed;
  return { text: draft.text.slice(0, from) + draft.text.slice(to), at: from, killed };
}

function previous(draft: Draft): number {
  return draft.at - (graphemesOf(draft.text.slice(lineBefore(draft), draft.at)).at(-1)?.length ?? 0);
}

function next(draft: Draft): number {
  return draft.at + (graphemesOf(draft.text.slice(draft.at, draft.at + 256))[0]?.length ?? 0);
}

/** Segmenting from the start of the line is enough: a character never spans two. */
const lineBefore = (draft: Draft): number => draft.text.lastIndexOf('\n', Math.max(0, draft.at - 2)) + 1;

const wordStart = ({ text, at }: Draft): number =>
  at - (/[\p{L}\p{N}_]*[^\p{L}\p{N}_]*$/u.exec(text.slice(0, at))?.[0].length ?? 0);

const wordEnd = ({ text, at }: Draft): number =>
  at + (/^[^\p{L}\p{N}_]*[\p{L}\p{N}_]*/u.exec(text.slice(at))?.[0].length ?? 0);

const spaceStart = ({ text, at }: Draft): number => at - (/\S*\s*$/.exec(text.slice(0, at))?.[0].length ?? 0);

const lineStart = ({ text, at }: Draft): number => (at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1);

function lineEnd({ text, at }: Draft): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

/** Up and down inside a text of several lines; undefined at its first or last line, where they mean the history. */
function onOtherLine(draft: Draft, step: -1 | 1): Draft | undefined {
  const start = lineStart(draft);
  const column = graphemesOf(draft.text.slice(start, draft.at)).length;
  const target = step === -1 ? start - 1 : lineEnd(draft) + 1;
  if (target < 0 || target > draft.text.length) return undefined;
  const from = lineStart({ ...draft, at: target });
  const line = draft.text.slice(from, lineEnd({ ...draft, at: target }));
  return { ...draft, at: from + graphemesOf(line).slice(0, column).join('').length };
}
