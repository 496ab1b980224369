/** While a run goes on, and what can be done with an answer: the indicator, live output, formulas, reading aloud, notifications, files. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  answerQuestion,
  browserTestMs,
  eventually,
  expectAccessible,
  expectNoSideways,
  openBrowser,
  say,
  visit,
  type Visitor,
} from '../kit/browser.ts';
import { createWebJourney, newConversation, startWebServer } from '../kit/web-world.ts';

const shell = (command: string) => ({ name: 'execute_shell_command', input: { command } });

type Watched = {
  readonly words: readonly string[];
  readonly isAlwaysLast: boolean;
  /** What was drawn out, and for how many seconds. */
  readonly drawnOut: readonly string[];
};

/** What the chip looked like, from now until the turn has ended. */
const watching = `new Promise((resolve) => {
  const words = new Set();
  const drawnOut = new Set();
  let isAlwaysLast = true;
  document.addEventListener('transitionend', ({ target, propertyName, elapsedTime }) => {
    if (target.closest('.status') !== null)
      drawnOut.add(target.classList[0] + ' ' + propertyName + ' ' + elapsedTime.toFixed(1));
  });
  const look = () => {
    const chip = document.querySelector('.log .status');
    if (chip !== null) {
      words.add(chip.querySelector('.status-text').innerText);
      isAlwaysLast &&= document.querySelector('.log > li:last-child').contains(chip);
    }
    if (document.querySelector('.turn-end') === null) setTimeout(look, 30);
    else resolve({ words: [...words], isAlwaysLast, drawnOut: [...drawnOut] });
  };
  look();
})`;

test(
  '[K86] [K87] [K88] [K89] [S31] while tools run, the chip is the last row, its words change, and each line comes as it is printed',
  async () => {
    // Each line comes only after the one before was seen: then it cannot have come with it.
    const lines = 'for n in 1 2 3; do echo line $n; while [ ! -e seen$n ]; do sleep 0.1; done; done';
    const journey = await createWebJourney([
      { calls: [shell(lines), shell('while [ ! -e seen2 ]; do sleep 0.1; done')] },
      { text: 'Now I write it down, slowly.'.repeat(12), chunkChars: 4, delayMs: 120 },
    ]);
    const { client } = await journey.serve();
    const visitor = await visit(await openBrowser(), client, { theme: 'dark' });
    const { page } = visitor;
    await say(page, 'Work');
    await eventually(() => page.locator('.status').innerText()).toMatch(/… · 2 Tools$/);
    const watched = page.evaluate<Watched>(watching);
    const step = page.locator('.step', { hasText: 'for n in' });
    await step.locator('summary').click();
    const output = step.locator('.output.live');
    for (const [at, seen] of ['line 1\n', 'line 1\nline 2\n', 'line 1\nline 2\nline 3\n'].entries()) {
      await eventually(() => output.innerText()).toBe(seen);
      if (at === 1) {
        await visitor.shoot('answers-running');
        await expectAccessible(page);
      }
      writeFileSync(path.join(journey.workspace, `seen${at + 1}`), '');
      if (at === 1) await eventually(() => page.locator('.status').innerText()).toMatch(/… · Run command$/);
    }
    const { words, isAlwaysLast, drawnOut } = await watched;
    expect(isAlwaysLast).toBe(true);
    expect(new Set(words.map((each) => each.replace(/….*/s, '')))).toEqual(new Set(['Thinking', 'Working', 'Brewing']));
    const after = new Set(words.map((each) => each.replace(/^.*…/s, '')));
    expect(after).toEqual(new Set([' · 2 Tools', ' · Run command', '']));
    // The words fade out and in, 200 ms together; the chip takes 300 ms to its new width.
    expect([...drawnOut].sort()).toEqual(['status width 0.3', 'word opacity 0.1']);
    expect(await page.locator('.status').count()).toBe(0);
    expect(visitor.problems).toEqual([]);
  },
  browserTestMs,
);

const formulas = [
  'It costs $5 and $10, and `$x$` is code. But $e^{i\\pi} + 1 = 0$ and \\(a_1\\) hold:',
  '',
  '$$',
  '\\int_0^1 x^2 \\, dx = \\frac{1}{3}',
  '$$',
  '',
  'And $\\href{https://evil.test}{x}$ leads nowhere, $\\includegraphics{https://evil.test/x.png}$ loads nothing.',
].join('\n');

test(
  '[K50] formulas are drawn and load nothing; an answer is read aloud, also while the sandbox is open',
  async () => {
    const journey = await createWebJourney([{ text: formulas }]);
    const { client } = await journey.serve();
    const visitor = await visit(await openBrowser(), client, { size: 'tablet' });
    const { page } = visitor;
    // A machine without a voice has no button; this one gets a voice that says nothing until it is told to.
    expect(await page.getByRole('button', { name: /aloud/ }).count()).toBe(0);
    await page.addInitScript(`
      const spoken = [];
      window.spoken = spoken;
      Object.defineProperty(window, 'speechSynthesis', { value: Object.assign(new EventTarget(), {
        getVoices: () => [{ name: 'Test', lang: 'en' }],
        speak: (utterance) => spoken.push(utterance.text),
        cancel: () => spoken.push('(silence)'),
      }) });`);
    await page.reload();
    await say(page, 'Formulas');
    await eventually(() => page.locator('.prose math').count()).toBe(3);
    expect(await page.locator('.prose').innerText()).toContain('It costs $5 and $10, and $x$ is code.');
    expect(await page.locator('.prose a').count()).toBe(0);
    await visitor.shoot('answers-formulas');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Open the sandbox' }).click();
    await page.getByRole('button', { name: 'Read the answer aloud' }).click();
    await eventually(() => page.evaluate('window.spoken.join(" ")')).toContain('It costs $5 and $10');
    await page.getByRole('button', { name: 'Stop reading' }).click();
    expect(await page.evaluate('window.spoken.at(-1)')).toBe('(silence)');
    expect({ problems: visitor.problems, foreign: visitor.foreignRequests }).toEqual({ problems: [], foreign: [] });
  },
  browserTestMs,
);

const hide = (page: Visitor['page'], isHidden: boolean) =>
  page.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${isHidden} });
    document.dispatchEvent(new Event('visibilitychange'))`);

const shownNotices = (page: Visitor['page']) =>
  page.evaluate<readonly { title: string; body: string; place: string }[]>(`(async () => {
    const worker = await navigator.serviceWorker.getRegistration();
    const found = await worker.getNotifications();
    return found.map(({ title, body, data }) => ({ title, body, place: data.place }));
  })()`);

test(
  '[K29] a notification is shown on a phone, on the page and, when nobody looks, by the browser; so is a question',
  async () => {
    const journey = await createWebJourney([
      { calls: [{ name: 'send_notification', input: { title: 'Backup\u202e', message: 'It is <b>done</b>.' } }] },
      { text: 'I told you.' },
      { calls: [shell('rm -rf old')] },
      { text: 'Removed.' },
    ]);
    const { client } = await journey.serve();
    const visitor = await visit(await openBrowser(), client, { size: 'phone' });
    const { page } = visitor;
    await page.context().grantPermissions(['notifications'], { origin: new URL(client.url).origin });
    await page.reload();
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await say(page, 'Tell me');
    const line = page.getByRole('status', { name: 'Notifications' });
    await eventually(() => line.innerText()).toContain('It is <b>done</b>.');
    await visitor.shoot('answers-said');
    await expectAccessible(page);
    await expectNoSideways(page);
    expect(await shownNotices(page)).toEqual([]);
    await line.getByRole('button', { name: 'Put away' }).click();
    await page.getByText('I told you.').waitFor();
    await hide(page, true);
    const [, id = ''] = /chat\/(.+)$/.exec(page.url()) ?? [];
    await client.need('POST', `/api/conversations/${id}/turns`, { text: 'Remove it' });
    const wanted = { title: 'Handrail asks you', body: 'Run command: rm -rf old', place: `/chat/${id}#question` };
    await eventually(() => shownNotices(page)).toEqual([wanted]);
    await hide(page, false);
    await answerQuestion(page, () => page.getByRole('button', { name: /^Deny/ }).click({ timeout: 1_000 }));
    await eventually(() => shownNotices(page)).toEqual([]);
    expect(visitor.problems).toEqual([]);
  },
  browserTestMs,
);

test('a result that was too long is shown whole, page by page', async () => {
  const journey = await createWebJourney([{ calls: [shell('seq 1 20000')] }, { text: 'Counted.' }]);
  const { client } = await journey.serve();
  const visitor = await visit(await openBrowser(), client);
  const { page } = visitor;
  await say(page, 'Count');
  await page.getByText('Counted.').waitFor();
  await page.locator('.step summary').click();
  await page.getByRole('button', { name: /^Show the whole output/ }).click();
  const whole = page.locator('.output.whole');
  await eventually(() => whole.innerText()).toContain('\n7000\n');
  for (const more of ['Show more of it', 'Show more of it']) await page.getByRole('button', { name: more }).click();
  await eventually(() => whole.innerText()).toContain('\n20000');
  expect((await whole.innerText()).split('\n').filter((line) => /^\d+$/.test(line))).toHaveLength(20_000);
  expect(await page.getByRole('button', { name: 'Show more of it' }).count()).toBe(0);
  expect((await client.send('GET', '/api/artifacts/aaaaaaaaaaaaaaaa')).status).toBe(404);
  expect((await client.send('GET', '/api/artifacts/..%2f..%2fsettings')).status).toBe(404);
  expect(visitor.problems).toEqual([]);
});

test('a conversation is exported as a file by its title, and only to whoever is signed in', async () => {
  const { client } = await startWebServer();
  const { id } = await newConversation(client);
  await client.need('PATCH', `/api/conversations/${id}`, { title: 'Größe "x"\u202e' });
  await client.need('POST', `/api/conversations/${id}/calls`, { tool: 'get_local_time', input: {} });
  const read = (format: string) => client.send('GET', `/api/conversations/${id}/export?format=${format}`);
  const markdown = await read('markdown');
  expect(markdown.headers).toMatchObject({
    'content-type': 'text/markdown; charset=utf-8',
    'content-disposition': `attachment; filename="gr__e-x.md"; filename*=UTF-8''gr%C3%B6%C3%9Fe-x.md`,
    'cache-control': 'no-store',
  });
  expect(markdown.text).toContain('<details><summary>Local date and time: now (done');
  const { events } = (await read('json')).body as { events: readonly { type: string }[] };
  expect(events.map(({ type }) => type)).toContain('tool-end');
  expect((await read('pdf')).status).toBe(400);
  expect((await client.send('GET', '/api/conversations/none/export?format=json')).status).toBe(404);
  expect((await client.withCookie(undefined).send('GET', `/api/conversations/${id}/export?format=json`)).status).toBe(
    401,
  );
});
