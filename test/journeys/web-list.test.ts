/** The sidebar, what is typed behind `!` and `/`, another language: in a real browser. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { browserTestMs, eventually, expectAccessible, openBrowser, say, visit } from '../kit/browser.ts';
import { createWebJourney, startWebServer } from '../kit/web-world.ts';

test(
  'a conversation is found, renamed, pinned, deleted and taken back',
  async () => {
    const journey = await createWebJourney(() => ({ text: 'Yes.' }));
    const { client } = await journey.serve();
    const visitor = await visit(await openBrowser(), client);
    const { page } = visitor;
    const row = (title: string) => page.locator('.side-row', { hasText: title });
    for (const title of ['About bread', 'About trains']) {
      await page.getByRole('link', { name: 'New chat' }).click();
      await say(page, title);
      await page.locator('.turn-end').waitFor();
      await row(title).waitFor();
    }
    const act = async (title: string, action: string): Promise<void> => {
      await row(title).hover();
      await page
        .getByRole('navigation')
        .getByRole('button', { name: `Actions for ${title}` })
        .click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    await act('About bread', 'Pin');
    await eventually(() => page.locator('.side-list h2').allInnerTexts()).toEqual(['Pinned', 'Today']);
    await act('About bread', 'Rename');
    await page.keyboard.type('Sourdough <b>on</b> Sunday');
    await page.keyboard.press('Enter');
    await row('Sourdough <b>on</b> Sunday').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('sourd');
    await eventually(() => page.locator('.side-row').count()).toBe(1);
    await visitor.shoot('5-search');
    await page.getByRole('searchbox').fill('');
    await act('About trains', 'Delete');
    await page.getByText('“About trains” was deleted.').waitFor();
    await visitor.shoot('6-undo');
    await expectAccessible(page);
    expect(new URL(page.url()).pathname).toBe('/');
    await page.getByRole('button', { name: 'Undo' }).click();
    await row('About trains').waitFor();
    await act('About trains', 'Delete');
    await eventually(() => row('About trains').count()).toBe(0);
    await eventually(() => page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    await page.reload();
    await row('Sourdough').waitFor();
    expect(await row('About trains').count()).toBe(0);
    expect(visitor.problems).toEqual([]);
  },
  browserTestMs,
);

test('a command and a tool that a person types run without a question, and without a model', async () => {
  const journey = await createWebJourney([]);
  const { client } = await journey.serve();
  const { page, problems } = await visit(await openBrowser(), client);
  await say(page, '!echo hands > made.txt; ls');
  await page.locator('.you', { hasText: '!echo hands > made.txt; ls' }).waitFor();
  await page.locator('.step.is-ok').waitFor();
  await page.locator('.step summary').click();
  await eventually(() => page.locator('.log .output').innerText()).toContain('made.txt');
  const field = page.getByRole('textbox', { name: 'Message, !command or /tool' });
  await field.fill('/read_f');
  await page.getByRole('option', { name: '/read_file' }).waitFor();
  await field.press('Tab');
  await field.press('Tab');
  await eventually(() => field.inputValue()).toBe('/read_file path=');
  await field.pressSequentially('made.txt');
  await field.press('Enter');
  await eventually(() => page.locator('.step.is-ok').count()).toBe(2);
  await say(page, '/nothing x');
  await page.getByText('There is no tool “nothing”.', { exact: false }).waitFor();
  expect(await field.inputValue()).toBe('/nothing x');
  expect(problems).toEqual([]);
});

test('a German browser gets German pages, and a narrow one has room for them', async () => {
  const journey = await createWebJourney([{ text: 'Ja.' }]);
  const { client } = await journey.serve();
  const visitor = await visit(await openBrowser(), client, { size: 'phone', theme: 'dark', language: 'de-DE' });
  const { page } = visitor;
  await page.getByRole('heading', { name: 'Was machen wir?' }).waitFor();
  await page.getByRole('button', { name: 'Verlauf' }).click();
  await page.getByText('Hier stehen später deine Gespräche.').waitFor();
  await visitor.shoot('7-german');
  await expectAccessible(page);
  expect(await page.locator('html').getAttribute('lang')).toBe('de');
});

test('a browser without a session is told how it gets one; a link or the password gives it one', async () => {
  const password = 'a long enough password';
  const { server, client } = await startWebServer({ webFolder: path.resolve('dist/web'), password });
  const browser = await openBrowser();
  const visitor = await visit(browser, client.withCookie(undefined));
  const { page } = visitor;
  await page.getByRole('heading', { name: 'This browser is not signed in' }).waitFor();
  await page.getByText('The server has a password').click();
  await page.getByLabel('Password').fill('a wrong password');
  await page.keyboard.press('Enter');
  await eventually(() => page.getByRole('alert').innerText()).not.toBe('');
  await visitor.shoot('8-signed-out');
  await expectAccessible(page);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'What shall we do?' }).waitFor();
  const other = await visit(browser, client.withCookie(undefined));
  await other.page.goto(server.newLink());
  await other.page.getByRole('heading', { name: 'What shall we do?' }).waitFor();
  expect(new URL(other.page.url()).pathname).toBe('/');
});
