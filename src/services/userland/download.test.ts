/** Which checksum is believed, and downloads that break, lie, stall or are redirected, against real servers. */
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AlpineMirror, fixtureFile, fixtureVersion, startAlpineMirror } from '../../../test/kit/alpine-mirror.ts';
import { findAlpineRelease } from './alpine-release.ts';
import { downloadFile } from './download-file.ts';
import { createMirrorClient, type MirrorClientOptions, type VetHost } from './mirror-client.ts';
import { alpineArchitecture, outOfSupportNote } from './mirrors.ts';
import { createVetHost } from './open-userland.ts';
import { readChecksumFile, readReleaseList } from './read-release-list.ts';

const archive = Buffer.alloc(300_000, 'archive ');
const sha256 = createHash('sha256').update(archive).digest('hex');
const content = { archive, files: new Map<string, Buffer>() };
const architecture = alpineArchitecture() ?? '';
const signal = new AbortController().signal;
const anyHost: VetHost = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
const client = (options: Partial<MirrorClientOptions> = {}) =>
  createMirrorClient({ vetHost: anyHost, idleMs: 3000, ...options });

let folder: string;
const opened: (() => Promise<unknown>)[] = [];
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-download-')));
});
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
  rmSync(folder, { recursive: true, force: true });
});

async function mirror(): Promise<AlpineMirror> {
  const started = await startAlpineMirror(content);
  opened.push(started.close);
  return started;
}

async function serve(listener: RequestListener): Promise<URL> {
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  opened.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => void server.close(resolve));
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/file`);
}

const release = (mirrors: readonly AlpineMirror[], authority = 'authority.example') =>
  findAlpineRelease({
    client: client(),
    mirrors: mirrors.map((each) => each.url),
    authority,
    version: fixtureVersion,
    architecture,
    signal,
  });
const fetchFile = (sources: readonly URL[], options: Partial<Parameters<typeof downloadFile>[0]> = {}) =>
  downloadFile({ client: client(), sources, sha256, target: join(folder, 'file'), maxBytes: 1e6, signal, ...options });
const fileOf = (each: AlpineMirror): URL =>
  new URL(`${each.url}/v${fixtureVersion}/releases/${architecture}/${fixtureFile}`);

describe('a checksum that is believed', () => {
  it('[K42] two mirrors that agree are believed', async () => {
    const mirrors = [await mirror(), await mirror()];
    expect(await release(mirrors)).toMatchObject({
      file: fixtureFile,
      sha256,
      mirrors: mirrors.map((each) => each.url),
    });
  });

  it('[K42] one mirror alone over plain http is not, nor are two that disagree', async () => {
    const [honest, liar] = [await mirror(), await mirror()];
    await expect(release([honest])).rejects.toThrow(/nobody else confirms its checksum/);
    liar.faults.liesAboutChecksum = true;
    await expect(release([honest, liar])).rejects.toThrow(/do not agree on the checksum/);
    await expect(release([honest, honest])).rejects.toThrow(/nobody else|do not agree/);
  });

  it('[K42] the authority counts by itself only over TLS', async () => {
    const only = await mirror();
    await expect(release([only], only.host)).rejects.toThrow(/over https/);
  });

  it('[K43] a third mirror is asked when the first is down and the second lies', async () => {
    const [down, liar, honest, other] = [await mirror(), await mirror(), await mirror(), await mirror()];
    down.faults.isDown = true;
    liar.faults.liesAboutChecksum = true;
    expect(await release([down, liar, honest, other])).toMatchObject({
      sha256,
      mirrors: [honest.url, other.url, down.url, liar.url],
    });
  });

  it('[K43] when none answers, each is named with what was wrong', async () => {
    const mirrors = [await mirror(), await mirror()];
    for (const each of mirrors) each.faults.isDown = true;
    await expect(release(mirrors)).rejects.toThrow(
      new RegExp(mirrors.map((each) => `${each.host} answered 503`).join('.*')),
    );
  });

  it.each([
    [
      'another release',
      `-\n  flavor: alpine-minirootfs\n  file: alpine-minirootfs-3.20.1-x86_64.tar.gz\n  sha256: ${sha256}\n`,
    ],
    [
      'another processor',
      `-\n  flavor: alpine-minirootfs\n  file: alpine-minirootfs-3.21.1-s390x.tar.gz\n  sha256: ${sha256}\n`,
    ],
    [
      'a path in the name',
      `-\n  flavor: alpine-minirootfs\n  file: ../alpine-minirootfs-3.21.1-x86_64.tar.gz\n  sha256: ${sha256}\n`,
    ],
    [
      'a short checksum',
      '-\n  flavor: alpine-minirootfs\n  file: alpine-minirootfs-3.21.1-x86_64.tar.gz\n  sha256: abc\n',
    ],
    ['a page of HTML', '<html><title>Welcome to the hotel</title></html>'],
  ])('[K42] a list with %s is none', (_title, text) => {
    expect(readReleaseList(text, '3.21', 'x86_64')).toBeUndefined();
    expect(readChecksumFile(text)).toBeUndefined();
  });
});

describe('a download', () => {
  it('[K42] that broke goes on where it stopped, and a third time asks nobody', async () => {
    const only = await mirror();
    only.faults.breaksAfter = [100_000];
    await expect(fetchFile([fileOf(only)])).rejects.toMatchObject({ code: 'unavailable' });
    const have = readFileSync(join(folder, 'file.part')).length;
    expect(have).toBeGreaterThan(0);
    expect((await fetchFile([fileOf(only)]))?.host).toBe(only.host);
    expect(only.requests.at(-1)).toContain(`bytes=${have}-`);
    expect(readFileSync(join(folder, 'file')).equals(archive)).toBe(true);
    const before = only.requests.length;
    expect(await fetchFile([fileOf(only)])).toBeUndefined();
    expect(only.requests).toHaveLength(before);
  });

  it('[K43] goes on at the next mirror from the same byte', async () => {
    const [first, second] = [await mirror(), await mirror()];
    first.faults.breaksAfter = [50_000];
    expect((await fetchFile([fileOf(first), fileOf(second)]))?.host).toBe(second.host);
    expect(second.requests.at(-1)).toMatch(/bytes=\d+-/);
    expect(readFileSync(join(folder, 'file')).equals(archive)).toBe(true);
  });

  it('[K42] starts again where the server knows no ranges, or has another beginning than we', async () => {
    const only = await mirror();
    only.faults.ignoresRange = true;
    writeFileSync(join(folder, 'file.part'), archive.subarray(0, 1000));
    await fetchFile([fileOf(only)]);
    rmSync(join(folder, 'file'));
    delete only.faults.ignoresRange;
    writeFileSync(join(folder, 'file.part'), Buffer.alloc(2000, 'x'));
    await expect(fetchFile([fileOf(only)])).rejects.toThrow(/checksum is wrong/);
    expect(existsSync(join(folder, 'file.part'))).toBe(false);
    await fetchFile([fileOf(only)]);
    expect(readFileSync(join(folder, 'file')).equals(archive)).toBe(true);
  });

  it('[K43] of other bytes is thrown away, and the next mirror is asked', async () => {
    const [liar, honest] = [await mirror(), await mirror()];
    liar.faults.sendsOtherBytes = true;
    expect((await fetchFile([fileOf(liar), fileOf(honest)]))?.host).toBe(honest.host);
    await expect(fetchFile([fileOf(liar)], { target: join(folder, 'other') })).rejects.toThrow(/checksum is wrong/);
    expect(existsSync(join(folder, 'other'))).toBe(false);
  });

  it('[K42] that never ends, stalls, or goes in circles is given up', async () => {
    const endless = await serve((_request, response) => {
      const more = (): void => void (response.destroyed || response.write(Buffer.alloc(65_536), more));
      more();
    });
    await expect(fetchFile([endless])).rejects.toThrow(/more than 1000000 bytes/);
    const silent = await serve((_request, response) => void response.write('x'));
    await expect(fetchFile([silent], { client: client({ idleMs: 300 }) })).rejects.toThrow(
      /no answer for 0.3 s|aborted/,
    );
    const circle: URL = await serve((_request, response) => response.writeHead(302, { location: '/file' }).end());
    await expect(fetchFile([circle])).rejects.toThrow(/in a circle/);
  });

  it('[K42] stops when it is told to', async () => {
    const stop = new AbortController();
    const silent = await serve((_request, response) => {
      response.write('x');
      stop.abort();
    });
    await expect(fetchFile([silent], { signal: stop.signal })).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('addresses', () => {
  const judge = (allowPrivate: readonly string[], deny: readonly string[] = []) =>
    createVetHost({
      net: { allowPrivate },
      sandbox: { network: { mode: 'allow-list', allow: [], deny } },
    } as unknown as Parameters<typeof createVetHost>[0]);

  it('[K43] a mirror on a private address is refused unless its exact host and port is listed', async () => {
    const only = await mirror();
    const port = Number(new URL(only.url).port);
    const guarded = (vetHost: VetHost) => fetchFile([fileOf(only)], { client: client({ vetHost }) });
    await expect(guarded(judge([]))).rejects.toThrow(/private address.*net\.allowPrivate/);
    await expect(guarded(judge([`127.0.0.1:${port + 1}`]))).rejects.toThrow(/private address/);
    await expect(guarded(judge([only.host], ['127.0.0.1']))).rejects.toThrow(/sandbox\.network\.deny/);
    expect(only.requests).toEqual([]);
    expect((await guarded(judge([only.host])))?.host).toBe(only.host);
  });

  it('[K43] a redirect is judged like the first address, also one to metadata', async () => {
    const hop = await serve((_request, response) =>
      response.writeHead(302, { location: 'http://169.254.169.254/x' }).end(),
    );
    await expect(fetchFile([hop], { client: client({ vetHost: judge([hop.host]) }) })).rejects.toThrow(/metadata/);
  });

  it('[K43] twin: with the guard swapped out the same mirror is reached', async () => {
    const only = await mirror();
    expect((await fetchFile([fileOf(only)], { client: client({ vetHost: anyHost }) }))?.host).toBe(only.host);
  });
});

it('[K42] says when a release is out of support, and names one that is not', () => {
  expect(outOfSupportNote('3.21', new Date('2026-11-22'))).toMatch(/2026-11-01.*--version 3\.2[2-9] --replace/);
  expect(outOfSupportNote('3.21', new Date('2026-10-01'))).toBeUndefined();
  expect(outOfSupportNote('3.99', new Date('2026-11-22'))).toBeUndefined();
});
