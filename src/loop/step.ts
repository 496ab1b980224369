/** One request to the model: what it streams is recorded, what it finally said is returned. */
import type { Reservation } from '../contract/budget.ts';
import { ModelFailure } from '../contract/failure.ts';
import type { AssistantMessage } from '../contract/message.ts';
import type { FinishReason, OfferedTool } from '../contract/model.ts';
import { noUsage } from './add-usage.ts';
import { type Answered, readAnswer } from './read-answer.ts';
import type { FittedRequest, TurnParts } from './turn.ts';

export type StepResult = { readonly message: AssistantMessage; readonly finish: FinishReason };

type Planned = {
  readonly offersTools: boolean;
  readonly tools: readonly OfferedTool[];
  readonly fitted: FittedRequest | undefined;
};

/**
 * Rejects with ModelFailure, `budget` before anything was sent. What had arrived when the user stopped is recorded as a
 * message of its own. `offersTools` false: the model must answer in text, and calls that it makes all the same are dropped.
 */
export async function step(turn: TurnParts, round: number, offersTools = true): Promise<StepResult> {
  const planned = await plan(turn, offersTools);
  try {
    return await send(turn, round, planned);
  } catch (error) {
    const smaller = await shrinkAfter(error, turn, planned);
    if (smaller === undefined) throw error;
    return send(turn, round, { ...planned, fitted: smaller });
  }
}

async function plan(turn: TurnParts, offersTools: boolean): Promise<Planned> {
  const { system, record, context, window } = turn;
  const offered = async () => (offersTools ? turn.offeredTools() : []);
  const tools = await offered();
  const fitted = await window?.fit({ system, tools }, record, context.signal);
  return { offersTools, tools: fitted?.hasCompacted === true ? await offered() : tools, fitted };
}

/** Once per step: a provider that calls everything too long must not be asked for ever. */
async function shrinkAfter(error: unknown, turn: TurnParts, { tools, fitted }: Planned) {
  if (!(error instanceof ModelFailure) || error.kind !== 'context_overflow' || fitted === undefined) return undefined;
  return turn.window?.shrink({ system: turn.system, tools }, fitted, turn.record);
}

async function send(turn: TurnParts, round: number, { offersTools, tools, fitted }: Planned): Promise<StepResult> {
  const { model, record, context, system, messages } = turn;
  const expense = {
    model: model.info,
    estimatedInputTokens: fitted?.estimatedTokens ?? 0,
    maxOutputTokens: model.info.maxOutputTokens,
  };
  const reservation = await turn.budget?.reserve(expense, record, context.signal);
  const startedAt = performance.now();
  const rough = fitted === undefined ? {} : { roughInputTokens: fitted.roughTokens };
  await record({ type: 'model-start', model: model.info.id, round, ...rough });
  const estimate = fitted === undefined ? {} : { estimatedInputTokens: fitted.estimatedTokens };
  try {
    const keepPartial = (text: string) => recordPartial(turn, text, startedAt, reservation);
    const end = await readAnswer(turn, { system, messages, tools, ...estimate }, keepPartial);
    return await recordMessage(turn, offersTools ? end : withoutCalls(end), startedAt, reservation);
  } catch (error) {
    await reservation?.release();
    throw error;
  }
}

/** Calls to tools that were not offered: nobody will answer them, so that they must not stand in the transcript. */
function withoutCalls(answered: Answered): Answered {
  const parts = answered.message.parts.filter((part) => part.type !== 'call');
  const finish = answered.finish === 'calls' ? 'answer' : answered.finish;
  return { ...answered, message: { role: 'assistant', parts }, finish };
}

async function recordMessage(
  turn: TurnParts,
  answered: Pick<Answered, 'message' | 'usage' | 'finish' | 'answeredBy'>,
  startedAt: number,
  reservation: Reservation | undefined,
): Promise<StepResult> {
  const { message, usage, finish, answeredBy = turn.model.info } = answered;
  const costUsd = await reservation?.settle({ model: answeredBy, usage, message });
  const durationMs = Math.round(performance.now() - startedAt);
  const cost = costUsd === undefined ? {} : { costUsd };
  await turn.record({ type: 'model-end', model: answeredBy.id, message, usage, finish, ...cost, durationMs });
  return { message, finish };
}

/** What had come was paid for, whatever became of the rest; only what the user has stopped stays in the transcript. */
async function recordPartial(
  turn: TurnParts,
  text: string,
  startedAt: number,
  reservation: Reservation | undefined,
): Promise<void> {
  const message = { role: 'assistant', parts: [{ type: 'text', text }] } as const;
  const partial = { message, usage: noUsage, finish: 'stopped' } as const;
  if (turn.context.signal.aborted) await recordMessage(turn, partial, startedAt, reservation);
  else await reservation?.settle({ model: turn.model.info, ...partial });
}
