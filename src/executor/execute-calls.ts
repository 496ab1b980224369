/** The calls of one response: checked in order, run together, answered in source order. */
import type { CallOutcome } from '../contract/output.ts';
import type { Call, CallContext } from '../contract/call.ts';
import { startCall } from './execute-call.ts';
import type { ExecutorParts } from './executor-parts.ts';

/** One outcome per call, in the order of the calls. Rejects only when an event cannot be written. */
export async function executeCalls(
  parts: ExecutorParts,
  calls: readonly Call[],
  context: CallContext,
): Promise<readonly CallOutcome[]> {
  const broken = new AbortController();
  const together = { ...context, signal: AbortSignal.any([context.signal, broken.signal]) };
  const outcomes: Promise<CallOutcome>[] = [];
  try {
    for (const call of calls) {
      const { outcome } = await startCall(parts, call, together, countTogether(parts, call, calls));
      outcome.catch(() => broken.abort());
      outcomes.push(outcome);
    }
    return await Promise.all(outcomes);
  } catch (error) {
    // Nothing more can be recorded: what still runs is stopped and waited for, so that it leaves nothing half done.
    broken.abort();
    await Promise.allSettled(outcomes);
    throw error;
  }
}

/** A hand that keeps state from call to call (the shell) must know whether it is used alone. */
function countTogether(parts: ExecutorParts, call: Call, calls: readonly Call[]): number {
  if (calls.length === 1) return 1;
  const needs = parts.registry.getDescriptor(call.tool)?.needs ?? [];
  const sharesHand = (other: Call): boolean =>
    parts.registry.getDescriptor(other.tool)?.needs?.some((name) => needs.includes(name)) === true;
  return Math.max(calls.filter(sharesHand).length, 1);
}
