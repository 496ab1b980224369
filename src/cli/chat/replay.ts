/** An earlier conversation back on the screen: its end is shown, all of it is counted. */
import type { JournalEvent } from '../../contract/event.ts';
import { span } from '../show/span.ts';
import { emptyScreen, foldScreen } from './fold-screen.ts';
import type { Screen, ScreenItem } from './screen.ts';

export type Replay = {
  readonly screen: Screen;
  /** What the user said and typed, oldest first. */
  readonly said: readonly string[];
  /** A crash or a kill cut the last turn off. */
  readonly isOpen: boolean;
};

/** At least the last exchange, and no more than a few screens of what was before. */
const mostItems = 80;

export function replay(events: readonly JournalEvent[], saidOf: (item: ScreenItem) => string | undefined): Replay {
  const whole = events.reduce(foldScreen, emptyScreen);
  const starts = whole.items.flatMap((item, at) => (item.kind === 'user' || item.kind === 'typed' ? [at] : []));
  const last = starts.at(-1) ?? 0;
  const from = Math.min(last, starts.find((at) => at >= whole.items.length - mostItems) ?? last);
  const hidden = starts.filter((at) => at < from).length;
  const note: ScreenItem = {
    kind: 'notice',
    lines: [[span(hidden === 1 ? '… 1 earlier message' : `… ${hidden} earlier messages`, 'dim')]],
  };
  return {
    screen: { ...whole, items: [...(hidden > 0 ? [note] : []), ...whole.items.slice(from)] },
    said: whole.items.flatMap((item) => saidOf(item) ?? []),
    isOpen: whole.turn !== undefined,
  };
}
