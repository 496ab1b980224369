/** Views that only few tools give, from a tool of the test's own: a list, a link, a form, a picture, a solid. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import type { View } from '../../src/contract/output.ts';
import type { Tool } from '../../src/contract/tool.ts';
import { createHandrail } from '../../src/main.ts';
import { browserTestMs, eventually, expectAccessible, expectNoSideways, openBrowser, visit } from '../kit/browser.ts';
import { newConversation, startWebServer } from '../kit/web-world.ts';

const views: Readonly<Record<string, View>> = {
  show_list: {
    kind: 'checklist',
    items: [
      { text: 'Find the race', status: 'completed' },
      { text: 'Run it 20 times', status: 'in_progress' },
      { text: 'Tell upstream', status: 'pending' },
    ],
  },
  show_link: { kind: 'link', url: 'https://example.org/a?b=c', title: 'https://bank.test' },
  show_form: {
    kind: 'form',
    schema: { properties: { name: { type: 'string', description: 'Whose' } }, required: ['name'] },
  },
  show_picture: { kind: 'image', mediaType: 'image/png', path: 'dot.png', alt: 'A dot' },
  show_solid: { kind: 'model3d', path: 'solid.stl' },
  show_table: {
    kind: 'table',
    columns: ['name', 'size'],
    rows: [
      ['b', '10'],
      ['a', '9'],
      ['c', '100'],
    ],
  },
};

const toolOf = (view: View): Tool =>
  ({
    ...{ title: `Show ${view.kind}`, description: 'Shows one.', input: z.strictObject({}), needs: [] },
    ...{ access: () => [{ kind: 'none' }], effect: 'read', summary: () => view.kind },
    run: () => Promise.resolve({ text: view.kind, view }),
  }) as unknown as Tool;

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const facet = (points: string): string => `facet normal 0 0 0\nouter loop\n${points}\nendloop\nendfacet`;
const solid = [
  'solid tetrahedron',
  facet('vertex 0 0 0\nvertex 0 10 0\nvertex 10 0 0'),
  facet('vertex 0 0 0\nvertex 10 0 0\nvertex 0 0 10'),
  facet('vertex 0 0 0\nvertex 0 0 10\nvertex 0 10 0'),
  facet('vertex 10 0 0\nvertex 0 10 0\nvertex 0 0 10'),
  'endsolid',
].join('\n');

test(
  'lists, links, forms, tables, pictures and solids are seen as what they are',
  async () => {
    const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'handrail-views-')));
    const [home, workspace] = [path.join(root, 'home'), path.join(root, 'workspace')];
    for (const folder of [home, workspace]) mkdirSync(folder);
    writeFileSync(path.join(workspace, 'dot.png'), Buffer.from(png, 'base64'));
    writeFileSync(path.join(workspace, 'solid.stl'), solid);
    const environment = { PATH: process.env['PATH'], HOME: home, HANDRAIL_HOME: path.join(root, 'state') };
    const tools = Object.fromEntries(Object.entries(views).map(([name, view]) => [name, toolOf(view)]));
    const handrail = await createHandrail({ workspace, environment, tools });
    onTestFinished(async () => {
      await handrail.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    });
    const { client } = await startWebServer({ handrail, webFolder: path.join(import.meta.dirname, '../../dist/web') });
    const { id } = await newConversation(client);
    for (const tool of Object.keys(views))
      await client.need('POST', `/api/conversations/${id}/calls`, { tool, input: {} });
    const visitor = await visit(await openBrowser(), client, { size: 'tablet' });
    const { page } = visitor;
    await page.goto(`${client.url}chat/${id}`);
    const step = (kind: string) => page.locator('.step', { hasText: `Show ${kind}` });
    for (const { kind } of Object.values(views)) await step(kind).locator('summary').first().click();
    expect(await step('checklist').locator('.checklist').innerText()).toMatch(/Find the race[\s\S]*Tell upstream/);
    expect(await step('link').locator('.link-line').innerText()).toContain('https://example.org/a?b=c');
    expect(await step('form').locator('.pairs').last().innerText()).toMatch(/name\s+string, needed Whose/);
    const cells = () => step('table').locator('tbody td:first-child').allInnerTexts();
    expect(await cells()).toEqual(['b', 'a', 'c']);
    await step('table').getByRole('button', { name: 'size' }).click();
    expect(await cells()).toEqual(['a', 'b', 'c']);
    await step('table').getByRole('button', { name: 'size' }).click();
    expect(await cells()).toEqual(['c', 'b', 'a']);
    await step('image').locator('.picture').scrollIntoViewIfNeeded();
    await eventually(() =>
      step('image')
        .locator('img')
        .evaluate((image) => (image as never as { naturalWidth: number }).naturalWidth),
    ).toBe(1);
    await eventually(() => step('model3d').locator('.model-view').getAttribute('aria-busy')).toBe('false');
    await visitor.shoot('views');
    await step('model3d').locator('.model-view').scrollIntoViewIfNeeded();
    await visitor.shoot('views-solid');
    await expectAccessible(page);
    await expectNoSideways(page);
    await step('image').locator('.picture').click();
    await page.getByRole('dialog', { name: 'A dot' }).waitFor();
    await page.keyboard.press('Escape');
    await eventually(() => page.getByRole('dialog').count()).toBe(0);
    expect({ problems: visitor.problems, foreign: visitor.foreignRequests }).toEqual({ problems: [], foreign: [] });
  },
  browserTestMs,
);
