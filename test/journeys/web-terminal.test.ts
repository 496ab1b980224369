/** The sandbox view and its terminal in a real browser: the log of a chat's shell, real screens, two pages, a new server. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  browserTestMs,
  eventually,
  expectAccessible,
  expectNoSideways,
  openBrowser,
  say,
  visit,
  type Visitor,
} from '../kit/browser.ts';
import { createWebJourney } from '../kit/web-world.ts';

const shell = (command: string) => ({ name: 'execute_shell_command', input: { command } });
const composer = (page: Page) => page.getByRole('textbox', { name: 'Message, !command or /tool' });
const log = (page: Page) => page.getByRole('log', { name: 'Output' });
const expectClean = ({ problems, foreignRequests }: Visitor): void =>
  expect({ problems, foreignRequests }).toEqual({ problems: [], foreignRequests: [] });

/** What a screen shows, as a screen reader has it. */
const rows = async (page: Page): Promise<string> =>
  (await page.locator('.xterm-rows > div').allTextContents()).join('\n').replaceAll('\u00a0', ' ');

const toEnd = (page: Page) =>
  page.evaluate<number>(
    `((box) => box.scrollHeight - box.scrollTop - box.clientHeight)(document.querySelector('.term'))`,
  );

async function runLine(page: Page, line: string): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Command for this chat’s shell' });
  await field.fill(line);
  await field.press('Enter');
}

test(
  '[K49] [K50] [K51] [K52] [S08] [S10] [S13] [S27] [S30] [S31] [S32] the sandbox in the place of a chat: its shell’s log, live, in colours, and again after a new server',
  { timeout: browserTestMs * 2 },
  async () => {
    const journey = await createWebJourney([
      { calls: [shell('echo from-agent; ls /nope')] },
      { text: 'Listed.' },
      { calls: [shell('for i in 1 2 3; do echo line-$i; sleep 0.4; done; sleep 300 & echo begun')] },
      { text: 'Ran.' },
      { text: 'Another.' },
    ]);
    const first = await journey.serve();
    const browser = await openBrowser();
    const visitor = await visit(browser, first.client);
    const { page } = visitor;
    await say(page, 'Look around');
    await page.getByText('Listed.').waitFor();
    const address = page.url();

    await page.getByRole('button', { name: 'Open the sandbox' }).click();
    await page.getByRole('tab', { name: 'Terminal' }).waitFor();
    expect(await page.getByRole('tab').allTextContents()).toEqual(['Terminal', 'Files', 'Packages']);
    expect(await page.getByRole('tab', { name: 'Terminal' }).getAttribute('aria-selected')).toBe('true');
    const pill = page.getByRole('button', { name: 'Close the sandbox' });
    expect(await pill.getAttribute('aria-pressed')).toBe('true');
    expect(await composer(page).count()).toBe(0);
    expect(page.url()).toBe(address);
    const chips = page.getByRole('group', { name: 'Shell' }).getByRole('button');
    await eventually(() => chips.allTextContents()).toEqual(['Session', 'Temporary']);
    expect(await chips.first().getAttribute('aria-pressed')).toBe('true');

    await log(page).getByText('from-agent', { exact: true }).waitFor();
    await log(page).getByText('$ echo from-agent; ls /nope').waitFor();
    const error = log(page).locator('.err');
    expect(await error.textContent()).toContain('/nope');
    const colour = (selector: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).color`);
    expect(await colour('.term .err')).not.toBe(await colour('.term'));
    await log(page).getByText('exit 2').waitFor();

    await runLine(page, 'cd /tmp; echo typed-$((40+2)); echo broken >&2');
    await log(page).getByText('typed-42', { exact: false }).last().waitFor();
    await runLine(page, 'pwd');
    await eventually(() => log(page).locator('.ran').last().textContent()).toContain('/tmp');
    await visitor.shoot('terminal-log');
    await expectAccessible(page);

    // The agent works while the sandbox is open: lines as they come, and one flash for each command.
    await page.evaluate(`document.addEventListener('animationstart', (event) => {
      if (event.animationName === 'flash') document.body.dataset.flashes = String(Number(document.body.dataset.flashes ?? 0) + 1);
    })`);
    const id = /chat\/(.+)$/.exec(address)?.[1] ?? '';
    await first.client.need('POST', `/api/conversations/${id}/turns`, { text: 'Work' });
    await log(page).getByText('line-1').waitFor();
    expect(await log(page).textContent()).not.toContain('begun\n');
    await log(page).getByText('line-3').waitFor();
    await eventually(() => page.locator('body').getAttribute('data-flashes')).toBe('1');
    await eventually(() => log(page).locator('.dot.live').count()).toBe(0);
    await runLine(page, 'ps -o args; top -b -n 1 | head -30');
    await eventually(() => log(page).locator('.ran').last().textContent()).toMatch(/sleep 300[\s\S]*sleep/);
    expect(await toEnd(page)).toBeLessThan(24);

    // Other buttons work meanwhile, and a chat closes it.
    await page.locator('.bar').getByRole('link', { name: 'Settings' }).click();
    await page.waitForURL('**/settings');
    await page.goBack();
    await composer(page).waitFor();
    await page.keyboard.press('Control+Backquote');
    await pill.waitFor();
    await page.keyboard.press('Control+Backquote');
    await composer(page).waitFor();
    await page.keyboard.press('Control+Backquote');
    await pill.waitFor();
    await page.getByRole('button', { name: 'New chat' }).last().click();
    await composer(page).waitFor();
    expect(await page.getByRole('button', { name: 'Open the sandbox' }).getAttribute('aria-pressed')).toBe('false');
    await page.keyboard.press('Control+Backquote');
    await eventually(() => rows(page)).toContain('~$');
    expect(await page.getByRole('group', { name: 'Shell' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Look around' }).click();
    await composer(page).waitFor();
    expectClean(visitor);
    await page.context().close();
    await first.client.need('POST', '/api/running/terminals/_temporary/temporary/close', {});

    first.program.kill('SIGKILL');
    await first.program.ended;
    const second = await journey.serve();
    const phone = await visit(browser, second.client, { size: 'phone', theme: 'dark' });
    await phone.page.goto(`${second.client.url}chat/${id}`);
    await phone.page.getByRole('button', { name: 'Open the sandbox' }).click();
    await log(phone.page).getByText('from-agent', { exact: true }).waitFor();
    await log(phone.page).getByText('Until here from before.').waitFor();
    expect(await toEnd(phone.page)).toBeLessThan(24);
    await expectNoSideways(phone.page);
    await expectAccessible(phone.page);
    await phone.shoot('terminal-log');
    expectClean(phone);
  },
);

test(
  '[S10] [S11] [S12] [S14] [S28] [S32] real screens: vim at desk and phone size, less, colours, two pages, a reload, and a temporary one that the server forgets',
  { timeout: browserTestMs * 2 },
  async () => {
    const journey = await createWebJourney([{ text: 'Hello.' }]);
    const first = await journey.serve();
    const browser = await openBrowser();
    const visitor = await visit(browser, first.client);
    const { page } = visitor;
    await say(page, 'Hello there');
    await page.getByText('Hello.').waitFor();
    const id = /chat\/(.+)$/.exec(page.url())?.[1] ?? '';
    const { workspace } = await first.client.need<{ workspace: string }>('GET', `/api/conversations/${id}`);
    writeFileSync(join(workspace, 'long.txt'), Array.from({ length: 500 }, (_, at) => `row ${at + 1}`).join('\n'));

    const openScreen = async (on: Page): Promise<void> => {
      await on.getByRole('button', { name: 'Open the sandbox' }).click();
      await on.getByRole('button', { name: 'Screen' }).click();
      await eventually(() => rows(on)).toContain('$');
    };
    const type = (on: Page, text: string) => on.keyboard.type(text);
    await openScreen(page);
    await type(page, 'vim -u NONE note.txt\r');
    await eventually(() => rows(page)).toContain('note.txt');
    await type(page, 'iwritten at a desk');
    await page.keyboard.press('Escape');
    await type(page, ':w\r');
    await eventually(() => existsSync(join(workspace, 'note.txt'))).toBe(true);
    await visitor.shoot('terminal-vim');
    await page.setViewportSize({ width: 900, height: 600 });
    await eventually(async () => (await page.locator('.xterm-rows > div').count()) < 32).toBe(true);
    await type(page, ':q\r');
    // What is typed before it has gone is still its own.
    await eventually(async () => (await rows(page)).trimEnd().endsWith('$')).toBe(true);
    await type(page, 'clear; less long.txt\r');
    await eventually(() => rows(page)).toContain('row 10');
    await type(page, 'G');
    await eventually(() => rows(page)).toContain('row 500');
    await type(page, 'q');
    await type(page, 'clear; printf "\\033[31mred\\033[0m \\033[38;2;10;200;30mtrue\\033[0m\\n"\r');
    const colours = () =>
      page.evaluate<string[]>(
        `[...document.querySelectorAll('.xterm-rows span')].filter((span) => /^(red|true)$/.test(span.textContent)).map((span) => getComputedStyle(span).color)`,
      );
    await eventually(async () => new Set(await colours()).size).toBe(2);
    await expectAccessible(page);

    // A phone beside it: both see the same, and what was there before.
    const phone = await visit(browser, first.client, { size: 'phone', theme: 'dark' });
    await phone.page.goto(`${first.client.url}chat/${id}`);
    await openScreen(phone.page);
    await eventually(() => rows(phone.page)).toContain('true');
    await type(phone.page, 'clear; vim -u NONE note.txt\r');
    await eventually(() => rows(phone.page)).toContain('written at a desk');
    await type(phone.page, 'A, and a phone');
    await phone.page.getByRole('button', { name: 'Esc' }).click();
    await type(phone.page, ':wq\r');
    await eventually(() => readFileSync(join(workspace, 'note.txt'), 'utf8')).toBe('written at a desk, and a phone\n');
    await phone.page.getByRole('button', { name: 'Ctrl', exact: true }).click();
    await type(phone.page, 'l');
    await type(phone.page, 'echo both-$((40+2))\r');
    await eventually(() => rows(phone.page)).toContain('both-42');
    await eventually(() => rows(page)).toContain('both-42');
    await expectNoSideways(phone.page);
    await expectAccessible(phone.page);
    await phone.shoot('terminal-screen');

    // The chat's shell is busy; the terminal is not. What it prints fast leaves the page alive.
    const busy = first.client.send('POST', `/api/conversations/${id}/calls`, typedCall('sleep 20'));
    await type(page, 'yes | head -c 50000000\r');
    await eventually(() => rows(page)).toContain('y\ny\ny');
    await page.getByRole('button', { name: 'Log' }).click();
    await page.getByRole('log', { name: 'Output' }).getByText('sleep 20').waitFor();
    await page.getByRole('button', { name: 'Screen' }).click();
    await eventually(() => rows(page)).toContain('y\ny\ny');
    await page.keyboard.press('Control+C');
    await eventually(() => rows(page)).toContain('^C');
    await type(page, 'echo done-$((40+2))\r');
    await eventually(() => rows(page)).toContain('done-42');
    await first.client.send('POST', `/api/conversations/${id}/stop`, {});
    await busy;

    // A page that was closed ends nothing; the keys that leave it leave it.
    await page.reload();
    await openScreen(page);
    await eventually(() => rows(page)).toContain('done-42');
    await page.keyboard.press('Control+Shift+Escape');
    expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('tab');
    await page.getByRole('button', { name: 'Temporary' }).click();
    await eventually(() => rows(page)).toContain('$');
    await type(page, 'echo scratch-$((40+2))\r');
    await eventually(() => rows(page)).toContain('scratch-42');
    await type(page, 'exit 3\r');
    await page.getByText('The shell has ended (exit 3).').waitFor();
    await visitor.shoot('terminal-ended');
    await page.getByRole('button', { name: 'New shell' }).click();
    await eventually(() => rows(page)).toContain('$');
    await type(page, 'echo again-$((40+2))\r');
    await eventually(() => rows(page)).toContain('again-42');
    expectClean(visitor);
    expectClean(phone);

    // Killed, it could end nothing: the next server forgets the temporary one all the same.
    first.program.kill('SIGKILL');
    await first.program.ended;
    const second = await journey.serve();
    const after = await visit(browser, second.client, { language: 'de-DE' });
    await after.page.getByRole('button', { name: 'Sandbox öffnen' }).click();
    await eventually(() => rows(after.page)).toContain('$');
    expect(await rows(after.page)).not.toContain('again-42');
    await after.shoot('terminal-temporary-german');
    await after.page.goto(`${second.client.url}chat/${id}`);
    await after.page.getByRole('button', { name: 'Sandbox öffnen' }).click();
    await after.page.getByRole('button', { name: 'Bildschirm' }).click();
    await eventually(() => rows(after.page)).toContain('done-42');
    await second.client.need('POST', `/api/running/terminals/${id}/session/close`, {});
  },
);

const typedCall = (command: string) => ({ tool: 'execute_shell_command', input: { command } });
