/** The activity page in a real browser: the ledger and its filters, what runs and is stopped, costs and hosts. */
import type { Locator } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import type { LedgerEntry } from '../../src/contract/ledger.ts';
import type { WebTurnStart } from '../../src/contract/web-api.ts';
import {
  browserTestMs,
  eventually,
  expectAccessible,
  expectNoSideways,
  openBrowser,
  themes,
  visit,
  type Visitor,
} from '../kit/browser.ts';
import { newMark } from '../kit/hang-cases.ts';
import { processesWith, untilNoProcessWith } from '../kit/jobs-world.ts';
import type { WebClient } from '../kit/web-client.ts';
import { createWebJourney, newConversation } from '../kit/web-world.ts';

const shell = (input: object) => ({ name: 'execute_shell_command', input });
/** `=`: what a spreadsheet would run. Nobody answers on port 9 of a private address, and nobody may ask it. */
const curl = 'curl -s -m 5 http://192.168.77.1:9/; true';

const expectClean = ({ problems, foreignRequests }: Visitor): void => {
  expect({ problems, foreignRequests }).toEqual({ problems: [], foreignRequests: [] });
};

const typed = (client: WebClient, id: string, command: string, more: object = {}) =>
  client.need('POST', `/api/conversations/${id}/calls`, {
    tool: 'execute_shell_command',
    input: { command, ...more },
  });

/** In the window. */
const topOf = async (row: Locator): Promise<number> => (await row.boundingBox())?.y ?? 0;

test(
  '[K92] each call has its line with who, what, why and how long; steps lead there, and jobs are stopped from there',
  async () => {
    const mark = newMark();
    const journey = await createWebJourney([
      {
        text: 'I will look.',
        calls: [
          shell({ command: `echo hello; ${curl}` }),
          { name: 'read_file', input: { path: '/etc/shadow' } },
          { name: 'read_file', input: { path: 'none.txt' } },
          shell({ command: `sleep ${mark}`, background: true }),
        ],
      },
      { text: 'It runs.' },
    ]);
    // The test's own end: whatever a failure has left running.
    onTestFinished(async () => void (await journey.run(['jobs', 'stop-all'])));
    journey.writeSettings({ budgets: { day: { usd: 2 } }, prices: { '*/*': { input: 3, output: 15 } } });
    const { client } = await journey.serve();
    const conversation = await newConversation(client);
    const stream = await client.follow(`/api/conversations/${conversation.id}/stream`);
    await client.need<WebTurnStart>('POST', `/api/conversations/${conversation.id}/turns`, { text: 'Look around' });
    await stream.waitFor((event: { type: string }) => event.type === 'turn-end');
    expect(processesWith(mark).length).toBeGreaterThan(0);

    const browser = await openBrowser();
    const desk = await visit(browser, client);
    const { page } = desk;
    // From a step of the chat to its line.
    await page.goto(`${client.url}chat/${conversation.id}`);
    await page.getByText('4 steps').click();
    await page.getByText('none.txt').first().click();
    await page.getByRole('link', { name: 'In the ledger' }).click();
    await page.getByRole('heading', { name: 'Activity' }).waitFor();
    expect(new URL(page.url()).search).toMatch(/^\?call=./);
    await page.getByText('1 of 1 call').waitFor();
    await page.getByText('not_found').first().waitFor();
    await page.getByRole('link', { name: /Open chat/ }).waitFor();
    await page.getByRole('button', { name: 'Show all calls' }).click();
    await page.getByText('4 of 4 calls, 1 failed, 1 denied').waitFor();
    expect(new URL(page.url()).search).toBe('');

    // Costs and hosts.
    await page.getByText(/of \$2\.00/).waitFor();
    await page.getByRole('button', { name: '192.168.77.1' }).waitFor();
    await page.getByText('1 refused').waitFor();
    await desk.shoot('activity');
    await expectAccessible(page);

    // Filters stand in the address, and narrow what is shown and what is exported.
    await page.getByRole('combobox', { name: 'Any outcome' }).selectOption('denied');
    await page.getByText('1 of 1 call').waitFor();
    await page.getByRole('searchbox', { name: 'Search the ledger' }).fill('shadow');
    await eventually(() => new URL(page.url()).search).toBe('?text=shadow&state=denied');
    await page.reload();
    await page.getByText('1 of 1 call').waitFor();
    const file = await client.send(
      'GET',
      (await page.getByRole('link', { name: /CSV/ }).getAttribute('href')) as string,
    );
    expect(file.headers['content-disposition']).toContain('handrail-ledger.csv');
    expect(file.text.trimEnd().split('\r\n')).toHaveLength(2);
    expect(file.text).toContain('/etc/shadow');
    await page.getByRole('searchbox', { name: 'Search the ledger' }).fill('no such thing');
    await page.getByRole('heading', { name: 'No call fits these filters' }).waitFor();
    await desk.shoot('activity-empty');
    await page.getByRole('button', { name: 'Show all time' }).click();
    await page.getByText('4 of 4 calls').waitFor();

    // What comes is shown without a reload; while a line is read it waits above.
    await typed(client, conversation.id, 'echo while-away');
    await page.getByText('echo while-away').first().waitFor();
    const hello = page.locator('.ledger tr:not(.details)').filter({ hasText: 'echo hello' });
    await hello.getByRole('button').click();
    await page.locator('.details').getByText('namespaces', { exact: true }).waitFor();
    await desk.shoot('activity-details');
    await expectAccessible(page);
    const top = await topOf(hello);
    await typed(client, conversation.id, "echo '=newer'");
    await page.getByRole('button', { name: '1 new call' }).waitFor();
    expect(Math.abs((await topOf(hello)) - top)).toBeLessThan(48);
    expect(await page.getByText("echo '=newer'").count()).toBe(0);
    await page.getByRole('button', { name: '1 new call' }).click();
    await page.getByText("echo '=newer'").first().waitFor();

    // A job that is stopped is gone, and so is a shell that is closed.
    const running = page.getByRole('region', { name: 'Running' });
    await running.getByRole('button', { name: `Stop sleep ${mark}` }).click();
    await untilNoProcessWith(mark);
    await eventually(() => running.getByText(mark).count()).toBe(0);
    await running.getByRole('button', { name: 'Close Shell, idle' }).click();
    await page.getByText(/^Nothing\. Turns/).waitFor();
    expectClean(desk);
    await desk.page.close();

    for (const theme of themes) {
      const phone = await visit(browser, client, { size: 'phone', theme });
      await phone.page.goto(`${client.url}activity?period=all`);
      await phone.page.getByText('6 of 6 calls').waitFor();
      await phone.page.locator('.ledger .row-open').first().tap();
      await phone.page.locator('.details dl').first().waitFor();
      await phone.shoot('activity');
      await expectNoSideways(phone.page);
      await expectAccessible(phone.page);
      expectClean(phone);
      await phone.page.close();
    }
  },
  browserTestMs,
);

test(
  'a turn that runs is stopped from the activity, in German and by keys alone',
  async () => {
    const journey = await createWebJourney([{ calls: [shell({ command: 'sleep 300' })] }, { text: 'x' }]);
    const { client } = await journey.serve();
    const conversation = await newConversation(client);
    const stream = await client.follow(`/api/conversations/${conversation.id}/stream`);
    await client.need('POST', `/api/conversations/${conversation.id}/turns`, { text: 'Wait' });
    const visitor = await visit(await openBrowser(), client, { language: 'de-DE', theme: 'dark', size: 'tablet' });
    const { page } = visitor;
    await page.goto(`${client.url}activity`);
    await page.getByText('Läuft', { exact: true }).waitFor();
    await visitor.shoot('activity-de');
    await expectNoSideways(page);
    await page.getByRole('button', { name: 'Stopp Wait' }).focus();
    await page.keyboard.press('Enter');
    await stream.waitFor(
      (event: { type: string; reason?: string }) => event.type === 'turn-end' && event.reason === 'stopped',
    );
    await page
      .getByText(/cancelled/)
      .first()
      .waitFor();
    expectClean(visitor);
  },
  browserTestMs,
);

test('the ledger through the server: filters, count, file, and nothing for what nobody knows', async () => {
  const journey = await createWebJourney([]);
  const { client } = await journey.serve();
  const { id } = await newConversation(client);
  await typed(client, id, "echo '=1+1'");
  await typed(client, id, 'exit 3');
  await typed(client, id, 'true', { timeout: 'soon' });
  const list = (query: string) => client.need<readonly LedgerEntry[]>('GET', `/api/ledger?${query}`);
  expect(await list('state=failed')).toMatchObject([{ end: { errorCode: 'invalid_input' } }]);
  expect(await list(`conversation=${id}&text=EXIT&limit=1`)).toMatchObject([{ origin: 'user' }]);
  const [first] = await list('limit=1&offset=2');
  expect(await list(`call=${first?.callId}`)).toEqual([first]);
  expect(await client.need('GET', '/api/ledger/count')).toEqual({ calls: 3, failed: 1, denied: 0 });
  const json = await client.need<readonly LedgerEntry[]>('GET', '/api/ledger/export?format=json&state=done');
  expect(json).toHaveLength(2);
  for (const query of ['state=odd', 'since=yesterday', 'x=1', 'limit=-1']) {
    expect((await client.send('GET', `/api/ledger?${query}`)).status).toBe(400);
  }
  expect((await client.send('GET', '/api/ledger/export?format=xlsx')).status).toBe(400);
  expect((await client.send('POST', '/api/running/shells/none/close', {})).status).toBe(404);
  expect((await client.send('POST', '/api/running/terminals/none/t/close', {})).status).toBe(404);
});
