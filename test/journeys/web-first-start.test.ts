/** The first start in a real browser: a model connected by its test, a folder chosen, the sandbox seen, the first answer; or a skip. */
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import type { WebConversationPage } from '../../src/contract/web-api.ts';
import type { WebWelcome } from '../../src/contract/web-setup.ts';
import {
  browserTestMs,
  expectAccessible,
  expectNoSideways,
  openBrowser,
  say,
  themes,
  visit,
  type Visitor,
} from '../kit/browser.ts';
import { startModelServer } from '../kit/model-server.ts';
import { createProgramWorld, type ProgramWorld } from '../kit/program.ts';
import type { WebClient } from '../kit/web-client.ts';
import { serveProgram } from '../kit/web-world.ts';

const key = 'key-of-the-first-start-4711';

async function connect({ page }: Visitor, baseUrl: string): Promise<void> {
  await page.getByLabel('Model', { exact: true }).fill('scripted-1');
  await page.getByLabel('Base URL').fill(baseUrl);
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Test connection' }).click();
  await page.getByText(/^It answered in .*Hello\.$/).waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
}

test(
  'a fresh installation leads from nothing to the first answer in three steps',
  async () => {
    const turns = (_body: unknown, at: number) => ({ text: at === 0 ? 'Hello.' : 'It is done.' });
    const server = await startModelServer({ dialect: 'openai-chat', turns });
    onTestFinished(() => server.close());
    const journey = createProgramWorld();
    const project = path.join(journey.home, 'projects', 'harbour');
    mkdirSync(path.join(project, '.git'), { recursive: true });
    writeFileSync(path.join(project, 'AGENTS.md'), 'Be brief.\n');
    const { client } = await serveProgram(journey, ['--port', '0', '--no-workspace']);
    const browser = await openBrowser();
    const visitor = await visit(browser, client, { size: 'desk' });
    const { page } = visitor;
    await page.waitForURL('**/welcome');
    await page.getByRole('heading', { name: 'Connect a model' }).waitFor();
    await visitor.shoot('welcome-model');
    await expectAccessible(page);

    // What is wrong is said in words before anything is kept.
    await page.getByLabel('Model', { exact: true }).fill('scripted-1');
    await page.getByLabel('Base URL').fill('http://127.0.0.1:9/v1');
    await page.getByRole('button', { name: 'Test connection' }).click();
    await page.getByText(/^The service was not reached\./).waitFor();
    await visitor.shoot('welcome-unreached');
    await connect(visitor, server.url);

    await page.getByRole('heading', { name: 'Where may it work?' }).waitFor();
    await page.getByRole('radio', { name: /A folder of yours/ }).check();
    await page.getByRole('button', { name: 'projects' }).waitFor();
    // Home itself holds every key: it cannot be the workspace.
    expect(await page.getByRole('button', { name: 'Use this folder' }).isDisabled()).toBe(true);
    await visitor.shoot('welcome-folder');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'projects' }).press('Enter');
    await page.getByRole('button', { name: 'harbour' }).press('Enter');
    await page.getByText(/A git repository\. Its AGENTS\.md/).waitFor();
    await page.getByRole('button', { name: 'Use this folder' }).click();

    await page.getByRole('heading', { name: 'The sandbox on this machine' }).waitFor();
    await page.locator('.first-ladder [aria-current]').waitFor();
    await visitor.shoot('welcome-sandbox');
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme });
      await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished))');
      await expectAccessible(page);
    }
    await page.getByRole('button', { name: 'Start the first chat' }).click();
    await say(page, 'Are you there?');
    await page.getByText('It is done.').waitFor();
    const { conversations } = await client.need<WebConversationPage>('GET', '/api/conversations');
    expect(conversations.map(({ workspace }) => workspace)).toEqual([project]);
    expect(await client.need<WebWelcome>('GET', '/api/welcome')).toEqual({ isDone: true, workspace: project });
    // The model got the key; nobody else did.
    expect(server.requests.at(-1)?.headers['authorization']).toBe(`Bearer ${key}`);
    const stateFiles = readdirSync(journey.stateFolder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name));
    const holders = stateFiles.filter((file) => readFileSync(file).includes(key)).map((file) => path.basename(file));
    expect(holders).toEqual(['secrets.json']);
    for (const place of ['state', 'settings', 'models', 'secrets', 'welcome', 'doctor', 'upkeep'])
      expect((await client.send('GET', `/api/${place}`)).text).not.toContain(key);
    expect([visitor.problems, visitor.foreignRequests]).toEqual([[], []]);

    // Once: the next browser begins with the chat.
    const next = await visit(browser, client, { size: 'phone' });
    await next.page.getByRole('textbox', { name: 'Message, !command or /tool' }).waitFor();
    expect(new URL(next.page.url()).pathname).toBe('/');
  },
  browserTestMs,
);

/** As `npm start` opens the browser of the desktop: by a file that names a link, so that no program's arguments do. */
async function openFromFile(browser: Browser, client: WebClient, world: ProgramWorld): Promise<void> {
  await world.run(['serve', '--port', String(client.port)]);
  const runtime = path.join(world.stateFolder, 'run');
  const file = readdirSync(runtime).find((name) => name.endsWith('.html')) ?? '';
  const page = await (await browser.newContext()).newPage();
  await page.goto(`file://${path.join(runtime, file)}`);
  await page.getByRole('heading', { name: 'Three steps, then it is yours' }).waitFor();
  expect(page.url()).toBe(`${client.url}welcome`);
  await page.context().close();
}

test(
  'the first steps can be left out, by the keyboard, at every width; About leads back to them',
  async () => {
    const world = createProgramWorld();
    const { client } = await serveProgram(world, ['--port', '0', '--no-workspace']);
    const browser = await openBrowser();
    await openFromFile(browser, client, world);
    for (const size of ['phone', 'tablet'] as const) {
      const visitor = await visit(browser, client, { size, theme: 'dark', language: 'de-DE' });
      await visitor.page.waitForURL('**/welcome');
      await visitor.page.getByRole('button', { name: 'Überspringen' }).waitFor();
      await visitor.shoot('welcome-german');
      await expectNoSideways(visitor.page);
      await expectAccessible(visitor.page);
      await visitor.page.context().close();
    }
    const visitor = await visit(browser, client, { size: 'phone' });
    const { page } = visitor;
    await page.waitForURL('**/welcome');
    await page.getByRole('button', { name: 'Skip' }).press('Enter');
    await page.getByRole('textbox', { name: 'Message, !command or /tool' }).waitFor();
    await page.reload();
    await page.getByRole('textbox', { name: 'Message, !command or /tool' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
    await page.goto(`${client.url}settings/about`);
    await page.getByRole('link', { name: 'First steps' }).click();
    await page.waitForURL('**/welcome');
    expect(visitor.problems).toEqual([]);
  },
  browserTestMs,
);
