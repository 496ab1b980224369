/** The pages about models and about the program itself, in a real browser: order and price, a yes for a new host, theme, backup. */
import { expect, onTestFinished, test } from 'vitest';
import type { WebSettings } from '../../src/contract/web-settings.ts';
import {
  browserTestMs,
  eventually,
  expectAccessible,
  expectNoSideways,
  openBrowser,
  visit,
  type Visitor,
} from '../kit/browser.ts';
import { startModelServer } from '../kit/model-server.ts';
import { createWebJourney, newConversation } from '../kit/web-world.ts';

const pages = ['models', 'appearance', 'backup', 'about'] as const;

async function open({ page }: Visitor, url: string, section: string, shown: string): Promise<void> {
  await page.goto(`${url}settings/${section}`);
  await page.getByText(shown).first().waitFor();
}

test(
  'models are ordered by the keyboard, priced, and a new host waits for a yes',
  async () => {
    const other = await startModelServer({ dialect: 'openai-chat', turns: () => ({ text: 'Hello.' }) });
    onTestFinished(() => other.close());
    const journey = await createWebJourney(() => ({ text: 'Yes.' }));
    const { client } = await journey.serve();
    const written = async () => (await client.need<WebSettings>('GET', '/api/settings')).written;
    const { hash } = await client.need<WebSettings>('GET', '/api/settings');
    const box = { service: 'box', dialect: 'openai-chat', baseUrl: other.url, models: ['a', 'b'] };
    const edits = [
      { path: ['models'], value: [box] },
      { path: ['model'], value: 'box/a' },
      { path: ['fallback'], value: ['box/b', 'nowhere/c'] },
    ];
    await client.need('PATCH', '/api/settings', { edits, hash });
    const visitor = await visit(await openBrowser(), client);
    const { page } = visitor;
    await open(visitor, client.url, 'models', 'In this order');
    await visitor.shoot('models');
    await page.getByRole('button', { name: 'Test box/a' }).click();
    await page.getByText(/^It answered in .* Hello\.$/).waitFor();
    await page.getByRole('button', { name: 'Move box/b up' }).press('Enter');
    await eventually(written).toMatchObject({ model: 'box/b', fallback: ['box/a', 'nowhere/c'] });
    // At the end of its way the other button of the row has the focus.
    await eventually(() => page.locator(':focus').getAttribute('aria-label')).toBe('Move box/b down');
    await page.getByRole('button', { name: 'Take nowhere/c out of the order' }).click();
    await eventually(written).toMatchObject({ fallback: ['box/a'] });
    await page.getByRole('button', { name: 'Price and window of box/a' }).click();
    await page.getByLabel('Dollars per million tokens in').fill('0.25');
    await page.getByLabel('Dollars per million tokens out').fill('two');
    await page.getByRole('button', { name: 'Save', exact: true }).first().click();
    await page.getByText(/^Write both prices as numbers/).waitFor();
    await page.getByLabel('Dollars per million tokens out').fill('2');
    await page.getByRole('button', { name: 'Save', exact: true }).first().click();
    await eventually(written).toMatchObject({ prices: { 'box/a': { input: 0.25, output: 2 } } });
    await page
      .getByText(/\$0\.25 in, \$2 out per million/)
      .first()
      .waitFor();

    // What was in force when a command ran is the user's own from then on.
    const { id } = await newConversation(client);
    const call = { tool: 'execute_shell_command', input: { command: 'true' } };
    await client.need('POST', `/api/conversations/${id}/calls`, call);
    // A key that would go to a host that never got it holds only after a yes.
    const now = await client.need<WebSettings>('GET', '/api/settings');
    const far = {
      service: 'far',
      dialect: 'openai-chat',
      baseUrl: 'https://models.example.org/v1',
      keyName: 'FAR_KEY',
    };
    const value = [...(now.written['models'] as object[]), far];
    await client.need('PATCH', '/api/settings', { edits: [{ path: ['models'], value }], hash: now.hash });
    await page.getByText(/FAR_KEY to https:\/\/models\.example\.org/).waitFor();
    expect(await client.need('GET', '/api/models')).not.toMatchObject({
      services: expect.arrayContaining([expect.objectContaining({ name: 'far' })]),
    });
    expect([visitor.problems, visitor.foreignRequests]).toEqual([[], []]);
  },
  browserTestMs,
);

test(
  'the pages of the program speak German on a phone; the chosen colours are there before the first paint; a backup is made',
  async () => {
    const journey = await createWebJourney(() => ({ text: 'Yes.' }));
    const { client } = await journey.serve();
    const browser = await openBrowser();
    // In both themes and at all widths: web-pages.test.ts. Here in the longer language.
    const german = await visit(browser, client, { size: 'phone', theme: 'dark', language: 'de-DE' });
    for (const section of pages) {
      await german.page.goto(`${client.url}settings/${section}`);
      await german.page.locator('.page-in .sect').first().waitFor();
      await eventually(() => german.page.locator('.page-in [aria-busy="true"]').count()).toBe(0);
      await german.shoot(`page-${section}`);
      await expectNoSideways(german.page);
      await expectAccessible(german.page);
    }
    expect([german.problems, german.foreignRequests]).toEqual([[], []]);
    const visitor = await visit(browser, client, { theme: 'light' });
    const { page } = visitor;
    await open(visitor, client.url, 'appearance', 'Colours');
    await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    // Before anything was painted: the app itself has not begun by then.
    await page.addInitScript(
      'new MutationObserver(() => { if (document.body && window.themeAtBody === undefined) window.themeAtBody = String(document.documentElement.dataset.theme); }).observe(document, { childList: true, subtree: true });',
    );
    await page.reload();
    await page.getByRole('radio', { name: 'Dark' }).waitFor();
    expect(await page.evaluate('window.themeAtBody')).toBe('dark');
    expect(await page.getByRole('radio', { name: 'Dark' }).isChecked()).toBe(true);
    await page.getByRole('switch', { name: /Single letters/ }).uncheck();
    await page.getByRole('radio', { name: 'Deutsch' }).check({ force: true });
    await page.getByRole('heading', { name: 'Darstellung' }).waitFor();
    await page.getByRole('radio', { name: 'English' }).check({ force: true });
    await page.getByRole('heading', { name: 'Appearance' }).waitFor();
    expect(await page.getByRole('switch', { name: /Single letters/ }).isChecked()).toBe(false);

    await open(visitor, client.url, 'backup', 'No copy yet.');
    await page.getByRole('button', { name: 'Make a backup now' }).click();
    await page.getByText(/^Made: .*by-hand\./).waitFor();
    await page.getByText('The way back to the newest copy').click();
    await page.getByText(/handrail jobs stop-all/).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export all conversations' }).click();
    expect((await download).suggestedFilename()).toBe('handrail-conversations.jsonl');
    await visitor.shoot('backup-made');

    await page.goto(`${client.url}settings/about`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'This browser is not signed in' }).waitFor();
    // The cookie it had opens nothing any more.
    expect((await client.send('GET', '/api/state')).status).toBe(401);
    expect(visitor.problems).toEqual([]);
  },
  browserTestMs,
);
