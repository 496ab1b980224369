/** One call as it comes in, and the circumstances it comes in under: what loop and executor pass each other. */
import type { Recorder } from './event.ts';
import type { ApproveMode, Asker } from './permission.ts';
import type { ConversationInfo } from './services.ts';

export type Call = {
  readonly callId: string;
  /** As the caller wrote it; may be an alias or no tool at all. */
  readonly tool: string;
  /** JSON text as a model writes it, or an object. */
  readonly input: unknown;
  readonly origin: 'model' | 'user' | 'mcp' | 'library';
  /** Why it must not run: it is answered with this instead. Omitted: it may run. */
  readonly refusal?: string;
};

export type CallContext = {
  readonly conversation: ConversationInfo;
  readonly signal: AbortSignal;
  readonly approve: ApproveMode;
  readonly asker: Asker | undefined;
  readonly record: Recorder;
};
