/** Reads the stream of one request to its end and records what it shows on the way. */
import { ModelFailure } from '../contract/failure.ts';
import type { ModelClient, ModelEvent, ModelRequest } from '../contract/model.ts';
import { createDeltaJoiner } from './delta-joiner.ts';
import type { TurnParts } from './turn.ts';

export type Answered = Extract<ModelEvent, { type: 'end' }>;

/** `keepPartial` gets the text that had arrived when it was stopped or broke off. Rejects with ModelFailure. */
export async function readAnswer(
  turn: Pick<TurnParts, 'model' | 'record' | 'context'>,
  request: ModelRequest,
  keepPartial: (text: string) => Promise<void>,
): Promise<Answered> {
  const { model, record, context } = turn;
  const partial = { text: '' };
  const joiner = createDeltaJoiner((type, text) => record({ type, text }));
  try {
    for await (const event of streamOf(model, request, context.signal)) {
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
    if (partial.text !== '') await keepPartial(partial.text);
    throw error;
  }
  throw new ModelFailure('incomplete', `${model.info.id} ended its answer without saying so.`);
}

/** A bug below, or a secret store that cannot be read, ends the turn like any failure of a model. */
async function* streamOf(
  model: ModelClient,
  ...given: Parameters<ModelClient['stream']>
): AsyncGenerator<ModelEvent, void, undefined> {
  try {
    yield* model.stream(...given);
  } catch (error) {
    if (error instanceof ModelFailure) throw error;
    const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new ModelFailure('bad_request', `The request to ${model.info.id} failed: ${why}`, { cause: error });
  }
}
