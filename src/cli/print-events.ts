/** A turn's events as they come: as JSON lines, or as the answer on one stream and what happens on the other. */
import { escapeInvisible } from '../base/escape-invisible.ts';
import type { JournalEvent } from '../contract/event.ts';
import { hideImages } from './hide-images.ts';
import { printAll } from './print-all.ts';
import { spentText } from './show/spent-text.ts';

export type EventPrinter = {
  show(event: JournalEvent): void;
  /** Resolves when everything is written. */
  end(): Promise<void>;
};

/** In text form the answer goes to `output` as it streams, chips and notes to `log`. */
export function createEventPrinter(
  form: 'json' | 'text',
  output: NodeJS.WriteStream,
  log: NodeJS.WriteStream,
): EventPrinter {
  let last: Promise<void> = Promise.resolve();
  const write = (stream: NodeJS.WriteStream, text: string): void => {
    last = printAll(stream, text);
  };
  // What a model says may hold terminal codes: on a screen they are shown, in a pipe they are data.
  const safe = (text: string) => (output.isTTY === true ? escapeInvisible(text) : text);
  let streamed = '';
  const say = (text: string) => write(output, text);
  const tell = (text: string) => write(log, escapeInvisible(text));

  function showText(event: JournalEvent): void {
    switch (event.type) {
      case 'text-delta':
        streamed += event.text;
        say(safe(event.text));
        break;
      case 'model-end':
        if (streamed !== '' && !streamed.endsWith('\n')) say('\n');
        streamed = '';
        break;
      case 'model-retry':
        tell(`… ${event.message} (attempt ${event.attempt}, waiting ${Math.round(event.waitMs / 100) / 10} s)\n`);
        break;
      case 'model-fallback':
        tell(`… ${event.message} Asking ${event.to} instead.\n`);
        break;
      case 'compaction':
        tell('The older part of the conversation was summarised for the model.\n');
        break;
      case 'compaction-failed':
      case 'trim':
        tell(`${event.text}\n`);
        break;
      case 'tool-start':
        tell(`▸ ${event.title}  ${event.summary}\n`);
        break;
      case 'tool-end':
        if (!event.outcome.ok) tell(`✗ ${event.tool}: ${event.outcome.text}\n`);
        break;
      case 'note':
        tell(`${event.text}\n`);
        break;
      case 'turn-end':
        if (event.reason === 'stopped') tell('Stopped.\n');
        if (event.error !== undefined) tell(`handrail: ${event.error.message}\n`);
        if (event.usage.inputTokens + event.usage.outputTokens > 0) tell(`${spentText(event)}\n`);
        break;
      default:
        break;
    }
  }

  return {
    show: form === 'json' ? (event) => write(output, `${JSON.stringify(hideImages(event))}\n`) : showText,
    end: () => last,
  };
}
