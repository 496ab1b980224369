/** Choosing the model. */
import { cleanLine } from '../show/clean-text.ts';
import { line, span } from '../show/span.ts';
import type { ChatParts } from './chat-parts.ts';
import { problemLines, problemNotice, say } from './notices.ts';
import { openPicker } from './picker.ts';
import { connectLines } from './welcome.ts';

export async function chooseModel(parts: ChatParts): Promise<void> {
  const choices = await parts.handrail.modelChoices();
  if (choices.length === 0) return say(parts.store, [line('No model was found.', 'ask'), [], ...connectLines([])]);
  openPicker(parts.store, {
    title: 'Model',
    verb: 'use',
    items: choices.map((choice) => ({
      label: cleanLine(choice.id),
      detail: cleanLine(choice.source),
      value: choice.id,
    })),
    choose: (item) => {
      useModel(parts, item.value).catch((error: unknown) => say(parts.store, problemNotice(error)));
    },
  });
}

/** From the next message on. */
export async function useModel(parts: ChatParts, name: string): Promise<void> {
  const info = await parts.handrail.model(name);
  if (info === undefined)
    return say(
      parts.store,
      problemLines(`There is no model "${name}" that could be used. /model lists what there is.`),
    );
  const model = { id: info.id, contextWindow: info.contextWindow };
  parts.store.change((state) => ({ ...state, chosenModel: name, model }));
  say(parts.store, [[span('From the next message on: ', 'dim'), span(cleanLine(info.id))]]);
}
