/** What the pieces of the chat share: the program, the state, and what may be asked of each other. */
import type { Handrail } from '../../contract/handrail.ts';
import type { ApproveMode } from '../../contract/permission.ts';
import type { ChatState } from './chat-state.ts';
import type { QuestionQueue } from './question-queue.ts';
import type { Store } from './store.ts';
import type { WorkRunner } from './work-runner.ts';

export type DemoNotice = {
  /** Says on screen that the model is a script. */
  readonly notice: string;
  /** Sent as the first message; omitted: the user begins. */
  readonly firstMessage?: string;
};

export type ChatParts = {
  readonly handrail: Handrail;
  readonly approve: ApproveMode;
  readonly store: Store<ChatState>;
  readonly questions: QuestionQueue;
  readonly runner: WorkRunner;
  readonly demo: DemoNotice | undefined;
  readonly home: string | undefined;
  newId(): string;
  /** Ends the chat. */
  leave(exitCode: number): void;
};
