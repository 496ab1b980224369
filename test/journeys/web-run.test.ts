/** A long run seen in the browser: eight tools, two questions, a server that is killed in the middle of it. */
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
} from '../kit/browser.ts';
import { createWebJourney } from '../kit/web-world.ts';

const shell = (command: string) => ({ name: 'execute_shell_command', input: { command } });

test(
  '[E08] [E24] eight tools and two questions on a phone: the diff stands above Allow, and a scope is chosen; killed in mid-turn, it goes on',
  { timeout: browserTestMs },
  async () => {
    const journey = await createWebJourney([
      {
        text: 'I look around first.',
        calls: [
          { name: 'glob', input: { pattern: '*.ts' } },
          { name: 'grep', input: { pattern: 'limit' } },
          { name: 'read_file', input: { path: 'limits.ts' } },
          { name: 'read_file', input: { path: 'missing.ts' } },
        ],
      },
      { calls: [{ name: 'edit_file', input: { path: '../settings.ts', oldString: '20', newString: '200' } }] },
      { calls: [shell('rm -rf old'), shell('echo counted')] },
      { calls: [shell('while [ ! -e go ]; do sleep 0.1; done; echo through')] },
      { text: 'Done: the limit is **200**.' },
    ]);
    journey.write('limits.ts', 'export const limit = 20;\n');
    journey.write('../settings.ts', 'export const limit = 20;\n');
    const { client, program } = await journey.serve();
    const browser = await openBrowser();
    const visitor = await visit(browser, client, { size: 'phone' });
    const desk = await visit(browser, client);
    const { page } = visitor;
    await say(page, 'Raise the limit and clean up');
    const card = page.locator('[data-question]');
    await card.waitFor();
    const [diff, allow] = await Promise.all(
      [card.locator('.diff').first(), card.getByRole('button', { name: /^Allow/ })].map((each) => each.boundingBox()),
    );
    expect((diff?.y ?? 0) + (diff?.height ?? 0)).toBeLessThanOrEqual(allow?.y ?? 0);
    expect(await card.locator('.diff').innerText()).toContain('export const limit = 200;');
    expect(await card.innerText()).toContain('settings.ts');
    await visitor.shoot('diff-question');
    await expectAccessible(page);
    await expectNoSideways(page);
    await desk.page.getByRole('link', { name: 'Raise the limit' }).click();
    await desk.page.locator('[data-question]').waitFor();
    await answerQuestion(page, () => card.getByRole('button', { name: /^Allow once/ }).tap({ timeout: 1_000 }));
    // What was answered on one page folds on the other at once.
    await eventually(() => desk.page.locator('[data-question] .diff').count()).toBe(0);

    await card.locator('pre').getByText('rm -rf old').waitFor();
    await card.getByText('This chat').click();
    await card.getByRole('button', { name: /^Allow in this chat/ }).waitFor();
    await answerQuestion(page, () => card.getByRole('button', { name: /^Allow in/ }).tap({ timeout: 1_000 }));
    await page.locator('.step.is-run').filter({ hasText: 'while' }).waitFor();
    expect(journey.read('../settings.ts')).toBe('export const limit = 200;\n');

    program.kill('SIGKILL');
    await program.ended;
    await page.getByText('Not connected.', { exact: false }).waitFor();
    journey.write('go', '');
    await journey.serve(['--port', String(client.port)]);
    await page
      .getByRole('button', { name: 'Try now' })
      .tap({ timeout: 2_000 })
      .catch(() => undefined);
    await page.getByRole('button', { name: 'Go on' }).tap();
    await page.getByText('Done: the limit is').waitFor();
    await desk.page.getByText('Done: the limit is').waitFor();
    for (const each of [page, desk.page]) {
      await each.locator('.turn-end').waitFor();
      expect(await each.locator('.you').count()).toBe(1);
    }
    expect((await client.need<unknown[]>('GET', '/api/ledger')).length).toBe(8);
    await visitor.shoot('after-kill');
    expect([visitor.problems, desk.problems, visitor.foreignRequests]).toEqual([[], [], []]);
  },
);

test('twin: where the clock of the guard has run on, the first click on a question counts', async () => {
  const journey = await createWebJourney([{ calls: [shell('rm -rf old')] }, { text: 'Done.' }]);
  const { client } = await journey.serve();
  const { page } = await visit(await openBrowser(), client);
  await page.addInitScript('{ let now = 0; performance.now = () => (now += 1000); }');
  await page.reload();
  await page.evaluate(`new MutationObserver(() => {
    const card = document.querySelector('[data-question]');
    if (card === null || window.tried) return;
    window.tried = true;
    requestAnimationFrame(() => card.querySelector('.btn.primary').click());
  }).observe(document.body, { subtree: true, childList: true })`);
  await say(page, 'Remove it');
  await page.getByText('Done.').waitFor();
  expect(await page.evaluate('window.tried')).toBe(true);
});
