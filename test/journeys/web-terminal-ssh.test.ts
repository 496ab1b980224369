/** The terminal in the browser on another machine: a full-screen program there, on a terminal of its own. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { browserTestMs, eventually, openBrowser, visit } from '../kit/browser.ts';
import { startSshServer } from '../kit/ssh-server.ts';
import { createWebJourney, newConversation } from '../kit/web-world.ts';

/** What a screen shows, as a screen reader has it. */
const rows = async (page: Page): Promise<string> =>
  (await page.locator('.xterm-rows > div').allTextContents()).join('\n').replaceAll('\u00a0', ' ');

test(
  '[S29] less on another host fills the terminal in the browser, follows its size and takes its keys',
  { timeout: browserTestMs },
  async () => {
    const server = await startSshServer();
    const journey = await createWebJourney([]);
    // On a screen of one's own nobody is asked about a host: it is named before.
    const network = { allow: ['127.0.0.1'] };
    journey.writeSettings({ net: { allowPrivate: [`127.0.0.1:${server.port}`] }, sandbox: { network } });
    const { client } = await journey.serve();
    const { id, workspace } = await newConversation(client);
    writeFileSync(join(workspace, 'id'), server.keyText, { mode: 0o600 });
    const call = (tool: string, input: object) =>
      client.need<{ readonly ok: boolean }>('POST', `/api/conversations/${id}/calls`, { tool, input });
    const keep = 'mkdir -p -m 700 ~/.ssh && install -m 600 id ~/.ssh/id';
    expect((await call('execute_shell_command', { command: keep })).ok).toBe(true);
    const host = { alias: 'box', hostname: '127.0.0.1', user: server.user, port: server.port };
    const known = { identity_file: 'id', known_host_line: server.knownHostLine };
    expect((await call('ssh_configure_host', { ...host, ...known })).ok).toBe(true);

    const { page, problems } = await visit(await openBrowser(), client);
    await page.goto(`${client.url}chat/${id}`);
    await page.getByRole('button', { name: 'Open the sandbox' }).click();
    await page.getByRole('button', { name: 'Screen' }).click();
    await eventually(() => rows(page)).toContain('$');
    await page.keyboard.type('ssh -t box less /etc/passwd\r');
    await eventually(() => rows(page), 30_000).toContain('root:x:0:0');
    const before = (await rows(page)).split('\n').length;
    await page.setViewportSize({ width: 1100, height: 600 });
    await eventually(async () => (await rows(page)).split('\n').length < before).toBe(true);
    await page.keyboard.type('/nobody\r');
    await eventually(() => rows(page)).toContain('nobody');
    await page.keyboard.type('q');
    await eventually(() => rows(page)).toContain('onnection to 127.0.0.1 closed.');
    await client.need('POST', `/api/running/terminals/${id}/session/close`, {});
    expect(server.logins()).toBe(1);
    expect(problems).toEqual([]);
  },
);
