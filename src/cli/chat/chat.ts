/** The chat without a terminal: keys and pastes in, state out. */
import { randomUUID } from 'node:crypto';
import type { Handrail } from '../../contract/handrail.ts';
import type { ApproveMode } from '../../contract/permission.ts';
import type { ChatParts, DemoNotice } from './chat-parts.ts';
import { initialState, type ChatState } from './chat-state.ts';
import { candidatesFor, sharedText } from './complete.ts';
import { openConversation } from './conversations.ts';
import { refreshModel, runShell, runTypedTool, sendMessage } from './do-work.ts';
import { addItems } from './fold-screen.ts';
import { addToHistory, walkHistory } from './input-history.ts';
import { createInterrupt } from './interrupt.ts';
import { keyPress, type KeyPress } from './key-press.ts';
import { draftOf, editDraft, emptyDraft, insertPaste, insertText, type Draft } from './line-editor.ts';
import { problemLines, problemNotice, say } from './notices.ts';
import { pressInPicker } from './picker.ts';
import { createQuestionQueue } from './question-queue.ts';
import { runSlash } from './run-slash.ts';
import { createStore, type Store } from './store.ts';
import { readSubmission } from './submission.ts';
import { welcomeLines } from './welcome.ts';
import { createWorkRunner } from './work-runner.ts';

export type ChatOptions = {
  readonly handrail: Handrail;
  readonly conversationId?: string;
  readonly continueLatest: boolean;
  readonly model?: string;
  readonly approve: ApproveMode;
  readonly demo?: DemoNotice;
};

export type Chat = {
  readonly store: Store<ChatState>;
  /** Shows the first screen; resolves when everything on it is known. Rejects with MisuseFailure or SetupFailure. */
  start(): Promise<void>;
  press(key: KeyPress): void;
  paste(text: string): void;
  /** A text as if typed and sent. */
  send(text: string): void;
  /** Stops what runs and ends the chat. */
  leave(exitCode: number): void;
  /** Resolves when nothing runs any more. */
  settled(): Promise<void>;
};

export function createChat(options: ChatOptions & { readonly home?: string; readonly quietMs?: number }): Chat {
  const { handrail } = options;
  const store = createStore<ChatState>(
    initialState({
      workspace: handrail.workspace,
      conversationId: options.conversationId ?? randomUUID(),
      model: options.model,
    }),
  );
  const questions = createQuestionQueue(store, options.quietMs === undefined ? {} : { quietMs: options.quietMs });
  const runner = createWorkRunner(store, afterWork);
  const parts: ChatParts = {
    handrail,
    approve: options.approve,
    store,
    questions,
    runner,
    demo: options.demo,
    home: options.home,
    newId: randomUUID,
    leave,
  };
  const interrupt = createInterrupt(parts);

  function leave(exitCode: number): void {
    runner.stop();
    store.change((state) => ({ ...state, exitCode: state.exitCode ?? exitCode }));
  }

  /** What was sent meanwhile goes next; after a stop it goes back to the input, since the user changed their mind. */
  function afterWork(wasStopped: boolean): void {
    const [next, ...rest] = store.get().queue;
    if (next === undefined) return;
    if (wasStopped) {
      const text = [...store.get().queue, store.get().draft.text].filter((each) => each !== '').join('\n');
      store.change((state) => ({ ...state, queue: [], draft: draftOf(text), candidates: [] }));
      return;
    }
    store.change((state) => ({ ...state, queue: rest }));
    send(next);
  }

  function send(text: string): void {
    const submission = readSubmission(text, store.get().tools);
    const isImmediate = submission.kind === 'unknown' || (submission.kind === 'slash' && submission.isImmediate);
    if (store.get().work !== undefined && !isImmediate) {
      store.change((state) => ({ ...state, queue: [...state.queue, text] }));
      return;
    }
    if (submission.kind === 'message') return sendMessage(parts, submission.text);
    if (submission.kind === 'shell') return runShell(parts, submission.command);
    if (submission.kind === 'tool') return runTypedTool(parts, submission, text);
    store.change((state) => ({ ...state, screen: addItems(state.screen, { kind: 'user', text }) }));
    if (submission.kind === 'slash') return void runSlash(parts, submission.name, submission.rest);
    const hint =
      submission.suggestions.length > 0
        ? `Did you mean ${submission.suggestions.join(' or ')}?`
        : '/help lists what there is.';
    say(store, problemLines(`There is no /${submission.name}. ${hint}`));
  }

  function setDraft(draft: Draft): void {
    store.change((state) => ({ ...state, draft, hint: '', candidates: candidatesFor(draft.text, state.tools) }));
  }

  function enter(draft: Draft): void {
    // A backslash before Enter is a line end, for terminals that cannot tell Alt-Enter.
    if (draft.text.slice(0, draft.at).endsWith('\\'))
      return setDraft(
        insertText(
          { ...draft, text: draft.text.slice(0, draft.at - 1) + draft.text.slice(draft.at), at: draft.at - 1 },
          '\n',
        ),
      );
    if (draft.text.trim() === '') return;
    const text = draft.text.trim();
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

  function pressInInput(key: KeyPress): void {
    const { draft, candidates, question } = store.get();
    if (key.name === 'tab' || (key.alt && key.text.toLowerCase() === 'q')) {
      if (question !== undefined) return questions.focus();
      if (key.name === 'tab') return setDraft(draftOf(sharedText(candidates, draft.text), draft));
    }
    const edited = editDraft(draft, key);
    if (edited !== undefined) return setDraft(edited);
    if (key.name === 'enter') return enter(draft);
    if (key.name === 'up' || (key.name === 'control' && key.text === 'p')) return walk(-1);
    if (key.name === 'down' || (key.name === 'control' && key.text === 'n')) return walk(1);
    if (key.name === 'escape') store.change((state) => ({ ...state, hint: '', candidates: [] }));
  }

  function press(key: KeyPress): void {
    const { question, picker, draft } = store.get();
    if (key.name === 'control' && key.text === 'c') return interrupt();
    if (
      key.name === 'control' &&
      key.text === 'd' &&
      draft.text === '' &&
      question === undefined &&
      picker === undefined
    )
      return leave(0);
    if (question?.isFocused === true) return questions.press(key);
    if (picker !== undefined) return pressInPicker(store, picker, key);
    pressInInput(key);
  }

  return {
    store,
    send,
    press,
    leave,
    settled: () => runner.settled(),
    paste(text) {
      const { question, picker, draft } = store.get();
      // Pasted text never answers a question; in a list it filters.
      if (question?.isFocused === true) return questions.press(keyPress('control'));
      if (picker !== undefined)
        return pressInPicker(store, picker, keyPress('text', { text: text.split('\n')[0] ?? '' }));
      setDraft(insertPaste(draft, text));
    },
    async start() {
      const [rung, tools] = await Promise.all([handrail.rung(), handrail.listTools()]);
      store.change((state) => ({ ...state, rung, tools }));
      const hasModel = await refreshModel(parts).catch((error: unknown) => say(store, problemNotice(error)) ?? false);
      const facts = {
        version: handrail.version,
        workspace: handrail.workspace,
        home: options.home,
        rung,
        model: store.get().model?.id,
        choices: hasModel ? [] : await handrail.modelChoices(),
        demoNotice: options.demo?.notice,
      };
      say(store, welcomeLines(facts));
      await openFirst(parts, options);
      if (options.demo?.firstMessage !== undefined) send(options.demo.firstMessage);
    },
  };
}

/** The named conversation, or the newest of the workspace; a name that is new makes a new one. */
async function openFirst(parts: ChatParts, options: ChatOptions): Promise<void> {
  const { handrail, store } = parts;
  if (options.conversationId !== undefined) {
    if ((await handrail.conversations.get(options.conversationId)) !== undefined)
      await openConversation(parts, options.conversationId);
    return;
  }
  if (!options.continueLatest) return;
  const [latest] = await handrail.conversations.list({ limit: 1, workspace: handrail.workspace });
  if (latest === undefined)
    return say(store, problemLines('There is no earlier conversation in this workspace: this is a new one.'));
  await openConversation(parts, latest.id);
}
