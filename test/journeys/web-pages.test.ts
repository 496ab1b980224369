/** Every page of the web app, at three widths and in both themes: nothing in the way of anybody, nothing over the side, no error. */
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

/** A conversation with something of everything. */
const script = [
  {
    reasoning: 'The queue is the likely place.',
    text: 'I will look first.',
    calls: [
      { name: 'read_file', input: { path: 'queue.ts' } },
      { name: 'edit_file', input: { path: 'queue.ts', oldString: 'if (full)', newString: 'while (full)' } },
      shell('printf "20 of 20 green\\n"; ls -la; echo "no such thing" >&2'),
    ],
  },
  { calls: [shell('rm -rf old && rm -f queue.bak')] },
  {
    text: 'Found it: **one slot wakes both**.\n\n| file | before | after |\n|---|---|---|\n| queue.ts | 5 of 20 | 0 of 20 |\n\n```ts\nwhile (full) await slot();\n```\n\nThe rest is in [the report](https://example.org/report).',
  },
];

const shotName = (place: string): string => place.replaceAll(/\W+/g, '-').replaceAll(/^-|-$/g, '') || 'start';

const everySize = Object.keys(sizes).flatMap((size) =>
  themes.map((theme) => [size as keyof typeof sizes, theme] as const),
);

/** Both themes on a phone and a desk; the soak looks at all. */
const isSampled = ([size, theme]: readonly [string, string]): boolean =>
  (size === 'phone' && theme === 'dark') || (size === 'desk' && theme === 'light');

test.each(soakAll(everySize, isSampled))(
  'every page can be used by everybody (%s, %s)',
  async (size, theme) => {
    const journey = await createWebJourney(script);
    writeFileSync(path.join(journey.workspace, 'queue.ts'), 'async wait() {\n  if (full) return\n}\n');
    writeFileSync(path.join(journey.workspace, 'notes.md'), '# Notes\n\n- one\n- two\n');
    const { client } = await journey.serve();
    const visitor = await visit(await openBrowser(), client, { size, theme });
    const { page } = visitor;
    await say(page, 'The upload test fails about one run in five. Find out why and fix it.');
    await answerQuestion(page, () => page.getByRole('button', { name: /^Allow once/ }).click({ timeout: 1_000 }));
    await page.locator('.turn-end').waitFor();
    await look(visitor, 'chat');
    await lookAtSandbox(visitor);
    for (const place of [
      '/',
      '/activity',
      '/tool',
      '/tool/execute_shell_command',
      '/nowhere',
      ...(await settingsPages(visitor)),
    ]) {
      await page.goto(new URL(place, client.url).href);
      await settle(visitor);
      await look(visitor, place);
    }
    expect({ problems: visitor.problems, foreign: visitor.foreignRequests }).toEqual({ problems: [], foreign: [] });
  },
  browserTestMs * 2,
);

async function look(visitor: Visitor, name: string): Promise<void> {
  await visitor.shoot(`page-${shotName(name)}`);
  await expectNoSideways(visitor.page);
  await expectAccessible(visitor.page);
}

/** Nothing is being loaded any more. */
async function settle({ page }: Visitor): Promise<void> {
  await page.locator('h1').first().waitFor();
  await eventually(() => page.locator('[aria-busy=true]').count()).toBe(0);
}

async function lookAtSandbox(visitor: Visitor): Promise<void> {
  const { page } = visitor;
  await page.getByRole('button', { name: 'Open the sandbox' }).click();
  for (const part of ['Terminal', 'Files', 'Packages']) {
    await page.getByRole('tab', { name: part, exact: true }).click();
    await settle(visitor);
    await look(visitor, `sandbox-${part}`);
  }
}

/** As the sidebar lists them. */
async function settingsPages({ page }: Visitor): Promise<readonly string[]> {
  await page.goto(new URL('/settings', page.url()).href);
  await page.locator('.side-list a').first().waitFor({ state: 'attached' });
  const places = await page.evaluate<readonly string[]>(
    "[...document.querySelectorAll('.side-list a')].map((link) => link.getAttribute('href'))",
  );
  expect(places.length).toBeGreaterThan(0);
  return places;
}
