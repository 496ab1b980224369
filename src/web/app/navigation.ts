/** Moves between pages without loading anew; the browser's own buttons work as everywhere. */
import { createStore, type Store } from '../live/create-store.ts';
import { pathOf, readRoute, type Route } from './route.ts';

export type Navigation = {
  readonly route: Pick<Store<Route>, 'get' | 'subscribe'>;
  /** The sandbox stands in the place of the chat. It has no address of its own: whoever goes somewhere leaves it. */
  readonly isSandboxOpen: Store<boolean>;
  /** What the sandbox's Files show next; they set it to undefined when they do. */
  readonly fileToShow: Store<string | undefined>;
  /** Opens the sandbox with this file of the conversation. */
  showFile(path: string): void;
  go(route: Route, options?: { readonly replaces?: boolean }): void;
};

export function createNavigation(window: Window): Navigation {
  const route = createStore(readRoute(window.location.pathname, window.location.search));
  const isSandboxOpen = createStore(false);
  const fileToShow = createStore<string | undefined>(undefined);
  window.addEventListener('popstate', () => {
    isSandboxOpen.set(false);
    route.set(readRoute(window.location.pathname, window.location.search));
  });
  return {
    route,
    isSandboxOpen,
    fileToShow,
    showFile(path) {
      fileToShow.set(path);
      isSandboxOpen.set(true);
    },
    go(next, { replaces = false } = {}) {
      isSandboxOpen.set(false);
      fileToShow.set(undefined);
      const path = pathOf(next);
      if (path === `${window.location.pathname}${window.location.search}`) return;
      if (replaces) window.history.replaceState(null, '', path);
      else window.history.pushState(null, '', path);
      route.set(next);
    },
  };
}
