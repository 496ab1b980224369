/** Pages of the web app in a real browser, and what they did: errors, and requests to anybody but the server. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium, type Browser, type Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import type { WebClient } from './web-client.ts';

/** Widths of a phone, of a tablet and of a desk. */
export const sizes = {
  phone: { width: 390, height: 844 },
  tablet: { width: 768, height: 1024 },
  desk: { width: 1440, height: 900 },
} as const;

/** For a journey that waits for what takes its time, such as the end of an undo. */
export const browserTestMs = 90_000;

export const themes = ['light', 'dark'] as const;

export type VisitOptions = {
  readonly size?: keyof typeof sizes;
  readonly theme?: (typeof themes)[number];
  readonly language?: string;
  readonly reducedMotion?: boolean;
};

export type Visitor = {
  readonly page: Page;
  /** Addresses outside of the server that the page asked for. */
  readonly foreignRequests: readonly string[];
  /** Errors of scripts, and what the content policy forbade. */
  readonly problems: readonly string[];
  /** A picture for a person to look at, where HANDRAIL_TEST_SHOTS names a folder. */
  shoot(name: string): Promise<void>;
};

/** Debian's. Root may not have the browser's own sandbox; what it loads here is ours. */
export async function openBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--disable-dev-shm-usage', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
  onTestFinished(() => browser.close());
  return browser;
}

/** A browser of its own, signed in as `client` is, on the start page. */
export async function visit(
  browser: Browser,
  client: WebClient,
  { size = 'desk', theme = 'light', language = 'en-GB', reducedMotion = false }: VisitOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    viewport: sizes[size],
    hasTouch: size === 'phone',
    colorScheme: theme,
    locale: language,
    reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
  });
  const [name = '', value = ''] = (client.cookie ?? '').split(/=(.*)/s);
  if (name !== '') await context.addCookies([{ name, value, url: client.url, httpOnly: true, sameSite: 'Strict' }]);
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const foreignRequests: string[] = [];
  const problems: string[] = [];
  context.on('request', (request) => {
    const isOurs =
      request.url().startsWith(client.url) || /^(data|blob|about|chrome|chrome-extension):/.test(request.url());
    if (!isOurs) foreignRequests.push(request.url());
  });
  page.on('pageerror', (error) => problems.push(error.stack ?? error.message));
  // What the network says is looked at where a test cares.
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource|ERR_/.test(message.text()))
      problems.push(message.text());
  });
  await page.goto(client.url);
  return {
    page,
    foreignRequests,
    problems,
    async shoot(shot) {
      const folder = process.env['HANDRAIL_TEST_SHOTS'];
      if (folder === undefined) return;
      await page.screenshot({ path: `${folder}/${shot}-${sizes[size].width}-${theme}.png` });
    },
  };
}

/** Looks until it is so; a machine under load is slow, not broken. */
export const eventually = <Value>(look: () => Value | Promise<Value>, timeout = 15_000) =>
  // oxlint-disable-next-line vitest/require-awaited-expect-poll -- whoever calls this awaits what it asserts
  expect.poll(look, { timeout, interval: 50 });

/** Answers the question on the page. The first press may come while the card still settles, which does nothing: that is the guard. */
export async function answerQuestion(page: Page, press: () => Promise<unknown>): Promise<void> {
  const card = page.locator('[data-question]');
  await card.waitFor();
  await eventually(async () => {
    // Gone in between: then it is answered.
    if ((await card.count()) > 0) await press().catch(() => undefined);
    return card.count();
  }).toBe(0);
}

/** Writes a message and sends it. */
export async function say(page: Page, text: string): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Message, !command or /tool' });
  await field.fill(text);
  await field.press('Enter');
}

/**
 * Nothing that axe can see is in the way of anybody, on the page as it is now. `within`: in what this selector finds alone, for a
 * window behind which the page is out of reach.
 */
export async function expectAccessible(page: Page, within?: string): Promise<void> {
  const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  // By the browser's own debugger, which the page's content policy does not concern.
  await page.evaluate(source);
  const rules = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] };
  const found = await page.evaluate<{
    violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
  }>(`axe.run(${within === undefined ? 'document' : JSON.stringify(within)}, { runOnly: ${JSON.stringify(rules)} })`);
  expect(
    found.violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary}`).join('\n')}`,
    ),
  ).toEqual([]);
}

/** Nothing reaches over the side of the page. */
export async function expectNoSideways(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
}
