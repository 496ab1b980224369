/** The tabs of one browser at the worker that they share: who sits at which stream, and who has gone. */
import { createStreamHub } from './stream-hub.ts';
import { sentState, type ToTab, type ToWorker } from './stream-messages.ts';

export type TabPort = {
  post(message: ToTab): void;
};

export type TabDesk = {
  hear(port: TabPort, message: ToWorker): void;
  /** It is closed. */
  forget(port: TabPort): void;
  close(): void;
};

/** A tab in the background is let run once a minute: https://developer.chrome.com/blog/timer-throttling-in-chrome-88 */
const deadAfterMs = 5 * 60_000;

type Tab = { readonly seats: Map<number, { retry(): void; leave(): void }>; heardAtMs: number };

export function createTabDesk(
  fetch: typeof globalThis.fetch,
  { now = Date.now, sweepMs = 60_000 }: { readonly now?: () => number; readonly sweepMs?: number } = {},
): TabDesk {
  const hub = createStreamHub(fetch);
  const tabs = new Map<TabPort, Tab>();

  function join(port: TabPort, { seat, path, after }: Extract<ToWorker, { type: 'join' }>): void {
    const tab = tabs.get(port) ?? { seats: new Map(), heardAtMs: now() };
    tabs.set(port, tab);
    tab.seats.get(seat)?.leave();
    tab.seats.set(
      seat,
      hub.join({
        ...{ path, after },
        take: (items) => port.post({ type: 'items', seat, items }),
        tell: (state) => port.post({ type: 'state', seat, state: sentState(state) }),
      }),
    );
  }

  function forget(port: TabPort): void {
    for (const seat of tabs.get(port)?.seats.values() ?? []) seat.leave();
    tabs.delete(port);
  }

  const timer = setInterval(() => {
    for (const [port, { heardAtMs }] of tabs) if (now() - heardAtMs > deadAfterMs) forget(port);
  }, sweepMs);

  return {
    forget,
    hear(port, message) {
      const tab = tabs.get(port);
      if (tab !== undefined) tab.heardAtMs = now();
      switch (message.type) {
        case 'join':
          return join(port, message);
        case 'retry':
          return tab?.seats.get(message.seat)?.retry();
        case 'leave':
          tab?.seats.get(message.seat)?.leave();
          tab?.seats.delete(message.seat);
          return;
        case 'bye':
          return forget(port);
        case 'alive':
          return tab === undefined ? port.post({ type: 'forgotten' }) : undefined;
      }
    },
    close() {
      clearInterval(timer);
      for (const port of [...tabs.keys()]) forget(port);
    },
  };
}
