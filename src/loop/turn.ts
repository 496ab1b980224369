/** What a turn is made of while it runs. */
import type { Budget } from '../contract/budget.ts';
import type { Recorder } from '../contract/event.ts';
import type { Message } from '../contract/message.ts';
import type { FinishReason, ModelClient, OfferedTool, Usage } from '../contract/model.ts';
import type { Call, CallContext } from '../contract/call.ts';
import type { CallOutcome } from '../contract/output.ts';

export type TurnParts = {
  readonly model: ModelClient;
  /** The context so far, the new user message last. What is recorded enters it by itself: it is a fold over the journal. */
  readonly messages: readonly Message[];
  readonly system: string;
  /** Asked before each request: tools may come and go during a turn. */
  offeredTools(): Promise<readonly OfferedTool[]>;
  executeCalls(calls: readonly Call[], context: CallContext): Promise<readonly CallOutcome[]>;
  /** Whether this call only watches a job. */
  polls(tool: string, input: string): Promise<boolean>;
  readonly context: CallContext;
  readonly record: Recorder;
  readonly maxRounds: number;
  /** Keeps the request within the model's window. Omitted: nothing is ever left out. */
  readonly window?: ContextWindow;
  /** Omitted: no limit on what is spent. */
  readonly budget?: Budget;
  /** What the same turn had done before it was cut off; omitted: it begins. */
  readonly before?: TurnProgress;
};

/** A request as it is about to be sent. */
export type PlannedRequest = {
  readonly system: string;
  readonly tools: readonly OfferedTool[];
};

export type FittedRequest = {
  /** What the request will probably take of the window. */
  readonly estimatedTokens: number;
  /** The same as we count it, before the provider's own figures correct it. */
  readonly roughTokens: number;
  /** Messages became a summary: what the request offers may be another now. */
  readonly hasCompacted: boolean;
};

export type ContextWindow = {
  /**
   * Makes the context fit together with the rest of the request: what it takes out it does by recording an event. Rejects with
   * ModelFailure: `context_overflow` that names the cause when nothing can be left out any more, `budget` and `cancelled`
   * when the summary could not be asked for.
   */
  fit(request: PlannedRequest, record: Recorder, signal: AbortSignal): Promise<FittedRequest>;
  /** The provider found the request too long: takes out a fair share. Undefined when there is nothing that could go. */
  shrink(request: PlannedRequest, refused: FittedRequest, record: Recorder): Promise<FittedRequest | undefined>;
};

export type TurnProgress = {
  /** Rounds whose answer came whole. */
  readonly rounds: number;
  readonly usage: Usage;
  readonly costUsd?: number;
  /** How the last of these answers ended; undefined when there was none. */
  readonly finish: FinishReason | undefined;
};
