/** Closes what a killed process left open, so that the transcript is one that every provider accepts. */
import type { Recorder } from '../contract/event.ts';
import type { CallPart } from '../contract/message.ts';
import type { CallOutcome } from '../contract/output.ts';
import type { Call, CallContext } from '../contract/call.ts';
import type { OpenTurn } from './open-turn.ts';

const decision = { verdict: 'deny', reason: 'the program ended while it ran' } as const;

/** What may happen with a call that has no end: `again` it never ran or may run twice, `unknown` it may have had its effect. */
export function fateOf(call: CallPart, turn: OpenTurn): 'finished' | 'again' | 'unknown' {
  if (turn.outcomes.has(call.callId)) return 'finished';
  const started = turn.started.get(call.callId);
  if (started === undefined || turn.asked.has(call.callId)) return 'again';
  return started.effect === 'once' ? 'unknown' : 'again';
}

/** Ends the turn without going on with it, for when a new message follows; nothing is run. */
export async function closeTurn(turn: OpenTurn, record: Recorder): Promise<void> {
  await closeOpenCalls(turn, record);
  const error = { kind: 'interrupted', message: 'The program was ended before this turn was.' };
  const { rounds, finished } = turn;
  await record(
    { type: 'turn-end', reason: 'failed', answer: '', rounds, usage: finished.usage, error },
    { durable: true },
  );
}

/** Gives each open call an end without running anything. */
async function closeOpenCalls(turn: OpenTurn, record: Recorder): Promise<void> {
  for (const call of turn.calls) {
    const fate = fateOf(call, turn);
    if (fate === 'finished') continue;
    const outcome = fate === 'unknown' ? unknownOutcome(call.tool) : interruptedOutcome(call.tool);
    await record({ type: 'tool-end', callId: call.callId, tool: call.tool, outcome, decision, durationMs: 0 });
  }
}

/** Runs again what may run again and reports the rest as unknown; finished calls are left alone. */
export async function finishOpenCalls(
  turn: OpenTurn,
  context: CallContext,
  executeCalls: (calls: readonly Call[], context: CallContext) => Promise<readonly CallOutcome[]>,
): Promise<void> {
  const again = turn.calls.filter((call) => fateOf(call, turn) === 'again');
  for (const call of turn.calls) {
    if (fateOf(call, turn) !== 'unknown') continue;
    await context.record({
      type: 'tool-end',
      callId: call.callId,
      tool: call.tool,
      outcome: unknownOutcome(call.tool),
      decision,
      durationMs: 0,
    });
  }
  await executeCalls(
    again.map((call) => ({ callId: call.callId, tool: call.tool, input: call.input, origin: 'model' })),
    context,
  );
}

function unknownOutcome(tool: string): CallOutcome {
  return failed(
    'unknown',
    `The program was killed while ${tool} ran, so it is unknown whether it had its effect. Check that first; do not simply repeat it.`,
  );
}

function interruptedOutcome(tool: string): CallOutcome {
  return failed('cancelled', `The program was ended before ${tool} finished. It may be called again.`);
}

function failed(code: string, message: string): CallOutcome {
  return { ok: false, text: message, error: { code, message } };
}
