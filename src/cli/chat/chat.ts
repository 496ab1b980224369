/** The chat without a terminal: keys and pastes in, state out. */
import { randomUUID } from 'node:crypto';
import { MisuseFailure } from '../../contract/failure.ts';
import type { Handrail } from '../../contract/handrail.ts';
import type { ApproveMode } from '../../contract/permission.ts';
import type { ChatParts, DemoNotice } from './chat-parts.ts';
import { initialState, type ChatState } from './chat-state.ts';
import { openConversation } from './conversations.ts';
import { refreshModel } from './do-work.ts';
import { createInputKeys, isControl, type InputKeys } from './input-keys.ts';
import { createInterrupt } from './interrupt.ts';
import { keyPress, type KeyPress } from './key-press.ts';
import { dimNotice, problemNotice, say } from './notices.ts';
import { pressInPicker } from './picker.ts';
import { createQuestionQueue } from './question-queue.ts';
import { createStore, type Store } from './store.ts';
import { createSubmit } from './submit.ts';
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
  const parts = createParts(options, (wasStopped) => submit.afterWork(wasStopped));
  const submit = createSubmit(parts);
  const input = createInputKeys(parts, submit.send);
  const interrupt = createInterrupt(parts);
  return {
    store: parts.store,
    send: submit.send,
    leave: parts.leave,
    settled: () => parts.runner.settled(),
    press: (key) => (isControl(key, 'c') ? interrupt() : press(parts, input, key)),
    paste: (text) => paste(parts, input, text),
    async start() {
      await showFirstScreen(parts);
      await openFirst(parts, options);
      if (options.demo?.firstMessage !== undefined) submit.send(options.demo.firstMessage);
    },
  };
}

function createParts(
  options: ChatOptions & { readonly home?: string; readonly quietMs?: number },
  afterWork: (wasStopped: boolean) => void,
): ChatParts {
  const { handrail, approve, demo, home, quietMs, model } = options;
  const conversationId = options.conversationId ?? randomUUID();
  const store = createStore<ChatState>(initialState({ workspace: handrail.workspace, conversationId, model, approve }));
  const questions = createQuestionQueue(store, quietMs === undefined ? {} : { quietMs });
  const runner = createWorkRunner(store, afterWork);
  return {
    ...{ handrail, approve, store, questions, runner, demo, home },
    newId: randomUUID,
    leave(exitCode) {
      runner.stop();
      store.change((state) => ({ ...state, queue: [], exitCode: state.exitCode ?? exitCode }));
    },
  };
}

/** A key goes to the focused question, else to an open list, else to the input. */
function press(parts: ChatParts, input: InputKeys, key: KeyPress): void {
  const { question, picker, draft } = parts.store.get();
  if (question?.isFocused === true) return parts.questions.press(key);
  if (picker !== undefined) return pressInPicker(parts.store, picker, key);
  if (isControl(key, 'd') && draft.text === '' && question === undefined) return parts.leave(0);
  input.press(key);
}

/** Pasted text never answers a question; in a list it filters. */
function paste(parts: ChatParts, input: InputKeys, text: string): void {
  const { question, picker } = parts.store.get();
  if (question?.isFocused === true) return parts.questions.press(keyPress('control'));
  if (picker === undefined) return input.paste(text);
  pressInPicker(parts.store, picker, keyPress('text', { text: text.split('\n')[0] ?? '' }));
}

async function showFirstScreen(parts: ChatParts): Promise<void> {
  const { handrail, store, home, demo } = parts;
  const [rung, tools] = await Promise.all([handrail.rung(), handrail.listTools()]);
  store.change((state) => ({ ...state, rung, tools }));
  let problem: unknown;
  const hasModel = await refreshModel(parts).catch((error: unknown) => {
    problem = error;
    return false;
  });
  const { version, workspace } = handrail;
  const choices = hasModel ? [] : await handrail.modelChoices();
  const model = store.get().model?.id;
  say(store, welcomeLines({ version, workspace, home, rung, model, choices, demoNotice: demo?.notice }));
  if (problem !== undefined) say(store, problemNotice(problem));
}

/** The named conversation, or the newest of the workspace; a name that is new makes a new one. */
async function openFirst(parts: ChatParts, options: ChatOptions): Promise<void> {
  const { handrail, store } = parts;
  const named = options.conversationId;
  if (named !== undefined) {
    const found = await handrail.conversations.get(named);
    if (found === undefined) return;
    if (found.workspace !== handrail.workspace)
      throw new MisuseFailure(`The conversation ${named} belongs to ${found.workspace}. Start Handrail there.`);
    return openConversation(parts, named);
  }
  if (!options.continueLatest) return;
  const [latest] = await handrail.conversations.list({ limit: 1, workspace: handrail.workspace });
  if (latest === undefined)
    return say(store, dimNotice('There is no earlier conversation in this workspace: this is a new one.'));
  await openConversation(parts, latest.id);
}
