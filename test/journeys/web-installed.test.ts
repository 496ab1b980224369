/** The web app as an installed one: its manifest, its icons, and its shell while the server is away. */
import { expect, test } from 'vitest';
import { browserTestMs, eventually, openBrowser, say, visit } from '../kit/browser.ts';
import { createWebJourney } from '../kit/web-world.ts';

type Manifest = { readonly icons: readonly { readonly src: string; readonly sizes: string; readonly type: string }[] };

test(
  'the app can be installed, opens without its server, catches up with it, and keeps nothing of what was said',
  async () => {
    const journey = await createWebJourney([{ text: 'The secret harbour is Miramare.' }]);
    const { client, program } = await journey.serve();
    const { page, problems } = await visit(await openBrowser(), client, { size: 'phone' });
    const manifest = (await (await fetch(`${client.url}manifest.webmanifest`)).json()) as Manifest;
    for (const { src, sizes, type } of manifest.icons.filter((icon) => icon.type === 'image/png')) {
      const response = await fetch(new URL(src, client.url));
      const bytes = Buffer.from(await response.arrayBuffer());
      // Width and height of a PNG: https://www.w3.org/TR/png-3/#11IHDR
      const size = `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`;
      expect([src, response.headers.get('content-type'), size]).toEqual([src, type, sizes]);
    }
    await say(page, 'Where is it?');
    await page.getByText('The secret harbour is Miramare.').waitFor();
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    // From now on the worker answers; it keeps what this load asks for.
    await page.reload();
    await page.getByText('The secret harbour is Miramare.').waitFor();
    const keptUrls = `(async () => {
      const urls = [];
      for (const name of await caches.keys())
        for (const request of await (await caches.open(name)).keys()) urls.push(new URL(request.url).pathname);
      return urls;
    })()`;
    const kept = await page.evaluate<readonly string[]>(keptUrls);
    expect(kept).toContain('/');
    expect(kept.filter((each) => /^\/(api|link|healthz)/.test(each))).toEqual([]);
    const keptText = `(async () => {
      let text = '';
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) text += await (await cache.match(request)).text();
      }
      return text;
    })()`;
    expect(await page.evaluate<string>(keptText)).not.toContain('Miramare');

    program.kill('SIGTERM');
    await program.ended;
    await page.reload();
    await page.getByText('Not connected.').first().waitFor();
    await page.getByRole('textbox', { name: 'Message, !command or /tool' }).fill('Written meanwhile');

    await journey.serve(['--port', new URL(client.url).port]);
    await page.getByText('The secret harbour is Miramare.').waitFor({ timeout: 30_000 });
    await eventually(() => page.getByText('Not connected.').count()).toBe(0);
    expect(await page.getByRole('textbox', { name: 'Message, !command or /tool' }).inputValue()).toBe(
      'Written meanwhile',
    );
    expect(problems).toEqual([]);
  },
  browserTestMs,
);
