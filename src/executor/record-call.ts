/** The stage "record": the events with which a call begins and ends. */
import type { Call, CallContext } from '../contract/call.ts';
import type { CallOutcome } from '../contract/output.ts';
import type { Decision } from '../contract/permission.ts';
import type { ToolDescriptor } from '../contract/tool.ts';

export async function recordStart(
  call: Call,
  descriptor: ToolDescriptor | undefined,
  title: string,
  summary: string,
  context: CallContext,
  repairs: readonly string[] = [],
): Promise<void> {
  const effect = descriptor?.effect ?? 'read';
  const input = typeof call.input === 'string' ? call.input : JSON.stringify(call.input ?? {});
  const { callId, tool, origin } = call;
  // Before an effect that must not happen twice, the intent must be on disk.
  await context.record(
    {
      ...{ type: 'tool-start', callId, tool: descriptor?.name ?? tool, title, summary, input, effect, origin },
      ...(repairs.length === 0 ? {} : { repairs }),
    },
    { durable: effect === 'once' },
  );
}

export async function recordEnd(
  call: Call,
  outcome: CallOutcome,
  decision: Decision,
  startedAt: number,
  context: CallContext,
): Promise<CallOutcome> {
  const durationMs = Math.round(performance.now() - startedAt);
  await context.record({ type: 'tool-end', callId: call.callId, tool: call.tool, outcome, decision, durationMs });
  return outcome;
}
