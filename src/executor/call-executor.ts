/** Runs the calls of one response with what is in force when they come: rules, switches, and the hands of their conversation. */
import { once } from '../base/once.ts';
import type { Call, CallContext } from '../contract/call.ts';
import type { CallOutcome } from '../contract/output.ts';
import type { Settings } from '../contract/settings.ts';
import type { Artifacts } from '../contract/services.ts';
import { createApprovals, type GrantsKept } from '../permission/approvals.ts';
import { createAccessResolver } from '../permission/resolve-access.ts';
import type { ServiceBinder } from './bind-services.ts';
import type { ExecutorParts } from './executor-parts.ts';

type BoundHands = {
  readonly services: Pick<ServiceBinder, 'bind'>;
  readonly hands: Parameters<typeof createAccessResolver>[0] & { readonly keepArtifact: Artifacts['keep'] };
};

export type CallExecutorParts = Omit<ExecutorParts, 'services' | 'resolveAccess' | 'approvals' | 'keepArtifact'> & {
  readonly grants: GrantsKept;
  permissions(): Settings['permissions'];
  /** Makes rules, switches and hands those of this moment. */
  look(): Promise<unknown>;
  /** Hands that stay as they are until `work` has ended. */
  during<Result>(conversationId: string, work: (bound: BoundHands) => Promise<Result>): Promise<Result>;
};

export function createCallExecutor(parts: CallExecutorParts) {
  const { grants, permissions, look, during, ...lasting } = parts;
  // Even what is loaded already is looked up by the loader at each import.
  const loaded = once(async () => import('./execute-calls.ts'));
  return async (calls: readonly Call[], context: CallContext): Promise<readonly CallOutcome[]> => {
    const [{ executeCalls }] = await Promise.all([loaded(), look()]);
    return during(context.conversation.id, ({ hands, services }) => {
      const resolveAccess = createAccessResolver(hands);
      const approvals = createApprovals(grants, permissions());
      const executor = { ...lasting, services, resolveAccess, approvals, keepArtifact: hands.keepArtifact };
      return executeCalls(executor, calls, context);
    });
  };
}
