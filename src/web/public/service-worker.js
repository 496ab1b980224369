/**
 * Keeps the app's own files, so that it opens without the server and says then that it is not connected. Nothing of the API is
 * ever kept: what people said stays with the server.
 */
const keep = 'handrail-shell-1';
const shell = '/';

/** The page names its script and its style; what they load later is kept when it is loaded. */
async function keepShell() {
  const cache = await caches.open(keep);
  const response = await fetch(shell, { cache: 'no-cache' });
  if (!response.ok) return;
  const page = await response.clone().text();
  await cache.put(shell, response);
  const files = [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map((match) => match[1]);
  await Promise.all(files.map((file) => cache.add(file).catch(() => undefined)));
}

self.addEventListener('install', (event) => {
  event.waitUntil(keepShell().then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  const clean = async () => {
    for (const name of await caches.keys()) if (name !== keep) await caches.delete(name);
    await self.clients.claim();
  };
  event.waitUntil(clean());
});

/** A page: from the server, where it answers; else the one that was kept, whatever its address. */
async function answerPage(request) {
  try {
    const response = await fetch(request);
    // A link signs in and leads on: it is no page to keep.
    if (response.ok && !response.redirected && response.type === 'basic' && isPlace(request.url)) {
      const cache = await caches.open(keep);
      await cache.put(shell, response.clone());
      await dropOldFiles(cache, await response.clone().text());
    }
    return response;
  } catch (error) {
    const kept = await caches.match(shell);
    if (kept === undefined) throw error;
    return kept;
  }
}

/** Names under /assets/ change with their content: those of a build before are of no use once the page names others. */
async function dropOldFiles(cache, page) {
  const entry = /\/assets\/[^"]+\.js/.exec(page)?.[0];
  if (entry === undefined || (await cache.match(entry)) !== undefined) return;
  for (const request of await cache.keys()) if (isAsset(request.url)) await cache.delete(request);
}

async function answerAsset(request) {
  const kept = await caches.match(request);
  if (kept !== undefined) return kept;
  const response = await fetch(request);
  if (response.ok) {
    const cache = await caches.open(keep);
    await cache.put(request, response.clone());
  }
  return response;
}

const isAsset = (url) => new URL(url).pathname.startsWith('/assets/');

/** One of the app's own addresses, which all give the same page. */
const isPlace = (url) => /^\/($|chat\/|settings(\/|$)|activity$|welcome$|tool(\/|$))/.test(new URL(url).pathname);

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== self.location.origin) return;
  if (request.mode === 'navigate' && isPlace(request.url)) event.respondWith(answerPage(request));
  else if (isAsset(request.url)) event.respondWith(answerAsset(request));
});

/** The tab that is there comes to the front and goes where the notification leads; without one a new one opens. */
async function openPlace(place) {
  const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const tab = open.find((each) => each.visibilityState === 'visible') ?? open[0];
  if (tab === undefined) return self.clients.openWindow(place);
  tab.postMessage({ type: 'go', place });
  return tab.focus();
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const place = event.notification.data?.place;
  // Only a place of this app: what the notification said may be a stranger's.
  const isOurs =
    typeof place === 'string' && isPlace(new URL(place, self.location.origin).href) && place.startsWith('/');
  event.waitUntil(openPlace(isOurs ? place : '/'));
});
