/** The userland and its packages in a real browser: installed from mirrors of our own, followed, stopped, used, removed. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallOutcome } from '../../src/contract/output.ts';
import type { WebSandbox, WebSandboxProgress } from '../../src/contract/web-sandbox.ts';
import { packageCommands } from '../../src/services/userland/package-commands.ts';
import { type AlpineMirror, buildAlpineContent, startAlpineMirror } from '../kit/alpine-mirror.ts';
import {
  browserTestMs,
  eventually,
  expectAccessible,
  expectNoSideways,
  openBrowser,
  visit,
  type Visitor,
} from '../kit/browser.ts';
import type { WebClient } from '../kit/web-client.ts';
import { createWebJourney, newConversation, type WebJourney } from '../kit/web-world.ts';

let folder: string;
let mirrors: AlpineMirror[];
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-alpine-')));
  const content = buildAlpineContent(folder, [...packageCommands.apk.basic, 'tree', 'treesize']);
  mirrors = [await startAlpineMirror(content), await startAlpineMirror(content)];
});
afterAll(async () => {
  for (const mirror of mirrors) await mirror.close();
  rmSync(folder, { recursive: true, force: true });
});

function writeSettings(journey: WebJourney, more: object = {}): void {
  journey.writeSettings({
    sandbox: { userland: { mirrors: mirrors.map((mirror) => mirror.url) }, ...more },
    net: { allowPrivate: mirrors.map((mirror) => mirror.host) },
  });
}

/** Requests of all mirrors for this wait until they are let go. */
function hold(path: string): () => void {
  const held = Promise.withResolvers<void>();
  for (const { faults } of mirrors) faults.holds = { path, until: held.promise };
  return () => {
    held.resolve();
    for (const { faults } of mirrors) delete faults.holds;
  };
}

const expectClean = ({ problems, foreignRequests }: Visitor): void => {
  expect({ problems, foreignRequests }).toEqual({ problems: [], foreignRequests: [] });
};

async function openPackages(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Open the sandbox' }).click();
  await page.getByRole('tab', { name: 'Packages' }).click();
}

const echo = (client: WebClient, id: string) =>
  client.need<CallOutcome>('POST', `/api/conversations/${id}/calls`, {
    tool: 'execute_shell_command',
    input: { command: 'echo hi' },
  });

test(
  '[K55] [K56] [S24] [S14] from no userland to a package that is installed, removed and put back, with a reload in the middle',
  async () => {
    const journey = await createWebJourney([]);
    writeSettings(journey);
    const { client } = await journey.serve();
    const conversation = await newConversation(client);
    const browser = await openBrowser();
    const visitor = await visit(browser, client);
    const { page } = visitor;
    await page.goto(`${client.url}chat/${conversation.id}`);
    await openPackages(page);
    // Nothing is installed: the same view says so and offers it.
    await page.getByRole('heading', { name: 'Packages need a Linux system of their own' }).waitFor();
    await visitor.shoot('packages-offer');
    await expectAccessible(page);

    // A mirror that fails: its step is named, and what to do.
    for (const { faults } of mirrors) faults.missing = 'APKINDEX';
    await page.getByRole('radio', { name: 'Bare system' }).check();
    await page.getByRole('button', { name: 'Install Linux system' }).click();
    await page.getByText('The step "repositories" failed').waitFor();
    await visitor.shoot('packages-failed');
    await expectAccessible(page);
    for (const { faults } of mirrors) delete faults.missing;

    // Again, with the everyday programs: it goes on where it stopped. In the middle the page is loaded anew.
    await page.getByRole('button', { name: 'Put away' }).click();
    await page.getByText('An installation stopped on its way').waitFor();
    const release = hold('/jq-');
    await page.getByRole('button', { name: 'Go on with the installation' }).click();
    await page.getByText('Installing jq').first().waitFor({ state: 'attached' });
    await page.reload();
    await openPackages(page);
    const steps = page.getByRole('region', { name: 'Install Linux system' });
    await steps.getByRole('progressbar', { name: 'Install packages' }).waitFor();
    await steps.getByText('Output of the package manager').click();
    await steps.getByRole('log').getByText('Installing curl').waitFor();
    await visitor.shoot('packages-installing');
    await expectAccessible(page);
    // A second piece of work has to wait.
    const second = await client.send('POST', '/api/sandbox/work', { action: { kind: 'uninstall' } });
    expect([second.status, second.text]).toEqual([409, expect.stringContaining('being changed')]);
    release();
    await page.getByText('The Linux system is ready.').waitFor();
    await page.getByRole('button', { name: 'Show packages' }).click();
    const installed = page.getByRole('list', { name: 'Installed' });
    await installed.getByRole('button', { name: 'Remove busybox' }).waitFor();
    await page.getByText('but commands still see this machine’s own system').waitFor();

    // Found, and installed while the chat answers at once.
    await page.getByRole('searchbox', { name: 'Search packages' }).fill('tree');
    const found = page.getByRole('list', { name: 'Found' });
    await found.getByRole('button', { name: 'Install treesize' }).waitFor();
    const letTree = hold('/tree-');
    await found.getByRole('button', { name: 'Install tree', exact: true }).click();
    await page.getByRole('log').getByText('Installing tree (1.0-r0)').waitFor();
    await visitor.shoot('packages-tree');
    expect(await echo(client, conversation.id)).toMatchObject({ ok: true, text: 'hi' });
    expect((await client.need<WebSandboxProgress>('GET', '/api/sandbox/work')).work?.end).toBeUndefined();
    letTree();
    await page.getByText('Installed: tree').waitFor();
    await found.getByRole('button', { name: 'Remove tree', exact: true }).click();
    await page.getByText('Removed: tree').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Installed: tree').waitFor();
    await expectAccessible(page);

    // Commands see it once the settings say so, which waits for a yes.
    await page.getByRole('button', { name: 'Run commands in it' }).click();
    const confirm = page.getByRole('button', { name: 'Confirm', exact: true });
    await confirm.waitFor();
    // The notice settles before it takes a click.
    await eventually(async () => {
      if ((await confirm.count()) > 0) await confirm.click({ timeout: 1_000 }).catch(() => undefined);
      return (await client.need<WebSandbox>('GET', '/api/sandbox')).userland.isInForce;
    }).toBe(true);
    const outcome = await client.need<CallOutcome>('POST', `/api/conversations/${conversation.id}/calls`, {
      tool: 'execute_shell_command',
      input: { command: 'tree' },
    });
    expect(outcome.text).toContain('tree of the fixture');
    expectClean(visitor);

    const phone = await visit(browser, client, { size: 'phone', theme: 'dark' });
    await openPackages(phone.page);
    await phone.page.getByRole('button', { name: 'Remove busybox' }).waitFor();
    await phone.shoot('packages');
    await expectNoSideways(phone.page);
    await expectAccessible(phone.page);
    expectClean(phone);
  },
  browserTestMs,
);

test(
  '[S24] [K42] work on the userland through the server: stopped, kept until it is seen, ended with the server',
  async () => {
    const journey = await createWebJourney([]);
    writeSettings(journey);
    const { client, program } = await journey.serve();
    const stream = await client.follow('/api/stream');
    const begin = (action: object) => client.need('POST', '/api/sandbox/work', { action });
    const ended = async (): Promise<WebSandboxProgress['work']> => {
      await eventually(async () => {
        const { work } = await client.need<WebSandboxProgress>('GET', '/api/sandbox/work');
        return work?.end !== undefined;
      }).toBe(true);
      return (await client.need<WebSandboxProgress>('GET', '/api/sandbox/work')).work;
    };
    expect((await client.need<WebSandbox>('GET', '/api/sandbox')).userland.state).toBe('absent');
    expect((await client.send('GET', '/api/sandbox/packages')).status).toBe(503);
    expect((await client.send('POST', '/api/sandbox/work/stop', {})).status).toBe(404);

    const release = hold('APKINDEX');
    await begin({ kind: 'install', distribution: 'alpine', isBare: true });
    await stream.waitFor<{ type: string; work?: { progress: { step: string }[] } }>(
      ({ type, work }) => type === 'sandbox-work' && work?.progress.at(-1)?.step === 'repositories',
    );
    await client.need('POST', '/api/sandbox/work/stop', {});
    expect(await ended()).toMatchObject({ end: { isStopped: true } });
    release();
    // A page that comes later learns how it ended; when one has seen it, it is over for all.
    const later = await client.follow('/api/stream');
    expect(await later.waitFor(() => true)).toMatchObject({ sandbox: { work: { end: { isStopped: true } } } });
    await client.need('DELETE', '/api/sandbox/work');
    await later.waitFor<{ type: string; work?: unknown }>(({ type, work }) => type === 'sandbox-work' && !work);
    expect((await client.send('DELETE', '/api/sandbox/work')).status).toBe(404);

    await begin({ kind: 'install', distribution: 'alpine', isBare: true });
    expect(await ended()).toMatchObject({ end: { isStopped: false } });
    const found = await client.need<{ name: string }[]>('GET', '/api/sandbox/packages?search=tree');
    expect(found.map(({ name }) => name)).toEqual(['tree', 'treesize']);
    await begin({ kind: 'install-packages', names: ['no-such-thing'] });
    expect((await ended())?.end?.problem).toContain('no-such-thing');
    await begin({ kind: 'install-packages', names: ['-x'] });
    expect((await ended())?.end?.problem).toContain('no name of a package');
    for (const action of [
      { kind: 'format' },
      { kind: 'install', distribution: 'gentoo' },
      { kind: 'install-packages' },
    ]) {
      expect((await client.send('POST', '/api/sandbox/work', { action })).status).toBe(400);
    }

    // The server ends in the middle of it: nothing of it is left, and the next one can go on.
    hold('/tree-');
    await begin({ kind: 'install-packages', names: ['tree'] });
    await stream.waitFor<{ type: string; text?: string }>(({ text }) => text?.includes('Installing tree') === true);
    program.kill('SIGTERM');
    expect(await program.ended).toMatchObject({ code: 0 });
    for (const { faults } of mirrors) delete faults.holds;
    await journey.untilQuiet();
  },
  browserTestMs,
);
