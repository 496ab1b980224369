/** The sandbox page of the settings in a real browser: the userland's three actions, the ladder with its guard, network and limits. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Handrail } from '../../src/contract/handrail.ts';
import type { CallOutcome } from '../../src/contract/output.ts';
import type { WebState } from '../../src/contract/web-api.ts';
import type { WebSandbox } from '../../src/contract/web-sandbox.ts';
import { createHandrail } from '../../src/main.ts';
import { packageCommands } from '../../src/services/userland/package-commands.ts';
import { type AlpineMirror, buildAlpineContent, startAlpineMirror } from '../kit/alpine-mirror.ts';
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
import { createWebJourney, newConversation, startWebServer } from '../kit/web-world.ts';

let folder: string;
let mirror: AlpineMirror;
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'handrail-alpine-')));
  mirror = await startAlpineMirror(buildAlpineContent(folder, packageCommands.apk.basic));
});
afterAll(async () => {
  await mirror.close();
  rmSync(folder, { recursive: true, force: true });
});

const expectClean = ({ problems, foreignRequests }: Visitor): void => {
  expect({ problems, foreignRequests }).toEqual({ problems: [], foreignRequests: [] });
};

/** The notice settles before it takes a click: what comes under a pointer must not be confirmed by accident. */
async function confirmPending(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Confirm', exact: true });
  await button.waitFor();
  await eventually(async () => {
    if ((await button.count()) > 0) await button.click({ timeout: 1_000 }).catch(() => undefined);
    return button.count();
  }).toBe(0);
}

/** Two that agree vouch for what they send. */
const settings = () => ({
  sandbox: { userland: { mirrors: [mirror.url, mirror.url.replace('127.0.0.1', 'localhost')] } },
  net: { allowPrivate: [mirror.host, mirror.host.replace('127.0.0.1', 'localhost')] },
});

test(
  '[K47] installs a Linux system, its basic packages, a fresh one in its place, and removes it',
  async () => {
    const journey = await createWebJourney([]);
    journey.writeSettings(settings());
    const { client } = await journey.serve();
    const visitor = await visit(await openBrowser(), client, { size: 'tablet', theme: 'dark' });
    const { page } = visitor;
    const status = async () => (await client.need<WebSandbox>('GET', '/api/sandbox')).userland;
    await page.goto(`${client.url}settings/sandbox`);
    await page.getByRole('radio', { name: 'Bare system' }).check();
    await page.getByRole('button', { name: 'Install Linux system' }).click();
    await page.getByText('The Linux system is ready.').waitFor();
    await page.getByRole('button', { name: 'Put away' }).click();
    await visitor.shoot('sandbox-page-bare');
    await page.getByRole('button', { name: 'Install basic packages' }).click();
    await page.getByText('The basic packages are installed.').waitFor();
    expect(await status()).toMatchObject({ state: 'ready', packages: 'basic' });
    const { installedAt } = await status();

    // What cannot be undone is asked about, and the safe answer is at hand.
    await page.getByRole('button', { name: 'Put in a fresh system' }).click();
    await page.getByText('Put a fresh system in its place?').waitFor();
    await visitor.shoot('sandbox-page-reset');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    expect(await page.getByText('Put a fresh system in its place?').count()).toBe(0);
    await page.getByRole('button', { name: 'Put in a fresh system' }).click();
    await page.getByRole('button', { name: 'Put in a fresh system' }).click();
    await page.getByText('A fresh system is in place.').waitFor();
    expect((await status()).installedAt).not.toBe(installedAt);

    await page.getByRole('button', { name: 'Remove Linux system' }).click();
    await page.getByRole('button', { name: 'Remove Linux system' }).click();
    await page.getByText('The Linux system is gone.').waitFor();
    expect((await status()).state).toBe('absent');
    await page.getByRole('button', { name: 'Install Linux system' }).waitFor();
    expectClean(visitor);
  },
  browserTestMs,
);

test(
  '[K48] the native shell is a switch that asks before it leaves the sandbox, and shows on every page that it did',
  async () => {
    const journey = await createWebJourney([]);
    journey.writeSettings({ tool_enabled_execute_shell_command: true });
    const { client } = await journey.serve();
    const { id } = await newConversation(client);
    const rungOf = async () => {
      const tool = 'execute_shell_command';
      const call = { tool, input: { command: 'echo x' } };
      const outcome = await client.need<CallOutcome>('POST', `/api/conversations/${id}/calls`, call);
      return (outcome.data as { rung?: string } | undefined)?.rung;
    };
    expect(await rungOf()).toBe('namespaces');
    const browser = await openBrowser();
    const desk = await visit(browser, client);
    const { page } = desk;
    await page.goto(`${client.url}settings/sandbox`);
    await page.getByText('in use').waitFor();
    await desk.shoot('sandbox-page');
    await expectAccessible(page);

    // Choosing it changes nothing yet.
    await page.getByRole('button', { name: 'Switch to native shell' }).click();
    await page.getByText('waits for your yes').waitFor();
    await page.getByText('sandbox.rung "host", which is weaker').waitFor();
    await desk.shoot('sandbox-page-leave');
    await expectAccessible(page);
    expect((await client.need<WebState>('GET', '/api/state')).rung).toContain('namespaces');
    expect(await rungOf()).toBe('namespaces');
    await page.getByRole('button', { name: 'Take it back' }).click();
    await eventually(() => page.getByText('waits for your yes').count()).toBe(0);
    expect((await client.need<WebState>('GET', '/api/state')).pendingConfirmations).toEqual([]);

    // With a yes it holds at once, and is told in red.
    await page.getByRole('button', { name: 'Switch to native shell' }).click();
    await confirmPending(page);
    await page.locator('.badge.bad').filter({ hasText: 'No sandbox' }).waitFor();
    await desk.shoot('sandbox-page-host');
    await expectAccessible(page);
    await page.goto(`${client.url}chat/${id}`);
    await page.locator('.bar .badge.bad').filter({ hasText: 'No sandbox' }).waitFor();
    await page.getByRole('button', { name: 'Open the sandbox' }).click();
    await page.getByRole('tab', { name: 'Packages' }).click();
    await page.getByRole('heading', { name: 'There is no sandbox' }).waitFor();
    await page.getByRole('link', { name: 'Open the sandbox settings' }).click();

    // The way back needs no yes.
    await page.getByRole('button', { name: 'Use Namespaces', exact: true }).click();
    await page.locator('.badge.good').filter({ hasText: 'Namespaces' }).waitFor();
    expect(await rungOf()).toBe('namespaces');

    // How far it reaches, and how much it may use: what cannot be says why beside its field.
    await page.getByRole('radio', { name: 'Nothing' }).check();
    await page.getByText('No connection leaves the sandbox.').waitFor();
    await eventually(async () => (await client.need<WebState>('GET', '/api/state')).settings.sandbox.network.mode).toBe(
      'off',
    );
    await page.getByRole('textbox', { name: /Denied hosts/ }).fill('tracker.example');
    await page.getByRole('textbox', { name: /Denied hosts/ }).blur();
    await eventually(
      async () => (await client.need<WebState>('GET', '/api/state')).settings.sandbox.network.deny,
    ).toEqual(['tracker.example']);
    await page.getByRole('textbox', { name: 'Processes' }).fill('0');
    await page.getByRole('textbox', { name: 'Processes' }).press('Enter');
    await page.locator('.limit-fields .invalid').waitFor();
    await desk.shoot('sandbox-page-problem');
    await expectAccessible(page);
    expectClean(desk);

    for (const theme of themes) {
      const phone = await visit(browser, client, {
        size: 'phone',
        theme,
        language: theme === 'dark' ? 'de-DE' : 'en-GB',
      });
      await phone.page.goto(`${client.url}settings/sandbox`);
      await phone.page.locator('.ladder').waitFor();
      await phone.shoot('sandbox-page');
      await expectNoSideways(phone.page);
      await expectAccessible(phone.page);
      expectClean(phone);
      await phone.page.close();
    }
  },
  browserTestMs,
);

test(
  '[K56] where the rung is missing, the sandbox says what is missing and what mends it',
  async () => {
    const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'handrail-no-rung-')));
    const [home, workspace] = ['home', 'workspace'].map((name) => path.join(root, name)) as [string, string];
    for (const each of [home, workspace]) mkdirSync(each);
    const environment = { PATH: process.env['PATH'], HOME: home, HANDRAIL_HOME: path.join(root, 'state') };
    const real = await createHandrail({ workspace, environment });
    onTestFinished(async () => {
      await real.close();
      rmSync(root, { recursive: true, force: true });
    });
    const fix = 'sudo apt-get install bubblewrap';
    // This machine has one: what another would say.
    const handrail: Handrail = {
      ...real,
      workspace,
      sandboxReport: async () => ({
        ...{ configured: 'namespaces', rung: undefined, reason: 'bubblewrap is not installed', fix, warnings: [] },
        ladder: [{ rung: 'namespaces', fix }, { rung: 'host' }],
      }),
    };
    const webFolder = path.resolve(import.meta.dirname, '../../dist/web');
    const { client } = await startWebServer({ handrail, webFolder });
    const visitor = await visit(await openBrowser(), client, { size: 'phone' });
    const { page } = visitor;
    await page.getByRole('button', { name: 'Open the sandbox' }).click();
    await page.getByRole('tab', { name: 'Packages' }).click();
    await page.getByText('bubblewrap is not installed').waitFor();
    expect(await page.locator('.notice code').innerText()).toBe(fix);
    await page.getByRole('button', { name: 'Copy the command' }).waitFor();
    await visitor.shoot('packages-no-rung');
    await expectNoSideways(page);
    await expectAccessible(page);
    expectClean(visitor);
  },
  browserTestMs,
);
