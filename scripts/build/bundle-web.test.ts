import path from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bundleWeb } from './bundle-web.ts';

const root = path.join(import.meta.dirname, '../..');
const text = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString();

test('the page has no script and no style of its own text, and loads less than 250 kB before it works', async () => {
  const files = await bundleWeb(root, { forRelease: true });
  const page = text(files.get('web/index.html'));
  expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/);
  const first = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, name]) => `web/${name}`);
  expect(first.length).toBeGreaterThan(1);
  expect(first.filter((name) => !/-[\w-]{8}\.(js|css)$/.test(name))).toEqual([]);
  const bytes = ['web/index.html', ...first].reduce(
    (sum, name) => sum + (files.get(`${name}.gz`)?.length ?? Infinity),
    0,
  );
  expect(bytes).toBeLessThan(250_000);
});

test('whatever is text lies beside its compressed forms, and they hold the same', async () => {
  const files = await bundleWeb(root, { forRelease: true });
  const texts = [...files.keys()].filter((name) => /\.(js|css|html|svg)$/.test(name));
  for (const name of texts) {
    const whole = text(files.get(name));
    expect(text(brotliDecompressSync(files.get(`${name}.br`) ?? new Uint8Array()))).toBe(whole);
    expect(text(gunzipSync(files.get(`${name}.gz`) ?? new Uint8Array()))).toBe(whole);
  }
});
