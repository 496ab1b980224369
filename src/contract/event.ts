/**
 * The journal's events. A conversation is an append-only list of them, written before they are shown. The screen is one
 * fold over it, the model's context another; `handrail ask --json` prints them as they are, one per line.
 */
import type { AssistantMessage, UserMessage } from './message.ts';
import type { FinishReason, Usage } from './model.ts';
import type { CallOutcome } from './output.ts';
import type { Answer, Decision, Question } from './permission.ts';
import type { Effect } from './tool.ts';

/** Why a turn ended. `answer`: the model was done. `rounds`, `repeat`: a stop rule. `budget`: no tokens or money are left for it. */
export type TurnEndReason = 'answer' | 'rounds' | 'repeat' | 'budget' | 'stopped' | 'failed';

export type EventBody =
  /** The first event of a turn: what the user said. */
  | { readonly type: 'turn-start'; readonly message: UserMessage; readonly origin: string }
  /** A request goes out to the model. `roughInputTokens`: our own count of it, before the provider's figures correct it. */
  | {
      readonly type: 'model-start';
      readonly model: string;
      readonly round: number;
      readonly roughInputTokens?: number;
    }
  /** Streamed text, several deltas joined; `model-end` holds the whole. */
  | { readonly type: 'text-delta'; readonly text: string }
  /** The model's own notes, where its provider shows them; several deltas joined. */
  | { readonly type: 'reasoning-delta'; readonly text: string }
  /** The request failed and is sent again after `waitMs`. */
  | {
      readonly type: 'model-retry';
      readonly kind: string;
      readonly message: string;
      readonly attempt: number;
      readonly waitMs: number;
    }
  /** The request goes to another model of the chain: what was streamed so far is void. */
  | {
      readonly type: 'model-fallback';
      readonly from: string;
      readonly to: string;
      readonly kind: string;
      readonly message: string;
    }
  /**
   * Older messages are one summary from here on, in the model's context alone. `keepFromSeq`: the first event whose message
   * stays word for word.
   */
  | {
      readonly type: 'compaction';
      readonly summary: string;
      readonly keepFromSeq: number;
      readonly model: string;
      readonly usage: Usage;
      readonly durationMs: number;
      readonly costUsd?: number;
    }
  /** A summary was asked for in vain; nothing was left out. It took what it took. */
  | {
      readonly type: 'compaction-failed';
      readonly text: string;
      readonly model: string;
      readonly usage: Usage;
      readonly durationMs: number;
      readonly costUsd?: number;
    }
  /**
   * Messages before this event's `keepFromSeq` no longer fit and have left the model's context, apart from a summary and from
   * what the user said last; `text` says why. `maxResultChars`: longer results are cut to it. `refused`: the provider did
   * not take a request that we had counted so.
   */
  | {
      readonly type: 'trim';
      readonly keepFromSeq: number;
      readonly text: string;
      readonly maxResultChars?: number;
      readonly refused?: { readonly model: string; readonly roughTokens: number };
    }
  /** The answer is whole: text, notes and calls. */
  | {
      readonly type: 'model-end';
      readonly model: string;
      readonly message: AssistantMessage;
      readonly usage: Usage;
      readonly finish: FinishReason;
      readonly durationMs: number;
      /** Dollars, an estimate; omitted when the model's price is unknown. */
      readonly costUsd?: number;
    }
  /** A call begins: before it is decided about, asked about and run. */
  | {
      readonly type: 'tool-start';
      readonly callId: string;
      readonly tool: string;
      readonly title: string;
      readonly summary: string;
      /** As it runs: where `repairs` says so, not as the caller wrote it. */
      readonly input: string;
      readonly effect: Effect;
      readonly origin: 'model' | 'user' | 'mcp' | 'library';
      /** What had to be mended in the arguments, in words. Omitted: nothing. */
      readonly repairs?: readonly string[];
    }
  /** A person is asked; the call waits. */
  | { readonly type: 'permission-ask'; readonly question: Question }
  /** What the person said. */
  | {
      readonly type: 'permission-answer';
      readonly questionId: string;
      readonly callId: string;
      readonly answer: Answer;
      readonly origin: string;
    }
  /** Output of a tool that is still running; for people, not for the model. */
  | {
      readonly type: 'tool-progress';
      readonly callId: string;
      readonly text: string;
      readonly stream?: 'stdout' | 'stderr';
    }
  /** A call has ended, whatever happened to it. */
  | {
      readonly type: 'tool-end';
      readonly callId: string;
      readonly tool: string;
      readonly outcome: CallOutcome;
      readonly decision: Decision;
      readonly durationMs: number;
    }
  /** Something people should know that is neither a message nor a result. `forModel` also enters the context, as the user's. */
  | { readonly type: 'note'; readonly text: string; readonly forModel?: string }
  /** The last event of a turn. */
  | {
      readonly type: 'turn-end';
      readonly reason: TurnEndReason;
      readonly answer: string;
      readonly rounds: number;
      readonly usage: Usage;
      /** Dollars, an estimate, of all its requests whose price is known; omitted when none is. */
      readonly costUsd?: number;
      readonly error?: { readonly kind: string; readonly message: string };
    };

export type JournalEvent = EventBody & {
  readonly conversationId: string;
  /** Position in the conversation, from 1, without gaps. */
  readonly seq: number;
  readonly turnId: string;
  /** ISO 8601, UTC. */
  readonly at: string;
};

/**
 * Writes an event and then shows it to whoever follows. `durable`: on disk before it resolves, for what precedes an effect
 * that must not happen twice and for what the user said.
 */
export type Recorder = (event: EventBody, options?: { readonly durable?: boolean }) => Promise<void>;
