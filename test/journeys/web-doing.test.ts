/** What people do in a chat: edit, retry, branch, queue, attach, and the keys for it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { JournalEvent } from '../../src/contract/event.ts';
import type { WebConversation, WebEventPage } from '../../src/contract/web-api.ts';
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
const composer = (page: Visitor['page']) => page.getByRole('textbox', { name: 'Message, !command or /tool' });
const prose = (page: Visitor['page']) => page.locator('.prose').last();
const idOf = (page: Visitor['page']) => /chat\/(.+)$/.exec(page.url())?.[1] ?? '';

test(
  'edit and resend, retry and branch make new chats with the way back; the first one stays as it was',
  { timeout: browserTestMs },
  async () => {
    const journey = await createWebJourney([
      { text: 'First answer.' },
      { text: 'Second answer.' },
      { text: 'Edited answer.' },
      { text: 'Tried again.' },
    ]);
    const { client } = await journey.serve();
    const visitor = await visit(await openBrowser(), client);
    const { page } = visitor;
    await say(page, 'One');
    await page.getByText('First answer.').waitFor();
    await say(page, 'Two');
    await page.getByText('Second answer.').waitFor();
    await eventually(() => page.locator('.turn-end').count()).toBe(2);
    const origin = idOf(page);
    const before = await client.need<WebEventPage>('GET', `/api/conversations/${origin}/events`);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByText('Second answer.').waitFor();

    await composer(page).press('ArrowUp');
    await eventually(() => composer(page).inputValue()).toBe('Two');
    await page.getByText('You are editing an earlier message.', { exact: false }).waitFor();
    await visitor.shoot('edit');
    await expectAccessible(page);
    await composer(page).press('Escape');
    await eventually(() => composer(page).inputValue()).toBe('');
    await page.locator('.said').nth(1).hover();
    await page.getByRole('button', { name: 'Edit' }).nth(1).click();
    await composer(page).fill('Two, but better');
    await composer(page).press('Enter');
    await page.getByText('Edited answer.').waitFor();
    expect(idOf(page)).not.toBe(origin);
    await page.getByRole('heading', { name: 'One (2)' }).waitFor();
    expect(await page.locator('.you').allInnerTexts()).toEqual(['You\nOne', 'You\nTwo, but better']);
    await visitor.shoot('branch');
    await expectAccessible(page);
    expect(await composer(page).inputValue()).toBe('');

    await page.locator('.turn').last().hover();
    await page.getByRole('button', { name: 'Try again' }).last().click();
    await page.getByText('Tried again.').waitFor();
    await page.getByRole('heading', { name: 'One (3)' }).waitFor();
    const again = idOf(page);
    await page.getByRole('link', { name: 'One (2)' }).last().click();
    await page.getByText('Edited answer.').waitFor();
    await page.locator('.branch-line').getByRole('link', { name: 'One', exact: true }).click();
    await page.getByText('Second answer.').waitFor();
    expect(idOf(page)).toBe(origin);
    expect(await client.need<WebEventPage>('GET', `/api/conversations/${origin}/events`)).toEqual(before);

    await page.locator('.turn').first().hover();
    await page.getByRole('button', { name: 'Branch from here' }).first().click();
    await page.getByRole('heading', { name: 'One (4)' }).waitFor();
    await eventually(() => page.locator('.you').allInnerTexts()).toEqual(['You\nOne']);
    expect(journey.server.requests.length).toBe(4);
    // Whoever looked at the first one all the time saw nothing happen.
    expect(await other.locator('.you').allInnerTexts()).toEqual(['You\nOne', 'You\nTwo']);
    await client.need('DELETE', `/api/conversations/${origin}`);
    await other.goto(`${client.url}chat/${again}`);
    await other.getByText('Tried again.').waitFor();
    expect(visitor.problems).toEqual([]);
  },
);

test(
  'messages written while a turn runs wait in order, can be changed and removed, and are sent without any page',
  { timeout: browserTestMs },
  async () => {
    const journey = await createWebJourney([
      { calls: [shell('while [ ! -e go ]; do sleep 0.1; done')] },
      { text: 'Slept.' },
      { text: 'Answer to two.' },
      { calls: [shell('sleep 60')] },
    ]);
    const { client, program } = await journey.serve();
    const visitor = await visit(await openBrowser(), client);
    const { page } = visitor;
    await say(page, 'One');
    await page.locator('.step.is-run').waitFor();
    for (const text of ['Two', 'Three', 'Not this']) await say(page, text);
    const queue = page.getByRole('region', { name: 'Messages that wait' });
    await eventually(() => queue.getByRole('listitem').count()).toBe(3);
    await visitor.shoot('queue');
    await expectAccessible(page);
    await say(page, '!echo typed meanwhile');
    await page.locator('.you.mono').waitFor();
    await queue.getByRole('button', { name: 'Remove the waiting message' }).last().click();
    await queue.getByRole('button', { name: 'Edit the waiting message' }).last().click();
    const field = queue.getByRole('textbox');
    await field.press('End');
    await field.pressSequentially(', and more');
    await field.press('Enter');
    await eventually(() => queue.getByRole('listitem').allInnerTexts()).toEqual(['Two', 'Three, and more']);
    const id = idOf(page);
    await page.goto('about:blank');
    await client.need('POST', `/api/conversations/${id}/calls`, { tool: 'bash', input: { command: 'touch go' } });
    const said = async () =>
      (await client.need<WebEventPage>('GET', `/api/conversations/${id}/events?limit=5000`)).events
        .filter((event): event is Extract<JournalEvent, { type: 'turn-start' }> => event.type === 'turn-start')
        .map(({ message }) => message.parts.map((part) => (part.type === 'text' ? part.text : '')).join(''));
    await eventually(said).toEqual(['One', 'Two', 'Three, and more']);

    // What was stopped is not gone on with by itself; what a server forgot is brought back, and waits.
    await page.goto(`${client.url}chat/${id}`);
    await page.locator('.step.is-run').waitFor();
    await say(page, 'Four');
    await queue.getByText('Four').waitFor();
    await page.locator('.composer .stop').click();
    await page.getByRole('button', { name: 'Send now' }).waitFor();
    await visitor.shoot('queue-held');
    program.kill('SIGKILL');
    await program.ended;
    await journey.serve(['--port', String(client.port)]);
    await page.reload();
    await page.getByRole('button', { name: 'Send now' }).waitFor();
    await queue.getByText('Four').waitFor();
    await page.getByRole('button', { name: 'Send now' }).click();
    await eventually(said).toEqual(['One', 'Two', 'Three, and more', 'Four']);
    await eventually(() => queue.count()).toBe(0);
    expect(await prose(page).count()).toBeGreaterThan(0);
    expect(visitor.problems).toEqual([]);
  },
);

/** Draws a picture in the page: what a camera or a screenshot would give. */
const draw = async (page: Visitor['page'], width: number, height: number, kind: string): Promise<Buffer> => {
  const url = await page.evaluate<string>(`(() => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [${width}, ${height}];
    const context = canvas.getContext('2d');
    context.fillStyle = 'teal';
    context.fillRect(0, 0, ${width} / 2, ${height});
    return canvas.toDataURL('${kind}');
  })()`);
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
};

/** As a phone that was held upright writes it: turned by 90 degrees (Exif 2.3, tag 0x0112, value 6). */
function turned(jpeg: Buffer): Buffer {
  const tiff = Buffer.from('49492a00080000000100120103000100000006000000' + '00000000', 'hex');
  const exif = Buffer.concat([Buffer.from('Exif\0\0'), tiff]);
  const head = Buffer.from([0xff, 0xe1, 0, exif.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), head, exif, jpeg.subarray(2)]);
}

test(
  'pictures come by button, paste and drop, upright and not too large; the palette, the keys and the models by keyboard alone',
  { timeout: browserTestMs },
  async () => {
    const journey = await createWebJourney([{ text: 'A picture.' }]);
    const { client } = await journey.serve();
    const browser = await openBrowser();
    const visitor = await visit(browser, client, { theme: 'dark' });
    const { page } = visitor;
    await page.getByRole('button', { name: /workspace$/ }).click();
    const where = page.getByRole('dialog', { name: 'Where shall this chat work?' });
    await visitor.shoot('workspace');
    await expectAccessible(page, 'dialog');
    await where.getByRole('button', { name: 'A fresh folder' }).click();
    await page.getByRole('button', { name: 'A fresh folder' }).waitFor();
    await page.locator('input[type=file]').setInputFiles([
      { name: '../notes & plans.txt', mimeType: 'text/plain', buffer: Buffer.from('one line\n') },
      { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: turned(await draw(page, 3000, 1000, 'image/jpeg')) },
      { name: 'broken.png', mimeType: 'image/png', buffer: Buffer.alloc(0) },
    ]);
    const chips = page.getByRole('list', { name: 'Attached' }).getByRole('listitem');
    await eventually(() => chips.count()).toBe(3);
    await page.getByText('empty', { exact: true }).waitFor();
    const small = (await draw(page, 40, 20, 'image/png')).toString('base64');
    const hand = (type: string) =>
      page.evaluate(`(() => {
        const bytes = Uint8Array.from(atob('${small}'), (each) => each.charCodeAt(0));
        const data = new DataTransfer();
        data.items.add(new File([bytes], '${type}.png', { type: 'image/png' }));
        const how = { bubbles: true, cancelable: true };
        const event = '${type}' === 'paste'
          ? new ClipboardEvent('paste', { ...how, clipboardData: data })
          : new DragEvent('${type}', { ...how, dataTransfer: data });
        document.getElementById('message').dispatchEvent(event);
      })()`);
    await hand('paste');
    await hand('dragenter');
    await page.getByText('Drop to attach').waitFor();
    await visitor.shoot('drop');
    await hand('drop');
    await eventually(() => chips.count()).toBe(5);
    expect(await page.getByText('Drop to attach').count()).toBe(0);
    await visitor.shoot('attached');
    await expectAccessible(page);
    await say(page, 'What is this?');
    await page.getByText('Remove what cannot be sent first.').waitFor();
    await page.getByRole('button', { name: 'Remove broken.png' }).click();
    await composer(page).press('Enter');
    await page.getByText('A picture.').waitFor();
    const sizes = await page.locator('.you img').evaluateAll((all) =>
      all.map((each) => {
        const { naturalWidth, naturalHeight } = each as unknown as Record<string, number>;
        return `${naturalWidth}x${naturalHeight}`;
      }),
    );
    expect(sizes).toEqual(['667x2000', '40x20', '40x20']);
    expect(await chips.count()).toBe(0);
    const named = /\[(uploads\/[^\]]+)\]/.exec(await page.locator('.you').innerText())?.[1] ?? '';
    const { workspace } = await client.need<WebConversation>('GET', `/api/conversations/${idOf(page)}`);
    expect(workspace).not.toBe(journey.workspace);
    expect(readFileSync(path.join(workspace, named), 'utf8')).toBe('one line\n');
    expect(path.dirname(path.join(workspace, named))).toBe(path.join(workspace, 'uploads'));
    expect(journey.server.requests[0]?.text.match(/"media_type":"image\/\w+"/g)).toEqual([
      '"media_type":"image/jpeg"',
      '"media_type":"image/png"',
      '"media_type":"image/png"',
    ]);

    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Commands' });
    await palette.getByRole('combobox').waitFor();
    await visitor.shoot('palette');
    await expectAccessible(page, 'dialog');
    await page.keyboard.type('activ');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Activity' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('what is');
    await palette.getByRole('option', { name: 'What is this?' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('A picture.').waitFor();
    await page.locator('.log').click();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await visitor.shoot('keys');
    await expectAccessible(page, 'dialog');
    await page.getByRole('checkbox').uncheck();
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    expect(await page.getByRole('dialog').count()).toBe(0);
    const sidebar = page.getByRole('complementary', { name: 'Conversations' });
    await page.keyboard.press('Control+b');
    await eventually(() => sidebar.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'History' }).click();
    await eventually(() => sidebar.isVisible()).toBe(true);
    await page.getByRole('button', { name: /^Model:/ }).press('Enter');
    await page.getByRole('listbox', { name: 'Model' }).waitFor();
    await visitor.shoot('models');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Shift+o');
    await page.getByText('What shall we do?').waitFor();
    expect(visitor.problems).toEqual([]);

    const phone = await visit(browser, client, { size: 'phone', language: 'de' });
    await phone.page.locator('.welcome').waitFor();
    await phone.page.keyboard.press('Control+k');
    await phone.page.getByRole('dialog', { name: 'Befehle' }).waitFor();
    await phone.shoot('palette');
    await expectNoSideways(phone.page);
    await phone.page.keyboard.press('Escape');
    await phone.page.goto(`${client.url}chat/${idOf(page)}`);
    expect(phone.problems).toEqual([]);
  },
);
