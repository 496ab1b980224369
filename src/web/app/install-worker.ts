/** The service worker: the app opens without its server, can be installed, and shows notifications on a phone. */
import type { Navigation } from './navigation.ts';
import { goToPlace } from '../notify/go-to-place.ts';

/** Not there where the page was not served securely, nor in some private windows: the app works without. */
export function installWorker(navigation: Navigation): void {
  const container = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (container === undefined) return;
  container.register('/service-worker.js').catch(() => {
    // The browser forbids it: nothing is kept then.
  });
  container.addEventListener('message', (event: MessageEvent<unknown>) => {
    const { type, place } = (event.data ?? {}) as { readonly type?: unknown; readonly place?: unknown };
    if (type === 'go' && typeof place === 'string') goToPlace(navigation, place);
  });
}
