/** Everything the chat's screen depends on, as one value. */
import type { ToolStatus } from '../../contract/handrail.ts';
import type { ApproveMode, Question } from '../../contract/permission.ts';
import type { Candidate } from './complete.ts';
import { emptyScreen } from './fold-screen.ts';
import { historyOf, type InputHistory } from './input-history.ts';
import { emptyDraft, type Draft } from './line-editor.ts';
import type { Screen } from './screen.ts';

export type OpenQuestion = {
  readonly question: Question;
  /** Keys go to the question. False while the user is writing something: a question never takes the keyboard from a sentence. */
  readonly isFocused: boolean;
  /** False for a moment after it appeared, so that no key meant for something else answers it. */
  readonly isReady: boolean;
  /** Index in `choicesOf(question)`. */
  readonly selected: number;
  /** First line of the body on screen. */
  readonly scroll: number;
  readonly areBytesShown: boolean;
  /** Further questions behind this one. */
  readonly waiting: number;
};

export type PickerItem = { readonly label: string; readonly detail: string; readonly value: string };

export type Picker = {
  readonly title: string;
  readonly items: readonly PickerItem[];
  readonly filter: string;
  readonly selected: number;
  /** What Enter does, as a verb: "Use", "Revoke". */
  readonly verb: string;
  choose(item: PickerItem): void;
};

/** What is being done now. */
export type Work = { readonly label: string; readonly startedAtMs: number; readonly isStopping: boolean };

export type ChatState = {
  readonly screen: Screen;
  readonly draft: Draft;
  readonly history: InputHistory;
  /** Sent while something ran; done in order. */
  readonly queue: readonly string[];
  readonly work: Work | undefined;
  readonly question: OpenQuestion | undefined;
  readonly picker: Picker | undefined;
  readonly candidates: readonly Candidate[];
  /** One line above the input, for a moment: "Press Ctrl-C again to leave". */
  readonly hint: string;
  readonly conversationId: string;
  /** Asked for by the user; undefined: whatever is set up. */
  readonly chosenModel: string | undefined;
  /** The model a turn would use; undefined: none is set up. */
  readonly model: { readonly id: string; readonly contextWindow: number } | undefined;
  readonly rung: string;
  /** What becomes of questions; on screen when it is not the usual way. */
  readonly approve: ApproveMode;
  readonly workspace: string;
  readonly tools: readonly ToolStatus[];
  /** Set when the chat is over. */
  readonly exitCode: number | undefined;
};

export function initialState(facts: {
  readonly workspace: string;
  readonly conversationId: string;
  readonly model: string | undefined;
  readonly approve: ApproveMode;
}): ChatState {
  return {
    screen: emptyScreen,
    draft: emptyDraft,
    history: historyOf([]),
    queue: [],
    work: undefined,
    question: undefined,
    picker: undefined,
    candidates: [],
    hint: '',
    conversationId: facts.conversationId,
    chosenModel: facts.model,
    model: undefined,
    rung: '',
    approve: facts.approve,
    workspace: facts.workspace,
    tools: [],
    exitCode: undefined,
  };
}
