/** What people see of a run: results by their kind, the panel "This run", the indicator, formulas, what can be done with an answer. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  answerQuestion,
  browserTestMs,
  eventually,
  expectAccessible,
  expectNoSideways,
  openBrowser,
  say,
  type sizes,
  type themes,
  visit,
} from '../kit/browser.ts';
import { createWebJourney } from '../kit/web-world.ts';

const shell = (command: string) => ({ name: 'execute_shell_command', input: { command } });
const before = Array.from({ length: 12 }, (_, at) => `const value${at + 1} = read(${at + 1});`).join('\n');

const looks: readonly (readonly [keyof typeof sizes, (typeof themes)[number]])[] = [
  ['phone', 'light'],
  ['tablet', 'dark'],
  ['desk', 'light'],
];

test.each(looks)(
  '[E09] [K92] results are seen by their kind, each in its step, and the panel sums them up (%s, %s)',
  async (size, theme) => {
    const journey = await createWebJourney([
      {
        text: 'I will look first.',
        calls: [
          { name: 'grep', input: { pattern: 'value', path: '.' } },
          {
            name: 'edit_file',
            input: {
              path: 'queue.ts',
              oldString: 'const value3 = read(3);',
              newString: 'const value3 = readAll(3, 4);',
            },
          },
          shell(
            "printf '\\033[1;31mred\\033[0m and \\033[32mgreen\\033[0m\\a\\n'; printf 'no such file\\n' >&2; exit 3",
          ),
          { name: 'find_tools', input: { query: 'files' } },
        ],
      },
      { text: 'Now the old copy.', calls: [shell('rm queue.bak')] },
      { text: 'It is done.' },
    ]);
    writeFileSync(path.join(journey.workspace, 'queue.ts'), `${before}\n`);
    const { client } = await journey.serve();
    const visitor = await visit(await openBrowser(), client, { size, theme });
    const { page } = visitor;
    await say(page, 'Tidy up');
    await answerQuestion(page, () => page.getByRole('button', { name: /Allow once/ }).click({ timeout: 1_000 }));
    await page.getByText('It is done.').waitFor();
    // Only what was said and answered is a row of the list; steps hang on the rail inside.
    await eventually(() => page.locator('.log > li').count()).toBe(2);
    await page.getByText('4 steps').click();
    const step = (name: string) => page.locator('.step', { hasText: name }).first();
    for (const name of ['Edit file', 'Run command', 'Search in files']) {
      await step(name).locator('summary').first().click();
      await step(name).locator('.detail').waitFor();
    }
    const diff = step('Edit file').locator('.diff');
    expect(await diff.locator('tr.d').innerText()).toMatch(/3\s+−const value3 = read\(3\);/);
    expect(await diff.locator('mark').allInnerTexts()).toEqual(['read', 'readAll', ', 4']);
    const output = step('Run command').locator('.output');
    expect(await output.innerText()).toContain('red and green\\x07');
    expect(await output.locator('.ansi-red.ansi-bold').innerText()).toBe('red');
    expect(await step('Run command').innerText()).toContain('exit 3');
    await visitor.shoot('results-steps');
    await expectAccessible(page);
    await expectNoSideways(page);
    if (size !== 'desk') await page.keyboard.press('Control+.');
    const panel = page.getByRole('complementary', { name: 'This run' });
    await eventually(() => panel.innerText()).toMatch(
      /Changed files[\s\S]*queue\.ts[\s\S]*Commands[\s\S]*Your answers/,
    );
    await visitor.shoot('results-panel');
    await expectAccessible(page);
    await expectNoSideways(page);
    await panel.getByRole('button', { name: 'Review' }).click();
    const review = page.getByRole('dialog', { name: 'Changed files' });
    await review.locator('.diff').waitFor();
    if (size === 'desk') {
      await review.getByRole('button', { name: 'Side by side' }).click();
      await review.locator('.diff.split').waitFor();
    }
    await visitor.shoot('results-review');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await eventually(() => review.count()).toBe(0);
    expect({ problems: visitor.problems, foreign: visitor.foreignRequests }).toEqual({ problems: [], foreign: [] });
  },
  browserTestMs,
);
