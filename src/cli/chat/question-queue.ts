/** Asks the person at the terminal: one question at a time, the others wait. Only a key pressed here answers. */
import { ToolFailure } from '../../contract/failure.ts';
import type { Answer, Asker, Question } from '../../contract/permission.ts';
import type { ChatState, OpenQuestion } from './chat-state.ts';
import type { KeyPress } from './key-press.ts';
import { insertText } from './line-editor.ts';
import { choiceByKey, choicesOf, denyIndex } from './question-choices.ts';
import type { Store } from './store.ts';

export type QuestionQueue = {
  readonly asker: Asker;
  /** Gives the keyboard to the open question. */
  focus(): void;
  /** A key for the focused question. */
  press(key: KeyPress): void;
};

/** How long the keyboard must be quiet before a key counts as an answer: a person in the middle of a word types faster. */
const quietMs = 400;

/** Fewer characters are an answer given too early; it is dropped. */
const wordLength = 3;

type Waiting = { readonly question: Question; readonly resolve: (answer: Answer) => void };

export function createQuestionQueue(
  store: Store<ChatState>,
  options: { readonly quietMs?: number } = {},
): QuestionQueue {
  const waiting: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;
  /** Typed before the question could be answered. */
  let early = '';

  /** Shows the first question, afresh when it is another one. */
  function show(): void {
    const first = waiting[0];
    const open = store.get().question;
    if (first?.question.id === open?.question.id) {
      store.change((state) =>
        open === undefined ? state : { ...state, question: { ...open, waiting: waiting.length - 1 } },
      );
      return;
    }
    clearTimeout(timer);
    early = '';
    store.change((state) => ({ ...state, question: first === undefined ? undefined : opened(first.question, state) }));
    if (store.get().question?.isFocused === true) waitForQuiet();
  }

  function opened(question: Question, state: ChatState): OpenQuestion {
    return {
      question,
      // Whoever just answered one is answering; else a sentence or a list that is open keeps the keyboard.
      isFocused: state.question?.isFocused ?? (state.draft.text === '' && state.picker === undefined),
      isReady: false,
      selected: denyIndex(question),
      scroll: 0,
      areBytesShown: false,
      waiting: waiting.length - 1,
    };
  }

  function waitForQuiet(): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const typed = early;
      early = '';
      // A word was on its way to the input: it goes there, and the question waits to be called.
      if (typed.length >= wordLength) store.change((state) => withDraft(state, typed));
      else update({ isReady: true });
    }, options.quietMs ?? quietMs);
  }

  function update(change: Partial<OpenQuestion>): void {
    store.change((state) =>
      state.question === undefined ? state : { ...state, question: { ...state.question, ...change } },
    );
  }

  function answer(given: Answer): void {
    waiting.shift()?.resolve(given);
    show();
  }

  return {
    asker: {
      origin: 'terminal',
      ask: (question, signal) =>
        new Promise<Answer>((resolve, reject) => {
          const entry: Waiting = {
            question,
            resolve: (given) => {
              signal.removeEventListener('abort', withdraw);
              resolve(given);
            },
          };
          const withdraw = () => {
            const at = waiting.indexOf(entry);
            if (at !== -1) waiting.splice(at, 1);
            show();
            reject(new ToolFailure('cancelled', 'Stopped before the question was answered.'));
          };
          if (signal.aborted) return withdraw();
          signal.addEventListener('abort', withdraw, { once: true });
          waiting.push(entry);
          show();
        }),
    },
    focus() {
      const open = store.get().question;
      if (open === undefined || open.isFocused) return;
      update({ isFocused: true, isReady: false });
      waitForQuiet();
    },
    press(key) {
      const open = store.get().question;
      if (open === undefined) return;
      if (!open.isReady) {
        if (key.name === 'text') early += key.text;
        return waitForQuiet();
      }
      pressReady(open, key, { update, answer });
    },
  };
}

function withDraft(state: ChatState, typed: string): ChatState {
  const question = state.question === undefined ? undefined : { ...state.question, isFocused: false };
  return { ...state, question, draft: insertText(state.draft, typed) };
}

function pressReady(
  open: OpenQuestion,
  key: KeyPress,
  act: { readonly update: (change: Partial<OpenQuestion>) => void; readonly answer: (given: Answer) => void },
): void {
  const choices = choicesOf(open.question);
  const step = (by: number): void => act.update({ selected: (open.selected + by + choices.length) % choices.length });
  switch (key.name) {
    case 'escape':
      return act.answer({ verdict: 'deny' });
    case 'enter':
      return act.answer(choices[open.selected]?.answer ?? { verdict: 'deny' });
    case 'left':
      return step(-1);
    case 'right':
      return step(1);
    case 'tab':
      return step(key.shift ? -1 : 1);
    case 'up':
      return act.update({ scroll: Math.max(0, open.scroll - 1) });
    case 'down':
      return act.update({ scroll: open.scroll + 1 });
    case 'page-up':
      return act.update({ scroll: Math.max(0, open.scroll - 10) });
    case 'page-down':
      return act.update({ scroll: open.scroll + 10 });
    case 'home':
      return act.update({ scroll: 0 });
    case 'end':
      return act.update({ scroll: Number.MAX_SAFE_INTEGER });
    case 'text': {
      if (key.alt || key.ctrl) return;
      if (key.text.toLowerCase() === 'v') return act.update({ areBytesShown: !open.areBytesShown, scroll: 0 });
      const choice = choiceByKey(open.question, key.text);
      if (choice !== undefined) act.answer(choice.answer);
      return;
    }
    default:
  }
}
