/** The keys of the input: editing, history, completion, sending. */
import type { ChatParts } from './chat-parts.ts';
import { candidatesFor, sharedText } from './complete.ts';
import { addToHistory, walkHistory } from './input-history.ts';
import type { KeyPress } from './key-press.ts';
import { draftOf, editDraft, emptyDraft, insertPaste, insertText, type Draft } from './line-editor.ts';

export type InputKeys = { press(key: KeyPress): void; paste(text: string): void };

export function createInputKeys(parts: ChatParts, send: (text: string) => void): InputKeys {
  const { store, questions } = parts;

  function setDraft(draft: Draft): void {
    store.change((state) => ({ ...state, draft, hint: '', candidates: candidatesFor(draft.text, state.tools) }));
  }

  function enter(draft: Draft): void {
    // A backslash before Enter is a line end, for terminals that cannot tell Alt-Enter.
    if (draft.text[draft.at - 1] === '\\') return setDraft(insertText(withoutLast(draft), '\n'));
    const text = draft.text.trim();
    if (text === '') return;
    store.change((state) => ({
      ...state,
      draft: { ...emptyDraft, killed: draft.killed },
      candidates: [],
      history: addToHistory(state.history, text),
    }));
    send(text);
    questions.focus();
  }

  function walk(step: -1 | 1): void {
    const { history, draft } = store.get();
    const walked = walkHistory(history, step, draft.text);
    if (walked === undefined) return;
    store.change((state) => ({ ...state, history: walked.history }));
    setDraft(draftOf(walked.text, draft));
  }

  return {
    paste: (text) => setDraft(insertPaste(store.get().draft, text)),
    press(key) {
      const { draft, candidates, question } = store.get();
      if (question !== undefined && callsQuestion(key)) return questions.focus();
      if (key.name === 'tab') return setDraft(draftOf(sharedText(candidates, draft.text), draft));
      const edited = editDraft(draft, key);
      if (edited !== undefined) return setDraft(edited);
      if (key.name === 'enter') return enter(draft);
      if (key.name === 'up' || isControl(key, 'p')) return walk(-1);
      if (key.name === 'down' || isControl(key, 'n')) return walk(1);
      if (key.name === 'escape') store.change((state) => ({ ...state, hint: '', candidates: [] }));
    },
  };
}

const callsQuestion = (key: KeyPress): boolean => key.name === 'tab' || (key.alt && key.text.toLowerCase() === 'q');

export const isControl = (key: KeyPress, letter: string): boolean => key.name === 'control' && key.text === letter;

const withoutLast = (draft: Draft): Draft => ({
  ...draft,
  text: draft.text.slice(0, draft.at - 1) + draft.text.slice(draft.at),
  at: draft.at - 1,
});
