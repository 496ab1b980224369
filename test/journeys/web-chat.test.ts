/** The chat in a real browser, before the real server and a scripted model. */
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
  sizes,
  themes,
  visit,
  type Visitor,
} from '../kit/browser.ts';
import { soakAll } from '../kit/soak.ts';
import { createWebJourney } from '../kit/web-world.ts';

const shell = (command: string) => ({ name: 'execute_shell_command', input: { command } });
const answer = [
  'Found it. `waitForSlot` checks the limit once and then trusts the event. When two uploads wait, **one slot wakes both**:',
  '',
  '- the check has to be repeated after each wake-up;',
  '- an aborted upload never stopped waiting.',
  '',
  '```ts',
  "test('two waiters, one slot', async () => {",
  '  const queue = new UploadQueue({ limit: 1 }) // was flaky with 2',
  '  await expectMaxActive(queue, 1)',
  '})',
  '```',
  '',
  '| file | before | after |',
  '|---|---|---|',
  '| queue.ts | 5 of 20 failed | 0 of 20 |',
  '',
  'The rest is in [the report](https://example.org/report?run=20).',
].join('\n');

const expectClean = ({ problems, foreignRequests }: Visitor): void => {
  expect({ problems, foreignRequests }).toEqual({ problems: [], foreignRequests: [] });
};

const everySize = Object.keys(sizes).flatMap((size) =>
  themes.map((theme) => [size as keyof typeof sizes, theme] as const),
);

/** Each width once, in alternating themes; the soak looks at all. */
const isSampled = (_: unknown, at: number): boolean => [0, 3, 4].includes(at);

test.each(soakAll(everySize, isSampled))(
  '[E08] [E24] a first chat with two tools and a question, answered where the work stopped (%s, %s)',
  async (size, theme) => {
    const journey = await createWebJourney([
      {
        reasoning: 'The queue is the likely place.',
        text: 'I will look first.',
        calls: [
          { name: 'read_file', input: { path: 'queue.ts' } },
          { name: 'edit_file', input: { path: 'queue.ts', oldString: 'if (full)', newString: 'while (full)' } },
          shell('echo 20 of 20 green'),
        ],
      },
      { text: 'Now the old copy can go.', calls: [shell('rm -rf old\u202e && rm queue.bak')] },
      { text: answer },
    ]);
    writeFileSync(path.join(journey.workspace, 'queue.ts'), 'async wait() {\n  if (full) return\n}\n');
    const { client } = await journey.serve();
    const visitor = await visit(await openBrowser(), client, { size, theme });
    const { page } = visitor;
    await page.getByRole('heading', { name: 'What shall we do?' }).waitFor();
    await page.getByText('Namespaces').filter({ visible: true }).waitFor();
    await visitor.shoot('1-new');
    await expectAccessible(page);
    await say(page, 'The upload test fails about one run in five. Find out why and fix it.');
    const card = page.getByRole('region', { name: 'Run this command?' });
    await card.waitFor();
    await eventually(() => card.locator('pre').innerText()).toBe('rm -rf old\\u202e && rm queue.bak');
    expect(await card.innerText()).toContain('1 hidden character');
    await visitor.shoot('2-question');
    await expectAccessible(page);
    await expectNoSideways(page);
    // By a finger on a phone, by keys elsewhere.
    if (size === 'phone') {
      await answerQuestion(page, () => card.getByRole('button', { name: /Allow once/ }).tap({ timeout: 1_000 }));
    } else {
      await page.keyboard.press('Alt+q');
      await answerQuestion(page, () => page.keyboard.press('a'));
    }
    await page.getByText('0 of 20', { exact: true }).waitFor();
    await page.locator('.turn-end').waitFor();
    await page.locator('.hljs-keyword').first().waitFor();
    await visitor.shoot('3-answer');
    await expectAccessible(page);
    await expectNoSideways(page);
    await page.getByText('3 steps').click();
    await page.getByText('Edit file').click();
    await page.getByText('while (full)').first().waitFor();
    await visitor.shoot('4-diff');
    await expectAccessible(page);
    expectClean(visitor);
  },
  browserTestMs,
);
