/** What the chat shows, as data: what is printed for good, and what still moves. */
import type { TurnEndReason } from '../../contract/event.ts';
import type { CallOutcome } from '../../contract/output.ts';
import type { Answer, Decision } from '../../contract/permission.ts';
import type { CallStatus } from '../show/call-line.ts';
import type { Block, MarkdownState } from '../show/markdown-blocks.ts';
import type { Line } from '../show/span.ts';

export type CallState = {
  readonly callId: string;
  readonly tool: string;
  readonly title: string;
  readonly summary: string;
  readonly input: string;
  readonly isTyped: boolean;
  readonly status: CallStatus;
  readonly startedAtMs: number;
  /** The last line of progress, not cleaned. */
  readonly progress: string;
  readonly answer: Answer | undefined;
  readonly outcome: CallOutcome | undefined;
  readonly decision: Decision | undefined;
  readonly durationMs: number;
};

/** Printed once, in this order, never changed. */
export type ScreenItem =
  | { readonly kind: 'user'; readonly text: string }
  | { readonly kind: 'typed'; readonly tool: string; readonly input: string }
  | { readonly kind: 'block'; readonly block: Block; readonly isFirst: boolean }
  | { readonly kind: 'thought'; readonly durationMs: number }
  | { readonly kind: 'call'; readonly call: CallState; readonly isFirst: boolean }
  | { readonly kind: 'note'; readonly text: string }
  | {
      readonly kind: 'retry';
      readonly message: string;
      readonly attempt: number;
      readonly waitMs: number;
      readonly hadText: boolean;
    }
  | {
      readonly kind: 'turn-end';
      readonly reason: TurnEndReason;
      readonly error: { readonly kind: string; readonly message: string } | undefined;
      readonly durationMs: number;
      readonly tokens: number;
      /** Undefined: the price is unknown. */
      readonly costUsd: number | undefined;
      readonly calls: number;
    }
  /** Said by the chat itself, already marked; wrapped when drawn. */
  | { readonly kind: 'notice'; readonly lines: readonly Line[] };

export type OpenTurn = {
  readonly turnId: string;
  readonly startedAtMs: number;
  readonly model: string | undefined;
  readonly calls: number;
};

export type Screen = {
  readonly items: readonly ScreenItem[];
  readonly turn: OpenTurn | undefined;
  readonly markdown: MarkdownState;
  /** The current answer has printed something, so what follows is not its first block. */
  readonly hasText: boolean;
  /** Text arrived since the request began; then the whole message at its end says nothing new. */
  readonly hasStreamed: boolean;
  readonly thinkingSinceMs: number | undefined;
  readonly thought: string;
  /** In the order they were called; printed when all before them have ended. */
  readonly calls: readonly CallState[];
  /** Tokens of the last request: how full the context is. */
  readonly contextTokens: number;
};
