/** One request to the model: what it streams is recorded, what it finally said is returned. */
import type { Reservation } from '../contract/budget.ts';
import { ModelFailure } from '../contract/failure.ts';
import type { AssistantMessage } from '../contract/message.ts';
import type { FinishReason, ModelEvent, ModelRequest, OfferedTool, Usage } from '../contract/model.ts';
import { noUsage } from './add-usage.ts';
import { createDeltaJoiner } from './delta-joiner.ts';
import type { TurnParts } from './turn.ts';

export type StepResult = {
  readonly message: AssistantMessage;
  readonly usage: Usage;
  readonly finish: FinishReason;
  readonly costUsd?: number;
};

/**
 * Rejects with ModelFailure, `budget` before anything was sent. What had arrived when the user stopped is recorded as a
 * message of its own.
 */
export async function step(turn: TurnParts, round: number, tools: readonly OfferedTool[]): Promise<StepResult> {
  const { model, record, context, system, messages } = turn;
  const estimatedInputTokens = await turn.window?.fit({ system, tools, messages }, record, context.signal);
  const expense = {
    model: model.info,
    estimatedInputTokens: estimatedInputTokens ?? 0,
    maxOutputTokens: model.info.maxOutputTokens,
  };
  const reservation = await turn.budget?.reserve(expense, record, context.signal);
  const startedAt = performance.now();
  await record({ type: 'model-start', model: model.info.id, round });
  const request = { system, messages, tools, ...(estimatedInputTokens === undefined ? {} : { estimatedInputTokens }) };
  try {
    const end = await readAnswer(turn, request, startedAt);
    if (estimatedInputTokens !== undefined) turn.window?.learn(estimatedInputTokens, end.usage);
    return await recordMessage(turn, end, startedAt, reservation);
  } catch (error) {
    await reservation?.release();
    throw error;
  }
}

type Answered = Extract<ModelEvent, { type: 'end' }>;

async function readAnswer(turn: TurnParts, request: ModelRequest, startedAt: number): Promise<Answered> {
  const { model, record, context } = turn;
  const partial = { text: '' };
  const joiner = createDeltaJoiner((type, text) => record({ type, text }));
  try {
    for await (const event of model.stream(request, context.signal)) {
      switch (event.type) {
        case 'retry':
          partial.text = '';
          await joiner.flush();
          await record({ ...event, type: 'model-retry' });
          break;
        case 'fallback':
          partial.text = '';
          await joiner.flush();
          await record({ ...event, type: 'model-fallback' });
          break;
        case 'end':
          await joiner.flush();
          return event;
        default:
          if (event.type === 'text-delta') partial.text += event.text;
          await joiner.add(event.type, event.text);
      }
    }
  } catch (error) {
    await joiner.flush();
    if (context.signal.aborted) await recordPartial(turn, partial.text, startedAt);
    throw error;
  }
  throw new ModelFailure('incomplete', `${model.info.id} ended its answer without saying so.`);
}

async function recordMessage(
  turn: TurnParts,
  answered: Pick<Answered, 'message' | 'usage' | 'finish' | 'answeredBy'>,
  startedAt: number,
  reservation: Reservation | undefined,
): Promise<StepResult> {
  const { message, usage, finish, answeredBy = turn.model.info } = answered;
  turn.messages.push(message);
  const costUsd = await reservation?.settle({ model: answeredBy, usage });
  const durationMs = Math.round(performance.now() - startedAt);
  const result = { message, usage, finish, ...(costUsd === undefined ? {} : { costUsd }) };
  await turn.record({ type: 'model-end', model: answeredBy.id, ...result, durationMs });
  return result;
}

async function recordPartial(turn: TurnParts, text: string, startedAt: number): Promise<void> {
  if (text === '') return;
  const message = { role: 'assistant', parts: [{ type: 'text', text }] } as const;
  await recordMessage(turn, { message, usage: noUsage, finish: 'stopped' }, startedAt, undefined);
}
