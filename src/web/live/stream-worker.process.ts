/** The worker that all tabs of a browser share: it holds their connections. */
import { createTabDesk } from './serve-tabs.ts';
import type { ToWorker } from './stream-messages.ts';

const desk = createTabDesk(globalThis.fetch.bind(globalThis));
const scope = globalThis as unknown as { onconnect: (event: MessageEvent) => void };
scope.onconnect = ({ ports: [port] }) => {
  if (port === undefined) return;
  const tab = { post: (message: object) => port.postMessage(message) };
  port.onmessage = ({ data }) => desk.hear(tab, data as ToWorker);
  // Where the browser tells (Chromium 122 and later); a tab that closes says so itself, and a silent one is found out.
  port.addEventListener('close', () => desk.forget(tab));
};
