/** A mirror of Debian on 127.0.0.1, of packages that the machine's own apt has downloaded once and that are kept. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, resolve } from 'node:path';
import { fetchDebianArchives } from '../../src/services/userland/debian-archives.ts';
import { type MachineApt, readMachineApt } from '../../src/services/userland/machine-apt.ts';

export type DebianMirror = {
  /** As the machine's apt would know it. */
  readonly apt: MachineApt;
  readonly host: string;
  readonly url: string;
  readonly requests: string[];
  close(): Promise<void>;
};

/** Only the first time it needs a network; what apt has fetched lies in the project's cache. */
export async function startDebianMirror(more: readonly string[]): Promise<DebianMirror> {
  const machine = await readMachineApt();
  const cache = resolve(import.meta.dirname, '../../node_modules/.cache/handrail-debian', more.join('-'));
  mkdirSync(cache, { recursive: true });
  const signal = new AbortController().signal;
  const { files } = await fetchDebianArchives({ apt: machine, folder: cache, signal, onOutput: () => undefined, more });
  const known = new Map(files.map((file) => [`/./${basename(file)}`, file]));
  const index = Buffer.from(files.map(describe).join('\n'));
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    requests.push(path);
    const file = known.get(path) ?? known.get(path.replace(/^\//, '/./'));
    if (path.endsWith('/Packages')) response.end(index);
    else if (file === undefined) response.writeHead(404).end();
    else response.end(readFileSync(file));
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = `http://${host}/`;
  return {
    // A flat repository (sources.list(5)) without keys.
    apt: {
      ...machine,
      sources: [{ uri: url, suite: './', components: [] }],
      keyring: undefined,
      option: 'trusted=yes',
    },
    host,
    url,
    requests,
    close() {
      server.closeAllConnections();
      return new Promise((done) => void server.close(() => done()));
    },
  };
}

function describe(file: string): string {
  const bytes = readFileSync(file);
  const sum = createHash('sha256').update(bytes).digest('hex');
  const control = execFileSync('/usr/bin/dpkg-deb', ['-f', file], { encoding: 'utf8' }).trimEnd();
  return `${control}\nFilename: ./${basename(file)}\nSize: ${bytes.length}\nSHA256: ${sum}\n`;
}
