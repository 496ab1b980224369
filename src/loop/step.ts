/** One request to the model: what it streams is recorded, what it finally said is returned. */
import { ModelFailure } from '../contract/failure.ts';
import type { AssistantMessage } from '../contract/message.ts';
import type { FinishReason, OfferedTool, Usage } from '../contract/model.ts';
import { createDeltaJoiner } from './delta-joiner.ts';
import type { TurnParts } from './turn.ts';

export type StepResult = { readonly message: AssistantMessage; readonly usage: Usage; readonly finish: FinishReason };

/** Rejects with ModelFailure. What had arrived when the user stopped is recorded as a message of its own. */
export async function step(turn: TurnParts, round: number, tools: readonly OfferedTool[]): Promise<StepResult> {
  const { model, record, context } = turn;
  const startedAt = performance.now();
  const partial = { text: '' };
  const joiner = createDeltaJoiner((type, text) => record({ type, text }));
  await record({ type: 'model-start', model: model.info.id, round });
  try {
    for await (const event of model.stream({ system: turn.system, messages: turn.messages, tools }, context.signal)) {
      if (event.type === 'retry') {
        partial.text = '';
        const { kind, message, attempt, waitMs } = event;
        await joiner.flush();
        await record({ type: 'model-retry', kind, message, attempt, waitMs });
      } else if (event.type === 'end') {
        await joiner.flush();
        await recordMessage(turn, event, startedAt);
        return event;
      } else {
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

async function recordMessage(turn: TurnParts, result: StepResult, startedAt: number): Promise<void> {
  turn.messages.push(result.message);
  const durationMs = Math.round(performance.now() - startedAt);
  const { message, usage, finish } = result;
  await turn.record({ type: 'model-end', model: turn.model.info.id, message, usage, finish, durationMs });
}

async function recordPartial(turn: TurnParts, text: string, startedAt: number): Promise<void> {
  if (text === '') return;
  const usage: Usage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0 };
  await recordMessage(
    turn,
    { message: { role: 'assistant', parts: [{ type: 'text', text }] }, usage, finish: 'stopped' },
    startedAt,
  );
}
