/** Hands the calls of one response to the executor, as many as may run together. */
import type { CallPart } from '../contract/message.ts';
import type { CallOutcome } from '../contract/output.ts';
import type { RoundCall } from './stop-rules.ts';
import type { TurnParts } from './turn.ts';

/** More calls in one response are not run: a model that asks for so many has lost its way. */
const maxCallsTogether = 32;

/** Their results enter the context by the events that the executor records. */
export async function answerCalls(turn: TurnParts, calls: readonly CallPart[]): Promise<readonly RoundCall[]> {
  const outcomes = await turn.executeCalls(
    calls.map(({ callId, tool, input }, at) => ({
      ...{ callId, tool, input, origin: 'model' },
      ...(at < maxCallsTogether ? {} : { refusal: refusalOf(calls.length) }),
    })),
    turn.context,
  );
  return Promise.all(
    calls.map(async (call, at) => ({
      ...call,
      polls: await turn.polls(call.tool, call.input),
      failure: failureOf(outcomes[at]),
    })),
  );
}

const failureOf = (outcome: CallOutcome | undefined): string | undefined =>
  outcome?.error === undefined ? undefined : `${outcome.error.code}: ${outcome.error.message}`;

const refusalOf = (count: number): string =>
  `Not run: ${count} calls came at once, and at most ${maxCallsTogether} are run. Look at the results of the first ones, then call again what is still needed.`;
