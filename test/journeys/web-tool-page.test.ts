/** Any tool tried by hand in the browser: a form made of its schema, the result as a model gets it. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  answerQuestion,
  browserTestMs,
  eventually,
  expectAccessible,
  expectNoSideways,
  openBrowser,
  visit,
} from '../kit/browser.ts';
import { createWebJourney } from '../kit/web-world.ts';

test.each([
  ['phone', 'light'],
  ['desk', 'dark'],
] as const)(
  '[K92] a tool is run from a form made of its schema; it asks as for a model, and its result is shown as a model reads it (%s, %s)',
  async (size, theme) => {
    const journey = await createWebJourney([]);
    const { client } = await journey.serve();
    writeFileSync(path.join(journey.workspace, 'old.txt'), 'gone soon');
    const visitor = await visit(await openBrowser(), client, { size, theme });
    const { page } = visitor;
    await page.goto(`${client.url}tool`);
    await page.getByText('Choose a tool: its form is made of its schema').waitFor();
    await page.getByLabel('Tool', { exact: true }).selectOption({ label: 'Files and folders' });
    await eventually(() => page.url()).toMatch(/\/tool\/filesystem$/);
    // What is missing is told at its field, and nothing runs.
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('This is needed.').first().waitFor();
    await visitor.shoot('tool-1-form');
    await expectAccessible(page);
    await page.getByLabel('action required').selectOption('delete');
    await page.getByLabel('path required').fill('old.txt');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const result = page.getByRole('region', { name: 'Result' });
    await result.locator('[data-question]').waitFor();
    await visitor.shoot('tool-2-question');
    await expectAccessible(page);
    await answerQuestion(page, () => result.getByRole('button', { name: 'Deny' }).click({ timeout: 1_000 }));
    await result.getByText('Error denied, as the model reads it').waitFor();
    expect(readFileSync(path.join(journey.workspace, 'old.txt'), 'utf8')).toBe('gone soon');
    // As typed by the person nothing is asked.
    await page.getByText('As typed by me').click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await result.getByText('Text for the model').waitFor();
    expect(await result.getByRole('heading', { name: 'Data for programs' }).count()).toBe(1);
    await visitor.shoot('tool-3-result');
    await expectAccessible(page);
    await expectNoSideways(page);
    // The arguments as JSON are the same ones.
    await page.getByRole('button', { name: 'JSON' }).click();
    expect(JSON.parse(await page.getByLabel('Arguments as JSON').inputValue())).toEqual({
      action: 'delete',
      path: 'old.txt',
    });
    await result.getByRole('link', { name: 'Open its chat' }).click();
    await page.getByRole('heading', { name: 'Tools tried by hand' }).waitFor();
    expect({ problems: visitor.problems, foreign: visitor.foreignRequests }).toEqual({ problems: [], foreign: [] });
  },
  browserTestMs,
);
