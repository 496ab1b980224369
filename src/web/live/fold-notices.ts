/** What the page knows of everything around the open conversation: a fold over the server's notices. Pure. */
import type { WebSandboxProgress } from '../../contract/web-sandbox.ts';
import type { PersonNotice } from '../../contract/notifications.ts';
import type { Question } from '../../contract/permission.ts';
import type { FileToView } from '../../contract/viewer.ts';
import type { WebConversation, WebNotice, WebQueue } from '../../contract/web-api.ts';

export type LiveState = {
  /** False until the first snapshot: nothing is known about questions before. */
  readonly isKnown: boolean;
  /** Questions that can be answered here. */
  readonly questions: readonly Question[];
  /** Conversations in which the server runs something. */
  readonly running: ReadonlySet<string>;
  /** Those that changed since the list was read, by id; undefined: removed. */
  readonly changed: ReadonlyMap<string, WebConversation | undefined>;
  /** The long piece of work on the userland, and what its package manager printed. */
  readonly sandbox: WebSandboxProgress;
  /** Messages that wait for the end of a turn, by conversation. */
  readonly queues: ReadonlyMap<string, WebQueue>;
  /** Empty: not known yet. */
  readonly serverId: string;
  /** The newest file that a call shows. Undefined: none yet. */
  readonly toView: FileToView | undefined;
  /** The newest that a call wanted to tell. Undefined: nothing yet. */
  readonly said: PersonNotice | undefined;
  /** Counts the commands that an agent started, for the flash. */
  readonly commands: number;
  /** Counts the changes of the settings. */
  readonly settingsChanges: number;
};

export const nothingKnown: LiveState = {
  isKnown: false,
  questions: [],
  running: new Set([]),
  changed: new Map([]),
  sandbox: { output: '' },
  queues: new Map([]),
  serverId: '',
  toView: undefined,
  said: undefined,
  commands: 0,
  settingsChanges: 0,
};

export function foldNotice(state: LiveState, notice: WebNotice): LiveState {
  switch (notice.type) {
    case 'snapshot':
      return {
        ...state,
        isKnown: true,
        questions: notice.questions,
        running: new Set(notice.running),
        sandbox: notice.sandbox,
        queues: new Map(notice.queues.map((queue) => [queue.conversationId, queue])),
        serverId: notice.serverId,
      };
    case 'question':
      return { ...state, questions: [...without(state.questions, notice.question.id), notice.question] };
    case 'question-closed':
      return { ...state, questions: without(state.questions, notice.questionId) };
    case 'running': {
      const running = new Set(state.running);
      if (notice.isRunning) running.add(notice.conversationId);
      else running.delete(notice.conversationId);
      return { ...state, running };
    }
    case 'queue':
      return { ...state, queues: new Map(state.queues).set(notice.queue.conversationId, notice.queue) };
    case 'conversation':
      return { ...state, changed: new Map(state.changed).set(notice.conversation.id, notice.conversation) };
    case 'conversation-removed':
      return { ...state, changed: new Map(state.changed).set(notice.conversationId, undefined) };
    case 'file-to-view':
      return { ...state, toView: notice.file };
    case 'notification':
      return { ...state, said: notice.notice };
    case 'sandbox-work':
    case 'sandbox-output':
      return { ...state, sandbox: foldSandbox(state.sandbox, notice) };
    case 'settings':
      return { ...state, settingsChanges: state.settingsChanges + 1 };
    case 'command':
      return { ...state, commands: state.commands + 1 };
  }
}

/** The list as it was read, with what changed since: pinned ones first, then newest first. */
export function applyChanges(
  listed: readonly WebConversation[],
  changed: LiveState['changed'],
  matches: (conversation: WebConversation) => boolean,
): readonly WebConversation[] {
  const byId = new Map(listed.map((each) => [each.id, each]));
  for (const [id, conversation] of changed) {
    if (conversation !== undefined && (byId.has(id) || matches(conversation))) byId.set(id, conversation);
    else byId.delete(id);
  }
  return [...byId.values()].sort(
    (left, right) => Number(right.isPinned) - Number(left.isPinned) || right.updatedAt.localeCompare(left.updatedAt),
  );
}

const without = (questions: readonly Question[], id: string): readonly Question[] =>
  questions.filter((each) => each.id !== id);

const maxOutputChars = 64_000;

function foldSandbox(
  known: WebSandboxProgress,
  notice: Extract<WebNotice, { type: 'sandbox-work' | 'sandbox-output' }>,
): WebSandboxProgress {
  if (notice.type === 'sandbox-output')
    return { ...known, output: `${known.output}${notice.text}`.slice(-maxOutputChars) };
  if (notice.work === undefined) return { output: '' };
  return { work: notice.work, output: notice.work.id === known.work?.id ? known.output : '' };
}
