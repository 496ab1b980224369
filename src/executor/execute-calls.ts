/** The calls of one response: checked in order, run together, answered in source order. */
import type { CallOutcome } from '../contract/output.ts';
import type { Call, CallContext } from '../contract/call.ts';
import { startCall, type StartedCall } from './execute-call.ts';
import type { ExecutorParts } from './executor-parts.ts';

/** One outcome per call, in the order of the calls. Rejects only when an event cannot be written. */
export async function executeCalls(
  parts: ExecutorParts,
  calls: readonly Call[],
  context: CallContext,
): Promise<readonly CallOutcome[]> {
  const started: StartedCall[] = [];
  for (const call of calls) {
    const each = await startCall(parts, call, context, countTogether(parts, call, calls));
    // Awaited below, in order; until then a rejection must not count as unhandled.
    each.outcome.catch(() => undefined);
    started.push(each);
  }
  return Promise.all(started.map((each) => each.outcome));
}

/** A hand that keeps state from call to call (the shell) must know whether it is used alone. */
function countTogether(parts: ExecutorParts, call: Call, calls: readonly Call[]): number {
  if (calls.length === 1) return 1;
  const needs = parts.registry.getDescriptor(call.tool)?.needs ?? [];
  const sharesHand = (other: Call): boolean =>
    parts.registry.getDescriptor(other.tool)?.needs?.some((name) => needs.includes(name)) === true;
  return Math.max(calls.filter(sharesHand).length, 1);
}
