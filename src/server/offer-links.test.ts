import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SetupFailure } from '../contract/failure.ts';
import { askForLink, openLinkSocket } from './link-socket.ts';
import { offerLinks, serverElsewhere } from './offer-links.ts';

/** Longer than the name of a socket may be (unix(7)). */
function newFolder(): string {
  const root = mkdtempSync(path.join(tmpdir(), 'handrail-links-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return path.join(root, 'x'.repeat(100), 'run');
}

const url = 'http://127.0.0.1:4747/';
const newLinks = (): (() => string) => {
  let count = 0;
  return () => `${url}link/${(count += 1)}`;
};
const taken = new SetupFailure('Port 4747 is in use.', { cause: Object.assign(new Error(), { code: 'EADDRINUSE' }) });

test('a second server of the folder gets links of its own to the first, by a socket for the owner alone', async () => {
  const folder = newFolder();
  const first = await offerLinks(folder, { url, newLink: newLinks() });
  expect(statSync(path.join(folder, 'web.socket')).mode & 0o777).toBe(0o600);
  const second = await serverElsewhere(folder, 4747, taken);
  expect(second).toMatchObject({ url, isElsewhere: true, port: 4747 });
  const page = readFileSync(second.linkPage(), 'utf8');
  expect(page).toContain('/link/');
  expect(page).not.toContain(`"${second.newLink()}"`);
  expect(statSync(second.linkPage()).mode & 0o777).toBe(0o600);
  // Another one of the same folder, on another port, takes nothing away from it.
  expect(await openLinkSocket(folder, () => ({ url: 'http://127.0.0.1:1/', link: url, page: '' }))).toBeUndefined();
  expect((await askForLink(folder))?.url).toBe(url);
  await first.close();
  expect(readdirSync(folder)).toEqual([]);
});

test('a port that another program has stays a failure', async () => {
  const folder = newFolder();
  await expect(serverElsewhere(folder, 4747, taken)).rejects.toBe(taken);
  await expect(serverElsewhere(undefined, 4747, taken)).rejects.toBe(taken);
  const links = await offerLinks(folder, { url, newLink: newLinks() });
  await expect(serverElsewhere(folder, 4748, taken)).rejects.toBe(taken);
  const other = new SetupFailure('Port 80 may be used by root only.', { cause: new Error('EACCES') });
  await expect(serverElsewhere(folder, 4747, other)).rejects.toBe(other);
  await links.close();
});

test('what a killed server left behind is taken over', async () => {
  const folder = newFolder();
  const links = await offerLinks(folder, { url, newLink: newLinks() });
  await links.close();
  writeFileSync(path.join(folder, 'web.socket'), '');
  writeFileSync(path.join(folder, 'open-0123456789abcdef.html'), 'a link that is dead');
  const next = await offerLinks(folder, { url, newLink: newLinks() });
  expect(readdirSync(folder)).toEqual(['web.socket']);
  expect((await askForLink(folder))?.link).toBe(`${url}link/1`);
  await next.close();
});
