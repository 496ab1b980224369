/** Files in a real browser: seen, edited, sent, renamed, removed and brought back; and a file that a call shows. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import {
  browserTestMs,
  eventually,
  expectAccessible,
  expectNoSideways,
  openBrowser,
  say,
  visit,
} from '../kit/browser.ts';
import { createWebJourney } from '../kit/web-world.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGP4z8CAB+GTG8HSALfKY52fTcuYAAAAAElFTkSuQmCC',
  'base64',
);
/** The smallest that a viewer takes. */
const pdf = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj
trailer<</Root 1 0 R>>
%%EOF
`;
const mark = 'window.hit=(window.hit||0)+1';
const attackOf = (evil: string): string =>
  `<link rel="dns-prefetch preconnect" href="${evil}"><img src="${evil}/a.png"><p id=p></p><script>p.textContent="It ran";try{parent.hit=1}catch{}fetch("${evil}/b").catch(()=>{});fetch("/api/state").catch(()=>{})</script><h1>A page</h1><button onclick="location='${evil}/c'">Go</button>`;
const svgOf = (evil: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" onload="${mark}"><script>${mark}</script><image href="${evil}/d.png"/><rect width="40" height="40"/></svg>`;
const triangle = `solid a
facet normal 0 0 1
outer loop
vertex 0 0 0
vertex 10 0 0
vertex 0 10 0
endloop
endfacet
endsolid a
`;

const tree = (page: Page) => page.getByRole('tree');
const leaf = (page: Page, name: string) => tree(page).getByRole('treeitem', { name, exact: false });

/** Somebody else's server, which notes who comes. */
async function startStranger(): Promise<{ readonly address: string; connections(): number; requests(): number }> {
  let [connections, requests] = [0, 0];
  const server = createServer((_, response) => {
    requests += 1;
    response.end();
  });
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { address, connections: () => connections, requests: () => requests };
}

async function openFiles(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Open the sandbox' }).click();
  await page.getByRole('tab', { name: 'Files' }).click();
}

test(
  '[K53] [K54] files are seen, edited, sent, renamed, removed and brought back, at a desk and on a phone',
  { timeout: browserTestMs },
  async () => {
    const journey = await createWebJourney([{ text: 'Done.' }]);
    const { client } = await journey.serve();
    const at = (name: string): string => path.join(journey.workspace, name);
    const home = path.join(journey.stateFolder, 'home');
    mkdirSync(at('docs/deep'), { recursive: true });
    mkdirSync(home, { recursive: true });
    writeFileSync(path.join(home, 'at-home.txt'), 'home');
    writeFileSync(at('docs/note.md'), '# Uploads\r\n\r\nOne **slot**.\r\n');
    writeFileSync(at('logo.png'), png);
    const evil = await startStranger();
    writeFileSync(at('evil.html'), attackOf(evil.address));
    writeFileSync(at('evil.svg'), svgOf(evil.address));
    writeFileSync(at('doc.pdf'), pdf);
    writeFileSync(at('part.stl'), triangle);
    writeFileSync(at('table.csv'), 'name,size\n"a,b",1\n');
    writeFileSync(at(`<img src=x onerror="${mark}">.txt`), '<b>x</b>');
    const browser = await openBrowser();
    const visitor = await visit(browser, client);
    const { page } = visitor;
    await say(page, 'Hello');
    await page.locator('.turn-end').waitFor();
    await openFiles(page);

    // It starts at home; the workspace is one press away.
    await leaf(page, 'at-home.txt').waitFor();
    await visitor.shoot('files-1-home');
    await page.getByRole('button', { name: 'Workspace', exact: true }).click();
    await leaf(page, 'docs').click();
    await leaf(page, 'note.md').click();
    const editor = page.getByRole('textbox', { name: 'Text of note.md' });
    await editor.waitFor();
    await page.getByRole('heading', { name: 'Uploads' }).waitFor();
    await visitor.shoot('files-2-editor');
    await expectAccessible(page);

    // Edited and saved by the keyboard; what is not text of ours stays as it was.
    await editor.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('New line');
    await page.getByText('Not saved').first().waitFor();
    await page.locator('.preview-pane').getByText('New line').waitFor();
    await page.keyboard.press('Control+s');
    await eventually(() => readFileSync(at('docs/note.md'), 'utf8')).toBe('# Uploads\r\n\r\nOne **slot**.\r\nNew line');

    // Something else writes: nothing is lost.
    await page.keyboard.type('!');
    writeFileSync(at('docs/note.md'), '# Theirs\r\n');
    await page.keyboard.press('Control+s');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('# Theirs').waitFor();
    await visitor.shoot('files-3-conflict');
    await expectAccessible(page);
    expect(readFileSync(at('docs/note.md'), 'utf8')).toBe('# Theirs\r\n');
    await dialog.getByRole('button', { name: 'Save yours over it' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(readFileSync(at('docs/note.md'), 'utf8')).toContain('New line!');

    // A change on disk is noticed while nothing is typed.
    writeFileSync(at('docs/note.md'), '# Fresh\n');
    await page.getByRole('heading', { name: 'Fresh' }).waitFor();

    // Renamed by its key, removed, brought back.
    await tree(page).focus();
    await page.keyboard.press('F2');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('renamed.md');
    await page.keyboard.press('Enter');
    await leaf(page, 'renamed.md').waitFor();
    expect(readFileSync(at('docs/renamed.md'), 'utf8')).toBe('# Fresh\n');
    await tree(page).focus();
    await page.keyboard.press('Delete');
    await page.getByText('renamed.md is in the trash.').waitFor();
    await leaf(page, 'renamed.md').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await leaf(page, 'renamed.md').waitFor();

    // Seen, each in its own way; nothing of it runs with our rights or reaches anybody.
    await leaf(page, 'evil.html').click();
    const frame = page.frameLocator('iframe[title="Page evil.html"]');
    await frame.getByRole('heading', { name: 'A page' }).waitFor();
    await visitor.shoot('files-4-page');
    await page.getByRole('button', { name: 'Run them apart from this app' }).click();
    await frame.getByText('It ran').waitFor();
    expect(evil.connections()).toBe(0);
    await frame.getByRole('button', { name: 'Go' }).click();
    // The browser puts its own words there instead.
    await frame.getByRole('heading', { name: 'A page' }).waitFor({ state: 'detached' });
    expect(page.url()).toContain(client.url);
    await leaf(page, 'evil.svg').click();
    await page.getByRole('img', { name: 'evil.svg' }).waitFor();
    await leaf(page, 'logo.png').click();
    await eventually(() =>
      page
        .locator('img[alt="logo.png"]')
        .evaluate((image) => (image as never as { naturalWidth: number }).naturalWidth),
    ).toBe(10);
    await leaf(page, 'doc.pdf').click();
    await page.locator('iframe[title="PDF document doc.pdf"]').waitFor();
    await visitor.shoot('files-5-pdf');
    await leaf(page, 'part.stl').click();
    await eventually(() => page.locator('.solid canvas, .solid .empty').count()).toBeGreaterThan(0);
    await visitor.shoot('files-6-solid');
    await leaf(page, 'table.csv').click();
    await page.getByRole('cell', { name: 'a,b' }).waitFor();
    await leaf(page, '<img src=x').click();
    await page.getByRole('textbox', { name: /Text of <img/ }).waitFor();
    await visitor.shoot('files-7-name');
    expect(await page.evaluate('window.hit')).toBeUndefined();
    // What was tried was stopped by the browser: nobody was reached.
    expect(visitor.foreignRequests.filter((address) => !address.startsWith(evil.address))).toEqual([]);
    expect(evil.requests()).toBe(0);

    // Sent by the button, and a name that is taken asks.
    const sent = { name: 'sent.txt', mimeType: 'text/plain', buffer: Buffer.from('sent') };
    await page.getByLabel('Upload').last().setInputFiles(sent);
    await leaf(page, 'sent.txt').waitFor();
    expect(readFileSync(at('sent.txt'), 'utf8')).toBe('sent');
    await page
      .getByLabel('Upload')
      .last()
      .setInputFiles({ ...sent, buffer: Buffer.from('again') });
    await page.getByRole('button', { name: 'Replace it' }).click();
    await eventually(() => readFileSync(at('sent.txt'), 'utf8')).toBe('again');

    // What is forbidden is told by the browser; that is the guard at work, and nothing else is wrong.
    expect(
      visitor.problems.filter((line) => !/127\.0\.0\.1|Content Security Policy|sandboxed|CORS/i.test(line)),
    ).toEqual([]);

    const phone = await visit(browser, client, { size: 'phone', theme: 'dark' });
    await phone.page.goto(page.url());
    await openFiles(phone.page);
    await phone.page.getByRole('button', { name: 'Workspace', exact: true }).click();
    await leaf(phone.page, 'docs').waitFor();
    await phone.shoot('files-8-tree');
    await expectNoSideways(phone.page);
    await expectAccessible(phone.page);
    await leaf(phone.page, 'docs').click();
    await leaf(phone.page, 'renamed.md').click();
    await phone.page.getByRole('textbox', { name: 'Text of renamed.md' }).waitFor();
    await phone.shoot('files-9-editor');
    await expectNoSideways(phone.page);
    await expectAccessible(phone.page);
    await phone.page.getByRole('button', { name: 'Preview', exact: true }).click();
    await phone.page.getByRole('heading', { name: 'Fresh' }).waitFor();
    expect(phone.problems).toEqual([]);
  },
);

test(
  '[K35] [K36] a file that a call opens is shown where its conversation is looked at, each kind in its viewer',
  { timeout: browserTestMs },
  async () => {
    const open = (file: string, folder = 'home') => ({ name: 'open_file', input: { path: file, folder } });
    const journey = await createWebJourney([
      { calls: [open('page.html')] },
      { text: 'First.' },
      { calls: [open('logo.png')] },
      { text: 'Second.' },
      { calls: [open('doc.pdf', 'workspace')] },
      { text: 'Third.' },
    ]);
    const { client } = await journey.serve();
    const home = path.join(journey.stateFolder, 'home');
    mkdirSync(home, { recursive: true });
    writeFileSync(path.join(home, 'page.html'), '<h1 id=a></h1><script>a.textContent="It ran"</script>');
    writeFileSync(path.join(home, 'logo.png'), png);
    writeFileSync(path.join(journey.workspace, 'doc.pdf'), pdf);
    const visitor = await visit(await openBrowser(), client);
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    const shut = async () => {
      await dialog.getByRole('button', { name: 'Close' }).click();
      await dialog.waitFor({ state: 'hidden' });
    };
    await say(page, 'Open the page');
    await dialog.frameLocator('iframe').getByRole('heading', { name: 'It ran' }).waitFor();
    await visitor.shoot('viewer-1-page');
    await expectAccessible(page);
    await shut();
    await say(page, 'Open the picture');
    await dialog.getByRole('img', { name: 'logo.png' }).waitFor();
    await visitor.shoot('viewer-2-image');
    await shut();
    await say(page, 'Open the document');
    await dialog.locator('iframe[title="PDF document doc.pdf"]').waitFor();
    await shut();
    // Once: a reload opens nothing, the link in the step does.
    await page.reload();
    await page.locator('.turn-end').last().waitFor();
    expect(await dialog.count()).toBe(0);
    expect(visitor.foreignRequests).toEqual([]);
    expect(visitor.problems).toEqual([]);
  },
);
