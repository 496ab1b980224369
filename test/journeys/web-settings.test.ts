/** The pages Tools, Agent and Permissions in a real browser. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import type { Question } from '../../src/contract/permission.ts';
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
import { createWebJourney, newConversation, type WebJourney } from '../kit/web-world.ts';
import type { WebClient } from '../kit/web-client.ts';

const settingsIn = (journey: WebJourney): Record<string, unknown> =>
  JSON.parse(readFileSync(path.join(journey.stateFolder, 'settings.json'), 'utf8')) as Record<string, unknown>;

/** The page as its address opens it. */
async function open({ page }: Visitor, client: WebClient, section: string, heading: string): Promise<void> {
  await page.goto(`${client.url}settings/${section}`);
  await page.getByRole('heading', { name: heading, exact: true }).first().waitFor();
}

const card = (page: Page, name: string) => page.locator(`[data-tool="${name}"]`);
const columns = (page: Page) =>
  page.evaluate<number>("getComputedStyle(document.querySelector('.grid')).gridTemplateColumns.split(' ').length");

/** What makes what is in force the user's own: from then on a weakening waits. */
const firstCommand = async (client: WebClient): Promise<void> => {
  const { id } = await newConversation(client);
  const call = { tool: 'execute_shell_command', input: { command: 'true' } };
  await client.need('POST', `/api/conversations/${id}/calls`, call);
};

/** A model asks for something outside the workspace, and is allowed it for the conversation. */
async function allowInConversation(client: WebClient): Promise<void> {
  const notices = await client.follow('/api/stream');
  const { id } = await newConversation(client);
  await client.need('POST', `/api/conversations/${id}/turns`, { text: 'Write it' });
  const { question } = await notices.waitFor<{ question: Question }>((notice) => 'question' in notice);
  const answer = { verdict: 'allow', scope: 'conversation', hash: question.hash };
  await client.need('POST', `/api/questions/${question.id}/answer`, answer);
  await expect.poll(() => client.need('GET', '/api/grants'), { timeout: 15_000 }).toHaveLength(1);
  notices.close();
}

test(
  '[K79] [K80] [K81] [K83] [K84] [K85] tools are found, toggled anywhere on their card, switched in groups, allowed and denied',
  async () => {
    const journey = await createWebJourney([]);
    const { client } = await journey.serve();
    await firstCommand(client);
    const browser = await openBrowser();
    const visitor = await visit(browser, client);
    const { page } = visitor;
    await open(visitor, client, 'tools', 'Tools');
    for (const [width, count] of [
      [820, 3],
      [600, 2],
      [400, 1],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await card(page, 'read_file').waitFor();
      expect([width, await columns(page)]).toEqual([width, count]);
      await expectNoSideways(page);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    // Half transparent: what is behind shows through.
    const background = await card(page, 'read_file').evaluate(
      // oxlint-disable-next-line no-undef -- runs in the page
      (element) =>
        (globalThis as never as Record<string, (of: unknown) => { backgroundColor: string }>)['getComputedStyle']?.(
          element,
        ).backgroundColor,
    );
    expect(background).toMatch(/0\.5\)$/);
    expect(await page.locator('[data-tool="ssh_configure_host"]').count()).toBe(0);
    expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual(
      expect.not.arrayContaining(['Memory', 'Schedule', 'Heartbeat', 'Email']),
    );

    const glob = card(page, 'glob');
    await eventually(() => glob.getByRole('switch').isChecked()).toBe(true);
    // The label lies over all of the card: whatever is under the pointer toggles.
    await glob.locator('.desc').click({ force: true });
    await eventually(() => settingsIn(journey)).toMatchObject({ tool_enabled_glob: false });
    await page.reload();
    await eventually(() => glob.getByRole('switch').isChecked()).toBe(false);
    await glob.getByRole('switch').focus();
    await page.keyboard.press('Space');
    await eventually(() => settingsIn(journey)).toMatchObject({ tool_enabled_glob: true });

    const shellGroup = page.getByRole('region', { name: 'Shell' });
    await shellGroup.getByRole('button', { name: 'Switch all off' }).click();
    await shellGroup.getByText('0 of', { exact: false }).waitFor();
    await eventually(() => settingsIn(journey)).toMatchObject({ tool_enabled_terminal: false });
    await shellGroup.getByRole('button', { name: 'Switch all on' }).click();
    await eventually(() => settingsIn(journey)).toMatchObject({
      tool_enabled_terminal: true,
      tool_enabled_manage_process: true,
    });
    await eventually(() => card(page, 'manage_process').getByRole('switch').isChecked()).toBe(true);

    await page.getByRole('searchbox').fill('no such thing');
    await page.getByRole('heading', { name: 'No tool is like that' }).waitFor();
    await page.getByRole('button', { name: 'Show all tools' }).click();

    // The permission lies above the card and does not toggle it. Freer than before waits for a yes.
    const write = card(page, 'write_file');
    await write.getByRole('button', { name: 'Permission of' }).click();
    await page.getByRole('menuitemradio', { name: 'Denied' }).click();
    await eventually(() => settingsIn(journey)['permissions']).toEqual({ deny: ['write_file'] });
    await write.getByRole('button', { name: 'Denied' }).click();
    await page.getByRole('menuitemradio', { name: 'Free' }).click();
    await write.getByText('waits for you').waitFor();
    expect(await write.getByRole('switch').isChecked()).toBe(true);
    await visitor.shoot('tools-pending');
    const notice = page.locator('.pending-notice');
    await eventually(() => notice.innerText()).toContain('adds "write_file" to permissions.allow');
    await eventually(async () => {
      if ((await notice.count()) > 0)
        await notice
          .getByRole('button', { name: 'Confirm' })
          .click({ timeout: 1_000 })
          .catch(() => undefined);
      return notice.count();
    }).toBe(0);
    await eventually(() => write.innerText()).not.toContain('waits for you');

    // A family that is switched off says why its tools are.
    await open(visitor, client, 'agent', 'Features');
    const family = page.getByRole('switch', { name: 'Commands and terminals' });
    await family.click();
    await eventually(() => settingsIn(journey)['features']).toEqual({ sandbox: false });
    await open(visitor, client, 'tools', 'Tools');
    const shell = card(page, 'execute_shell_command');
    await shell.getByText('Off: the feature "sandbox" is switched off.').waitFor();
    expect(await shell.getByRole('switch').isDisabled()).toBe(true);
    await visitor.shoot('tools-closed');
    await card(page, 'read_file').getByRole('link', { name: 'Try' }).click();
    await eventually(() => new URL(page.url()).pathname).toBe('/tool/read_file');
    expect(visitor.problems).toEqual([]);
    expect(visitor.foreignRequests).toEqual([]);
  },
  browserTestMs,
);

test(
  'the agent is set up: own instructions reach the prompt, limits and budgets are checked, nothing is lost to an editor',
  async () => {
    const journey = await createWebJourney([]);
    journey.write('AGENTS.md', 'Indent with tabs.');
    const { client } = await journey.serve();
    const browser = await openBrowser();
    const visitor = await visit(browser, client);
    const { page } = visitor;
    await open(visitor, client, 'agent', 'Features');
    await page.getByText('Indent with tabs.').waitFor();
    const own = page.getByRole('textbox', { name: 'Your instructions' });
    await own.fill('Answer in rhymes.');
    await page.keyboard.press('Tab');
    await page.locator('.prompt', { hasText: 'Answer in rhymes.' }).waitFor();
    const rounds = page.getByRole('textbox', { name: 'Rounds of tool calls' });
    await rounds.fill('0');
    await rounds.press('Enter');
    await page.getByText('A number from 1 to 1000, or nothing for the default.').waitFor();
    expect(settingsIn(journey)).not.toHaveProperty('limits');
    // Meanwhile somebody edits the file by hand: both changes stand in it afterwards.
    const file = path.join(journey.stateFolder, 'settings.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('{', '{\n  "tool_enabled_grep": false,'));
    await rounds.fill('20');
    await rounds.press('Enter');
    await eventually(() => settingsIn(journey)).toMatchObject({ tool_enabled_grep: false, limits: { rounds: 20 } });
    await page.getByRole('textbox', { name: 'One day, in dollars' }).fill('2.5');
    await page.keyboard.press('Tab');
    await eventually(() => settingsIn(journey)).toMatchObject({ budgets: { day: { usd: 2.5 } } });
    await rounds.fill('');
    await rounds.press('Enter');
    await eventually(() => settingsIn(journey)).not.toHaveProperty('limits');

    writeFileSync(file, '{ broken');
    await page.getByText('settings.json cannot be used.', { exact: false }).waitFor();
    expect(await rounds.isDisabled()).toBe(true);
    await visitor.shoot('agent-broken');
    await expectAccessible(page);
    expect(visitor.problems).toEqual([]);
  },
  browserTestMs,
);

test(
  'rules are added, changed, removed and brought back; grants are revoked; two pages see the same',
  async () => {
    const outside = { name: 'write_file', input: { path: '../outside.txt', content: 'new' } };
    const journey = await createWebJourney([{ calls: [outside] }, { text: 'Written.' }]);
    const { client } = await journey.serve();
    await firstCommand(client);
    await allowInConversation(client);
    const browser = await openBrowser();
    const [visitor, other] = [await visit(browser, client), await visit(browser, client, { size: 'phone' })];
    const { page } = visitor;
    await open(visitor, client, 'permissions', 'Grants');
    await open(other, client, 'permissions', 'Grants');
    await page.getByText('No rules.', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByRole('combobox', { name: 'Answer' }).selectOption('deny');
    const rule = page.getByRole('textbox', { name: 'Rule' });
    await rule.fill('read_fiel');
    await page.getByText('Did you mean read_file?', { exact: false }).waitFor();
    await page.keyboard.press('Enter');
    expect(await rule.count()).toBe(1);
    await rule.fill('read_file(/srv/**)');
    await page.getByText('Refuses calls of Read file that touch /srv/**.', { exact: false }).waitFor();
    await page.keyboard.press('Enter');
    const row = page.locator('.rule', { hasText: '/srv/**' });
    await row.waitFor();
    await other.page.locator('.rule', { hasText: '/srv/**' }).waitFor();
    expect(settingsIn(journey)['permissions']).toEqual({ deny: ['read_file(/srv/**)'] });

    await row.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('“read_file(/srv/**)” was removed.').waitFor();
    // It still holds: that it goes is for a person to confirm.
    await page.getByText('Removed, and in force until you confirm that.').waitFor();
    await other.page.locator('.pending-notice').waitFor();
    await visitor.shoot('permissions-removed');
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(() => page.locator('.pending-notice').count()).toBe(0);
    await row.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Rule' }).fill('read_file(/srv/secret/**)');
    await page.getByRole('button', { name: 'Save rule' }).click();
    await eventually(() => settingsIn(journey)['permissions']).toEqual({ deny: ['read_file(/srv/secret/**)'] });

    const grant = page.locator('.cards tbody tr');
    await eventually(() => grant.innerText()).toContain('One chat');
    await visitor.shoot('permissions-grants');
    await other.shoot('permissions-grants');
    await expectAccessible(other.page);
    await expectNoSideways(other.page);
    await grant.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Nothing yet.', { exact: false }).waitFor();
    expect(await client.need('GET', '/api/grants')).toEqual([]);

    const again = page.getByRole('switch', { name: 'Ask again after text of others' });
    await again.click();
    await page.getByText('sets permissions.askAgainAfterUntrusted to false', { exact: false }).waitFor();
    await again.click();
    expect(visitor.problems).toEqual([]);
    expect(other.problems).toEqual([]);
  },
  browserTestMs,
);

test(
  'the pages of the settings have nothing that axe sees, in both themes, on a phone and at a desk, in German',
  async () => {
    const journey = await createWebJourney([]);
    journey.write('AGENTS.md', 'Indent with tabs.');
    journey.writeSettings({
      permissions: {
        deny: ['bash(rm -rf *)'],
        ask: [
          'fetch_url(api.example.org)',
          'write_file(~/a-very-long-folder-name-that-does-not-end/and-another-one/**)',
        ],
        allow: ['read_file(/usr/share/**)'],
      },
      tools: { allowed: [], disallowed: ['ssh_exec'] },
    });
    const { client } = await journey.serve();
    const browser = await openBrowser();
    const pages = [
      ['tools', 'Tools', 'Werkzeuge'],
      ['agent', 'Features', 'Fähigkeiten'],
      ['permissions', 'Grants', 'Freigaben'],
    ] as const;
    for (const theme of themes) {
      const visitor = await visit(
        browser,
        client,
        theme === 'dark' ? { theme, size: 'phone', language: 'de-DE' } : { theme },
      );
      for (const [section, english, german] of pages) {
        await open(visitor, client, section, theme === 'dark' ? german : english);
        if (section === 'tools') await card(visitor.page, 'read_file').waitFor();
        await visitor.shoot(`settings-${section}`);
        await expectAccessible(visitor.page);
        await expectNoSideways(visitor.page);
      }
      expect(visitor.problems).toEqual([]);
      expect(visitor.foreignRequests).toEqual([]);
    }
  },
  browserTestMs,
);
