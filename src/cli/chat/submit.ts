/** What happens with a sent line: done at once, or queued behind what runs. */
import type { ChatParts } from './chat-parts.ts';
import { runShell, runTypedTool, sendMessage } from './do-work.ts';
import { addItems } from './fold-screen.ts';
import { draftOf } from './line-editor.ts';
import { problemLines, say } from './notices.ts';
import { runSlash } from './run-slash.ts';
import { readSubmission, type Submission } from './submission.ts';

export type Submit = {
  /** A text as if typed and sent. */
  send(text: string): void;
  /** To be called whenever work ended: the queue goes on. */
  afterWork(wasStopped: boolean): void;
};

export function createSubmit(parts: ChatParts): Submit {
  const { store } = parts;

  function send(text: string): void {
    const submission = readSubmission(text, store.get().tools);
    if (store.get().work !== undefined && !isImmediate(submission)) {
      store.change((state) => ({ ...state, queue: [...state.queue, text] }));
      return;
    }
    if (submission.kind === 'message') return sendMessage(parts, submission.text);
    if (submission.kind === 'shell') return runShell(parts, submission.command);
    if (submission.kind === 'tool') return runTypedTool(parts, submission, text);
    store.change((state) => ({ ...state, screen: addItems(state.screen, { kind: 'user', text }) }));
    if (submission.kind === 'slash') return void runSlash(parts, submission.name, submission.rest);
    say(parts.store, problemLines(unknownCommand(submission)));
  }

  return {
    send,
    afterWork(wasStopped) {
      const [next, ...rest] = store.get().queue;
      if (next === undefined) return;
      if (wasStopped) return putQueueBack();
      store.change((state) => ({ ...state, queue: rest }));
      send(next);
    },
  };

  /** After a stop the queue goes back to the input: the user changed their mind. */
  function putQueueBack(): void {
    store.change((state) => {
      const text = [...state.queue, state.draft.text].filter((each) => each !== '').join('\n');
      return { ...state, queue: [], draft: draftOf(text), candidates: [] };
    });
  }
}

const isImmediate = (submission: Submission): boolean =>
  submission.kind === 'unknown' || (submission.kind === 'slash' && submission.isImmediate);

function unknownCommand({ name, suggestions }: Extract<Submission, { kind: 'unknown' }>): string {
  const hint = suggestions.length > 0 ? `Did you mean ${suggestions.join(' or ')}?` : '/help lists what there is.';
  return `There is no /${name}. ${hint}`;
}
