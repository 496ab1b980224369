/**
 * `npm run bench:web`: what the web app weighs and how quickly it answers: the size of the first load, requests per second,
 * events per second to ten pages, memory, and in Debian's Chromium the first paint, a key, a conversation of 2,000 messages.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type Page } from 'playwright-core';
import type { createHandrail as CreateHandrail } from '../src/main.ts';
import { startBenchModel } from './model-server.ts';

const root = path.join(import.meta.dirname, '..');
const { createHandrail } = (await import(path.join(root, 'dist/main.js'))) as { createHandrail: typeof CreateHandrail };
const folder = mkdtempSync(path.join(tmpdir(), 'handrail-bench-web-'));
const workspace = path.join(folder, 'workspace');
const state = path.join(folder, 'state');
mkdirSync(workspace);
mkdirSync(state, { mode: 0o700 });
writeFileSync(path.join(workspace, 'notes.txt'), 'x'.repeat(2_000));
const model = await startBenchModel();
const environment = {
  ...process.env,
  HANDRAIL_HOME: state,
  OPENAI_BASE_URL: model.url,
  OPENAI_API_KEY: 'none',
  HANDRAIL_MODEL: 'openai-chat/bench',
};

const rows: (readonly [string, string])[] = [];
const median = (values: readonly number[]): number =>
  [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(0)} kB`;
const milliseconds = (value: number): string => `${value.toFixed(0)} ms`;

/** What the start page names, and what that imports at once. */
function measureBundle(): void {
  const web = path.join(root, 'dist/web');
  const sizeOf = (name: string): number => statSync(path.join(web, `${name}.gz`)).size;
  const loaded = new Set<string>(['/index.html']);
  const page = readFileSync(path.join(web, 'index.html'), 'utf8');
  const waiting = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map((match) => match[1] ?? '');
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (loaded.has(name)) continue;
    loaded.add(name);
    const text = name.endsWith('.js') ? readFileSync(path.join(web, name), 'utf8') : '';
    for (const match of text.matchAll(/(?:^|[;\s}])(?:import|export)[^;'"()]*?["']\.\/([\w.-]+\.js)["']/g))
      waiting.push(`/assets/${match[1]}`);
  }
  rows.push(['first load, gzip', kilobytes([...loaded].reduce((sum, name) => sum + sizeOf(name), 0))]);
  const later = readdirSync(path.join(web, 'assets'))
    .filter((name) => /\.(js|css)$/.test(name) && !loaded.has(`/assets/${name}`))
    .map((name) => [name.replace(/-[\w-]{8,}\./, '.'), sizeOf(`/assets/${name}`)] as const)
    .filter(([, bytes]) => bytes > 20_000)
    .sort(([, left], [, right]) => right - left);
  for (const [name, bytes] of later) rows.push([`loaded later: ${name}`, kilobytes(bytes)]);
}

async function seed(messages: number): Promise<void> {
  const handrail = await createHandrail({ workspace, environment });
  const text = 'PLAN{"rounds":0} Say something with **weight** and `code`.';
  for (let at = 0; at < messages / 2; at += 1)
    await handrail.ask({ conversationId: 'long', text, approve: 'none', maxRounds: 2 });
  await handrail.close();
}

type Server = { readonly url: string; readonly cookie: string; readonly pid: number; close(): Promise<void> };

async function serve(): Promise<Server> {
  const child = spawn(process.execPath, [path.join(root, 'dist/main.js'), 'serve', '--port', '0'], {
    cwd: workspace,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let printed = '';
  for await (const chunk of child.stdout) {
    printed += String(chunk);
    const link = /http:\S+\/link\/\S+/.exec(printed)?.[0];
    if (link === undefined) continue;
    const response = await fetch(link, { redirect: 'manual' });
    const cookie = (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const close = async (): Promise<void> => {
      child.kill('SIGTERM');
      await closed;
    };
    return { url: new URL('/', link).href, cookie, pid: child.pid ?? 0, close };
  }
  throw new Error(`the server ended: ${printed}`);
}

const memoryMb = (pid: number): string => {
  const kilobytesUsed = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  return `${(kilobytesUsed / 1024).toFixed(0)} MB`;
};

async function request(server: Server, method: string, place: string, body?: object): Promise<Response> {
  return fetch(new URL(place, server.url), {
    method,
    headers: { cookie: server.cookie, origin: server.url.replace(/\/$/, ''), 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function measureRequests(server: Server): Promise<void> {
  for (const place of ['/api/conversations/long', '/api/conversations?limit=50', '/api/state']) {
    const startedAt = performance.now();
    let left = 800;
    const worker = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        await (await request(server, 'GET', place)).arrayBuffer();
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    rows.push([`requests per second, ${place}`, (800_000 / (performance.now() - startedAt)).toFixed(0)]);
  }
}

/** Resolves with how many events have come when `enough` is true of their number, or the stream ends. */
async function follow(
  server: Server,
  place: string,
  enough: (count: number, text: string) => boolean,
): Promise<number> {
  const response = await fetch(new URL(place, server.url), { headers: { cookie: server.cookie } });
  const decoder = new TextDecoder();
  let count = 0;
  for await (const chunk of response.body ?? []) {
    const text = decoder.decode(chunk as Uint8Array, { stream: true });
    count += text.split('\ndata: ').length - 1 + (text.startsWith('data: ') ? 1 : 0);
    // Leaving the loop ends the stream.
    if (enough(count, text)) break;
  }
  return count;
}

async function measureEvents(server: Server): Promise<void> {
  const stream = '/api/conversations/long/stream?after=0';
  const replayedAt = performance.now();
  const replayed = await Promise.all(
    Array.from({ length: 10 }, () => follow(server, stream, (count) => count >= 4_000).catch(() => 0)),
  );
  const replayTotal = replayed.reduce((sum, count) => sum + count, 0);
  rows.push(['events per second to ten pages, kept ones', perSecond(replayTotal, performance.now() - replayedAt)]);
  const made = (await (await request(server, 'POST', '/api/conversations', {})).json()) as { readonly id: string };
  const place = `/api/conversations/${made.id}/stream?after=0`;
  const followers = Array.from({ length: 10 }, () => follow(server, place, (_, text) => text.includes('"turn-end"')));
  const startedAt = performance.now();
  const text = `PLAN${JSON.stringify({ tool: 'read_file', input: { path: 'notes.txt', offset: '$n' }, rounds: 14, parallel: 20 })}`;
  await request(server, 'POST', `/api/conversations/${made.id}/turns`, { text });
  const counts = await Promise.all(followers);
  const total = counts.reduce((sum, count) => sum + count, 0);
  rows.push(['events per second to ten pages, while a turn runs', perSecond(total, performance.now() - startedAt)]);
}

const perSecond = (count: number, elapsedMs: number): string => ((count * 1_000) / elapsedMs).toFixed(0);

async function measureMemory(server: Server): Promise<void> {
  rows.push(['memory of the server, idle', memoryMb(server.pid)]);
  const streams: Response[] = [];
  for (let at = 0; at < 50; at += 1) {
    const made = (await (await request(server, 'POST', '/api/conversations', {})).json()) as { readonly id: string };
    await request(server, 'POST', `/api/conversations/${made.id}/turns`, { text: 'PLAN{"rounds":0} hello' });
    const place = new URL(`/api/conversations/${made.id}/stream?after=0`, server.url);
    streams.push(await fetch(place, { headers: { cookie: server.cookie } }));
  }
  rows.push(['memory with 50 conversations followed', memoryMb(server.pid)]);
  for (const { body } of streams) await body?.cancel();
}

async function measureBrowser(server: Server): Promise<void> {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--disable-dev-shm-usage', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const [name = '', value = ''] = server.cookie.split(/=(.*)/s);
    await context.addCookies([{ name, value, url: server.url, httpOnly: true, sameSite: 'Strict' }]);
    const page = await context.newPage();
    const paints: number[] = [];
    for (let at = 0; at < 5; at += 1) {
      await page.goto(server.url);
      await page.getByRole('textbox').first().waitFor();
      paints.push(await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"));
    }
    rows.push(['first contentful paint, median of 5', milliseconds(median(paints))]);
    await measureLongConversation(page, server);
  } finally {
    await browser.close();
  }
}

async function measureLongConversation(page: Page, server: Server): Promise<void> {
  const startedAt = performance.now();
  await page.goto(new URL('chat/long', server.url).href);
  await page.locator('.turn-end').last().waitFor();
  rows.push(['2,000 messages: from the address to the last message', milliseconds(performance.now() - startedAt)]);
  // From the key to the frame that shows it.
  await page.evaluate(`(() => {
    window.keys = [];
    document.addEventListener('keydown', () => {
      const at = performance.now();
      requestAnimationFrame(() => requestAnimationFrame(() => window.keys.push(performance.now() - at)));
    }, true);
    window.tasks = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.tasks.push(entry.duration);
    }).observe({ type: 'longtask' });
  })()`);
  await page.getByRole('textbox').first().focus();
  for (const key of 'how quickly does it go') await page.keyboard.press(key === ' ' ? 'Space' : key);
  const keys = await page.evaluate<number[]>('window.keys');
  rows.push(['2,000 messages: a key until two frames later, median', milliseconds(median(keys))]);
  const scroll = await page.evaluate<{ frames: number[]; tasks: number[] }>(`new Promise((resolve) => {
    const box = document.querySelector('.scroll');
    const frames = [];
    window.tasks.length = 0;
    let before = performance.now();
    const step = (now) => {
      frames.push(now - before);
      before = now;
      box.scrollTop -= 300;
      if (frames.length < 240) requestAnimationFrame(step);
      else resolve({ frames, tasks: window.tasks });
    };
    requestAnimationFrame(step);
  })`);
  const sorted = [...scroll.frames].sort((left, right) => left - right);
  const slow = sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
  rows.push([
    '2,000 messages: frames while scrolling up, median and 95 %',
    `${milliseconds(median(sorted))}, ${milliseconds(slow)}`,
  ]);
  rows.push([
    '2,000 messages: tasks over 50 ms while scrolling',
    `${scroll.tasks.length} of ${scroll.frames.length} frames`,
  ]);
}

try {
  measureBundle();
  await seed(2_000);
  const server = await serve();
  try {
    await measureMemory(server);
    await measureRequests(server);
    await measureEvents(server);
    await measureBrowser(server);
  } finally {
    await server.close();
  }
  const width = Math.max(...rows.map(([name]) => name.length));
  for (const [name, value] of rows) console.log(`${name.padEnd(width)}  ${value}`);
} finally {
  await model.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
