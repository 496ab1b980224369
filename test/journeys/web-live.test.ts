/** Runs that go on while pages come and go: reload, two tabs, a server that is killed, Stop, drafts. */
import { expect, test } from 'vitest';
import { answerQuestion, browserTestMs, eventually, openBrowser, say, visit, type Visitor } from '../kit/browser.ts';
import { createWebJourney } from '../kit/web-world.ts';

const shell = (command: string) => ({ name: 'execute_shell_command', input: { command } });
const words = Array.from({ length: 120 }, (_, at) => `word${at + 1}`);
const slow = { text: words.join(' '), chunkChars: 10, delayMs: 40 };
const prose = (page: Visitor['page']) => page.locator('.prose').last();
const composer = (page: Visitor['page']) => page.getByRole('textbox', { name: 'Message, !command or /tool' });

test('[K86] [K87] [K88] [K89] while a tool runs, the last thing in the list is a pulsing dot with changing words', async () => {
  const journey = await createWebJourney([{ calls: [shell('sleep 8')] }, { text: 'Slept.' }]);
  const { client } = await journey.serve();
  const { page } = await visit(await openBrowser(), client);
  await say(page, 'Sleep');
  const chip = page.locator('.log > li').last().locator('.status');
  await eventually(() => chip.innerText()).toMatch(/^(Thinking|Working|Brewing)… · Run command$/);
  const dot = chip.locator('.dot');
  const style = (property: string) =>
    dot.evaluate(
      (node, name) =>
        `${(globalThis as never as { getComputedStyle(node: unknown): Record<string, string> }).getComputedStyle(node)[name]}`,
      property,
    );
  expect({
    width: await style('width'),
    duration: await style('animationDuration'),
    direction: await style('animationDirection'),
    count: await style('animationIterationCount'),
    timing: await style('animationTimingFunction'),
  }).toEqual({ width: '16px', duration: '0.8s', direction: 'alternate', count: 'infinite', timing: 'ease-in-out' });
  const frames = await dot.evaluate((node) =>
    (node as never as { getAnimations(): { effect: { getKeyframes(): Record<string, string>[] } }[] })
      .getAnimations()[0]
      ?.effect.getKeyframes()
      .map(({ opacity, transform }) => ({ opacity, transform })),
  );
  expect(frames).toEqual([
    { opacity: '0.4', transform: 'scale(0.6)' },
    { opacity: '1', transform: 'scale(1)' },
  ]);
  const seen = new Set<string>();
  await eventually(
    async () => seen.add((await chip.innerText()).replace(/…[\s\S]*/, '')).size,
    20_000,
  ).toBeGreaterThanOrEqual(3);
});

test('[K86] with reduced motion the dot stands still at its full size and the first word stays', async () => {
  const journey = await createWebJourney([slow]);
  const { client } = await journey.serve();
  const { page } = await visit(await openBrowser(), client, { reducedMotion: true });
  await say(page, 'Go');
  const dot = page.locator('.status .dot');
  await dot.waitFor();
  expect(await dot.evaluate((node) => (node as never as { getAnimations(): unknown[] }).getAnimations().length)).toBe(
    0,
  );
  expect(await page.locator('.status').innerText()).toBe('Thinking…');
});

test('[S32] a page that is loaded anew in the middle of an answer shows all of it, once', async () => {
  const journey = await createWebJourney([slow]);
  const { client } = await journey.serve();
  const { page, problems } = await visit(await openBrowser(), client);
  await say(page, 'Count');
  for (const seen of ['word9 ', 'word30 ', 'word60 ']) {
    await eventually(() => prose(page).innerText()).toContain(seen);
    await page.reload();
  }
  await page.locator('.turn-end').waitFor();
  expect(await prose(page).innerText()).toBe(words.join(' '));
  expect(await page.locator('.you').innerText()).toContain('Count');
  expect(problems).toEqual([]);
});

test('two tabs follow one run, and a question answered in one is gone in the other', async () => {
  const journey = await createWebJourney([{ text: 'First.', calls: [shell('rm -rf old')] }, slow]);
  const { client } = await journey.serve();
  const browser = await openBrowser();
  const [one, two] = [(await visit(browser, client)).page, (await visit(browser, client, { size: 'phone' })).page];
  await say(one, 'Count');
  await two.getByRole('button', { name: 'History' }).click();
  await two.getByRole('link', { name: 'Count' }).click();
  for (const page of [one, two]) await page.locator('[data-question]').waitFor();
  await answerQuestion(two, () => two.getByRole('button', { name: /^Deny/ }).click({ timeout: 1_000 }));
  await eventually(() => one.locator('[data-question]').count()).toBe(0);
  for (const page of [one, two]) {
    await page.locator('.turn-end').waitFor();
    expect(await prose(page).innerText()).toBe(words.join(' '));
    expect(await page.locator('.step').innerText()).toContain('denied');
  }
});

test('where tabs cannot share them, a page that nobody looks at gives its connections back, and catches up when it is looked at again', async () => {
  const journey = await createWebJourney([{ text: 'First.' }, { text: 'Second.' }]);
  const { client } = await journey.serve();
  const browser = await openBrowser();
  const { page } = await visit(browser, client);
  // As Chromium on Android, which has no worker that tabs share.
  await page.addInitScript('delete window.SharedWorker');
  const open = new Set<string>();
  page.on('requestfailed', (request) => open.delete(request.url()));
  page.on('requestfinished', (request) => open.delete(request.url()));
  page.on('request', (request) => request.url().endsWith('stream') && open.add(request.url()));
  await page.reload();
  await say(page, 'One');
  await page.getByText('First.').waitFor();
  await eventually(() => open.size).toBe(2);
  const show = (isHidden: boolean) =>
    page.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${isHidden} });
      document.dispatchEvent(new Event('visibilitychange'))`);
  await show(true);
  await eventually(() => open.size, 20_000).toBe(0);
  const [, id = ''] = /chat\/(.+)$/.exec(page.url()) ?? [];
  await client.need('POST', `/api/conversations/${id}/turns`, { text: 'Two' });
  await eventually(() => journey.server.requests.length).toBe(2);
  await show(false);
  await page.getByText('Second.').waitFor();
  expect(await page.locator('.you').count()).toBe(2);
});

test(
  'ten tabs of one browser follow one run by one connection, and the server still answers all of them',
  { timeout: browserTestMs },
  async () => {
    const journey = await createWebJourney([{ text: 'First.' }, slow]);
    const { client } = await journey.serve();
    const { page, problems } = await visit(await openBrowser(), client);
    await say(page, 'One');
    await page.getByText('First.').waitFor();
    const tabs = [page];
    while (tabs.length < 10) tabs.push(await page.context().newPage());
    await Promise.all(tabs.slice(1).map((tab) => tab.goto(page.url())));
    for (const tab of tabs) await tab.getByText('First.').waitFor();
    await say(page, 'Count');
    for (const tab of tabs) await eventually(() => prose(tab).innerText()).toContain('word9 ');
    // More would wait for ever: a browser opens six.
    const status = await tabs[9]?.evaluate(`fetch('/api/state').then(({ status }) => status)`);
    expect(status).toBe(200);
    for (const tab of tabs) await tab.locator('.turn-end').nth(1).waitFor();
    for (const tab of tabs) expect(await prose(tab).innerText()).toBe(words.join(' '));
    expect(problems).toEqual([]);
    await Promise.all(tabs.slice(2).map((tab) => tab.close()));
    // Those that stay are still told.
    const [, id = ''] = /chat\/(.+)$/.exec(page.url()) ?? [];
    await client.need('PATCH', `/api/conversations/${id}`, { title: 'Another name' });
    for (const tab of tabs.slice(0, 2)) await tab.getByRole('heading', { name: 'Another name' }).waitFor();
  },
);

test('a question takes no click and no key in its first moments', async () => {
  const journey = await createWebJourney([{ calls: [shell('rm -rf old')] }, { text: 'Done.' }]);
  const { client } = await journey.serve();
  const { page } = await visit(await openBrowser(), client);
  // As fast as a page can: the moment the card is there, it is clicked and typed at.
  await page.evaluate(`new MutationObserver(() => {
    const card = document.querySelector('[data-question]');
    if (card === null || window.tried) return;
    window.tried = true;
    card.querySelector('.btn.primary').click();
    card.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true }));
  }).observe(document.body, { subtree: true, childList: true })`);
  await say(page, 'Remove it');
  await eventually(() => page.evaluate('window.tried')).toBe(true);
  await eventually(() => page.locator('.ask-head > .num').innerText()).toMatch(/^waiting 0:0[1-9]/);
  expect(await page.locator('[data-question] .btn.primary').isEnabled()).toBe(true);
  await page.locator('[data-question] .btn.primary').click();
  await page.getByText('Done.').waitFor();
});

test('Stop ends a run at once, and what was typed meanwhile is still there after a reload', async () => {
  const journey = await createWebJourney([{ calls: [shell('sleep 60')] }, { text: 'never' }]);
  const { client } = await journey.serve();
  const { page } = await visit(await openBrowser(), client);
  await say(page, 'Sleep');
  await page.locator('.step.is-run').waitFor();
  await composer(page).fill('and then this');
  await page.reload();
  await eventually(() => composer(page).inputValue()).toBe('and then this');
  await page.locator('.step.is-run').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('You stopped it.').waitFor();
  expect(await page.getByRole('button', { name: 'Send' }).isEnabled()).toBe(true);
});

test('a server that is gone is told, typing goes on, and the page catches up when it is back', async () => {
  const journey = await createWebJourney([slow, { text: 'again' }]);
  const { client, program } = await journey.serve();
  const { page, problems } = await visit(await openBrowser(), client);
  await say(page, 'Count');
  await eventually(() => prose(page).innerText()).toContain('word20 ');
  program.kill('SIGTERM');
  await program.ended;
  await page.getByText('Not connected.', { exact: false }).waitFor();
  await composer(page).fill('still here');
  await journey.serve(['--port', String(client.port)]);
  await page
    .getByRole('button', { name: 'Try now' })
    .click({ timeout: 2_000 })
    .catch(() => undefined);
  await eventually(() => page.getByText('Not connected.', { exact: false }).count()).toBe(0);
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByText('again', { exact: true }).waitFor();
  await page.locator('.turn-end').waitFor();
  expect(await composer(page).inputValue()).toBe('still here');
  expect(problems).toEqual([]);
});
