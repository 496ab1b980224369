/** What the executor is made of: everything it calls, given by main.ts. */
import type { RedactorSource } from '../contract/redaction.ts';
import type { Artifacts, AccessResolver } from '../contract/services.ts';
import type { ToolDescriptor } from '../contract/tool.ts';
import type { Approvals } from '../permission/approvals.ts';
import type { Policy } from '../permission/policy.ts';
import type { ServiceBinder } from './bind-services.ts';
import type { ToolRegistry } from './registry.ts';

export type ExecutorParts = {
  readonly registry: ToolRegistry;
  readonly services: Pick<ServiceBinder, 'bind'>;
  readonly resolveAccess: AccessResolver;
  readonly approvals: Approvals;
  policy(): Policy;
  /** When text of others first entered the conversation (EventStore.firstUntrusted). */
  untrustedSince(conversationId: string): Promise<string | undefined>;
  /** Why the tool is off, or undefined. */
  closedGate(tool: ToolDescriptor): string | undefined;
  readonly keepArtifact: Artifacts['keep'];
  /** Puts secrets back where their placeholders stand. Omitted: nothing stands for anything. */
  readonly redactor?: RedactorSource;
  /** Receives what must not reach the model: stacks of bugs. Never throws. */
  readonly log: (error: unknown) => void;
};
