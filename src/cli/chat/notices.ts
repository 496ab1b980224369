/** What the chat itself has to say, as lines printed between the conversation's own. */
import { MisuseFailure, SetupFailure } from '../../contract/failure.ts';
import { cleanText } from '../show/clean-text.ts';
import { span, type Line } from '../show/span.ts';
import type { ChatState } from './chat-state.ts';
import { addItems } from './fold-screen.ts';
import type { Store } from './store.ts';

export function say(store: Store<ChatState>, lines: readonly Line[]): void {
  store.change((state) => ({ ...state, screen: addItems(state.screen, { kind: 'notice', lines }) }));
}

export function problemNotice(error: unknown): readonly Line[] {
  const message = error instanceof Error ? error.message : String(error);
  const isExpected = error instanceof MisuseFailure || error instanceof SetupFailure;
  const text = isExpected ? message : `Something failed that should not: ${message}`;
  return problemLines(text);
}

export function problemLines(text: string): readonly Line[] {
  return cleanText(text)
    .split('\n')
    .map((each, at) => [span(at === 0 ? '✗ ' : '  ', 'bad'), span(each)]);
}

export function dimNotice(text: string): readonly Line[] {
  return cleanText(text)
    .split('\n')
    .map((each) => [span(each, 'dim')]);
}
