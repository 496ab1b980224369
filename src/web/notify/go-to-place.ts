/** Where a press on a notification leads: to its conversation, and there to the question that waits. */
import type { Navigation } from '../app/navigation.ts';
import { readRoute } from '../app/route.ts';

/** Behind an address: the question that waits there is to be answered next. */
export const questionMark = '#question';

const patienceMs = 10_000;

export function goToPlace(navigation: Navigation, place: string): void {
  const { pathname, hash } = new URL(place, window.location.origin);
  navigation.go(readRoute(pathname));
  if (hash === questionMark) focusQuestion();
}

/** As soon as it is there; a press asked for it, so it may have the focus. */
export function focusQuestion(): void {
  const find = (): boolean => {
    const card = document.querySelector<HTMLElement>('[data-question]');
    card?.focus();
    card?.scrollIntoView({ block: 'nearest' });
    return card !== null;
  };
  if (find()) return;
  const watch = new MutationObserver(() => find() && watch.disconnect());
  watch.observe(document.body, { subtree: true, childList: true });
  window.setTimeout(() => watch.disconnect(), patienceMs);
}
