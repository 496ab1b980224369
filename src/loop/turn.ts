/** What a turn is made of while it runs. */
import type { Recorder } from '../contract/event.ts';
import type { Message } from '../contract/message.ts';
import type { FinishReason, ModelClient, OfferedTool, Usage } from '../contract/model.ts';
import type { Call, CallContext } from '../contract/call.ts';
import type { CallOutcome } from '../contract/output.ts';

export type TurnParts = {
  readonly model: ModelClient;
  /** The context so far, the new user message last. The loop appends to it and changes nothing. */
  readonly messages: Message[];
  readonly system: string;
  /** Asked before each request: tools may come and go during a turn. */
  offeredTools(): Promise<readonly OfferedTool[]>;
  executeCalls(calls: readonly Call[], context: CallContext): Promise<readonly CallOutcome[]>;
  /** Whether this call only watches a job. */
  polls(tool: string, input: string): Promise<boolean>;
  readonly context: CallContext;
  readonly record: Recorder;
  readonly maxRounds: number;
  /** What the same turn had done before it was cut off; omitted: it begins. */
  readonly before?: TurnProgress;
};

export type TurnProgress = {
  /** Rounds whose answer came whole. */
  readonly rounds: number;
  readonly usage: Usage;
  /** How the last of these answers ended; undefined when there was none. */
  readonly finish: FinishReason | undefined;
};
