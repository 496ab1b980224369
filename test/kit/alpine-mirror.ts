/** A mirror of Alpine on 127.0.0.1: a minirootfs made of busybox, packages made of shell scripts, and an apk that knows both. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { create } from 'tar';
import { alpineArchitecture } from '../../src/services/userland/mirrors.ts';

export const fixtureVersion = '3.21';
export const fixtureFile = `alpine-minirootfs-${fixtureVersion}.9-${alpineArchitecture()}.tar.gz`;

export type AlpineMirror = {
  /** As the settings name it. */
  readonly url: string;
  /** `127.0.0.1:port`, for net.allowPrivate. */
  readonly host: string;
  /** `METHOD path range` of every request. */
  readonly requests: string[];
  /** What is wrong with it, from now on. */
  readonly faults: MirrorFaults;
  close(): Promise<void>;
};

export type MirrorFaults = {
  /** Every request fails. */
  isDown?: boolean;
  /** Requests whose path holds this fail. */
  missing?: string;
  /** Requests whose path holds this are answered when `until` resolves. */
  holds?: { readonly path: string; readonly until: Promise<void> };
  /** The connection breaks after so many bytes of the minirootfs, once per entry. */
  breaksAfter?: number[];
  /** Says a checksum that nothing has. */
  liesAboutChecksum?: boolean;
  /** Sends other bytes than it says. */
  sendsOtherBytes?: boolean;
  ignoresRange?: boolean;
};

export type AlpineContent = { readonly archive: Buffer; readonly files: ReadonlyMap<string, Buffer> };

/** Made once per test file: some hundred entries. */
export function buildAlpineContent(folder: string, packages: readonly string[]): AlpineContent {
  const files = new Map<string, Buffer>();
  const index = packages.map((name) => `${name}|1.0-r0|the program ${name}`);
  for (const name of packages) files.set(`${name}-1.0-r0.tar`, packPackage(join(folder, 'package', name), name));
  files.set('APKINDEX.txt', Buffer.from(`${index.join('\n')}\n`));
  return { archive: packRoot(join(folder, 'tree')), files };
}

export async function startAlpineMirror(content: AlpineContent): Promise<AlpineMirror> {
  const requests: string[] = [];
  const faults: MirrorFaults = {};
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers.range ?? ''}`.trim());
    const isHeld = faults.holds !== undefined && request.url?.includes(faults.holds.path) === true;
    void (isHeld ? faults.holds?.until : Promise.resolve())?.then(() => answer(content, faults, request, response));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: `http://${host}/alpine`, host, requests, faults, close: () => close(server) };
}

function answer(
  content: AlpineContent,
  faults: MirrorFaults,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const path = request.url ?? '';
  if (faults.isDown === true || (faults.missing !== undefined && path.includes(faults.missing))) {
    response.writeHead(503).end();
    return;
  }
  const name = path.slice(path.lastIndexOf('/') + 1);
  const sum = faults.liesAboutChecksum === true ? '0'.repeat(64) : sha256(content.archive);
  if (name === 'latest-releases.yaml') response.end(releaseList(sum));
  else if (name === `${fixtureFile}.sha256`) response.end(`${sum}  ${fixtureFile}\n`);
  else if (name === fixtureFile) sendArchive(content.archive, faults, request, response);
  else if (content.files.has(name)) response.end(content.files.get(name));
  else response.writeHead(404).end();
}

function sendArchive(whole: Buffer, faults: MirrorFaults, request: IncomingMessage, response: ServerResponse): void {
  const bytes = faults.sendsOtherBytes === true ? Buffer.alloc(whole.length, 1) : whole;
  const from = faults.ignoresRange === true ? 0 : Number(/^bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
  if (from > 0) response.setHeader('content-range', `bytes ${from}-${bytes.length - 1}/${bytes.length}`);
  response.writeHead(from > 0 ? 206 : 200, { 'content-length': bytes.length - from });
  const breakAt = faults.breaksAfter?.shift();
  if (breakAt === undefined) response.end(bytes.subarray(from));
  else {
    response.write(bytes.subarray(from, from + breakAt));
    // What was written still arrives.
    response.socket?.end();
  }
}

const releaseList = (sum: string): string =>
  [
    '---',
    '-',
    '  title: "Netboot"',
    '  flavor: alpine-netboot',
    `  file: alpine-netboot-${fixtureVersion}.9-x86_64.tar.gz`,
    `  sha256: ${'1'.repeat(64)}`,
    '-',
    '  title: "Mini root filesystem"',
    '  desc: |',
    '    Minimal root filesystem.',
    `  version: ${fixtureVersion}.9`,
    '  flavor: alpine-minirootfs',
    `  file: ${fixtureFile}`,
    `  sha256: ${sum}`,
    '',
  ].join('\n');

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => void server.close(() => resolve()));
}

function packRoot(tree: string): Buffer {
  for (const name of [
    'bin',
    'sbin',
    'dev',
    'proc',
    'sys',
    'tmp',
    'run',
    'root',
    'home',
    'opt',
    'srv',
    'mnt',
    'media',
  ]) {
    mkdirSync(join(tree, name), { recursive: true });
  }
  const put = (name: string, text: string, mode = 0o644): void => {
    mkdirSync(dirname(join(tree, name)), { recursive: true });
    writeFileSync(join(tree, name), text);
    chmodSync(join(tree, name), mode);
  };
  copyFileSync('/usr/bin/busybox', join(tree, 'bin/busybox'));
  chmodSync(join(tree, 'bin/busybox'), 0o755);
  const applets = execFileSync('/usr/bin/busybox', ['--list'], { encoding: 'utf8' }).split('\n');
  for (const name of applets) {
    if (name !== '' && name !== 'busybox') symlinkSync('/bin/busybox', join(tree, 'bin', name));
  }
  put('etc/passwd', 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/sbin/nologin\n');
  put('etc/group', 'root:x:0:root\nman:x:13:\n');
  put('etc/alpine-release', `${fixtureVersion}.9\n`);
  put('usr/lib/os-release', `NAME="Alpine Linux"\nID=alpine\nPRETTY_NAME="Alpine Linux v${fixtureVersion}"\n`);
  symlinkSync('../usr/lib/os-release', join(tree, 'etc/os-release'));
  put('lib/apk/db/installed', 'busybox|1.35.0-r0|the base system\n');
  put('var/cache/apk/.keep', '');
  put('etc/apk/.keep', '');
  put('sbin/apk', apkScript, 0o755);
  return pack(tree, true);
}

function packPackage(tree: string, name: string): Buffer {
  mkdirSync(join(tree, 'usr/bin'), { recursive: true });
  if (name === 'bash') addBash(tree);
  for (const program of name === 'bash' ? [] : (programsOf[name] ?? [name])) {
    writeFileSync(join(tree, 'usr/bin', program), `#!/bin/sh\necho "${program} of the fixture"\n`, { mode: 0o755 });
  }
  return pack(tree, false);
}

const programsOf: Readonly<Record<string, readonly string[]>> = {
  nodejs: ['node'],
  'openssh-client': ['ssh', 'scp', 'sftp', 'ssh-keygen'],
  'py3-pip': ['pip'],
};

/** The machine's own, with the libraries it needs: busybox has none. */
function addBash(tree: string): void {
  const needed = execFileSync('ldd', ['/bin/bash'], { encoding: 'utf8' }).match(/\/\S+/g) ?? [];
  for (const path of ['/bin/bash', ...needed]) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    copyFileSync(path, join(tree, path));
    chmodSync(join(tree, path), 0o755);
  }
}

function pack(tree: string, gzip: boolean): Buffer {
  const file = `${tree}.tar`;
  create({ cwd: tree, file, gzip, sync: true, portable: true, follow: false }, ['.']);
  return readFileSync(file);
}

/** As the real one is called and speaks, as far as Handrail and people in a hurry need it. */
const apkScript = `#!/bin/sh
set -e
db=/lib/apk/db/installed index=/var/cache/apk/index arch=${alpineArchitecture()}
first() { head -n 1 /etc/apk/repositories; }
load() { [ -s "$index" ] || { echo "ERROR: unable to select packages: no index" >&2; exit 1; }; }
case $1 in
update)
  : >"$index.new"
  while read -r repository; do
    echo "fetch $repository/$arch/APKINDEX.tar.gz"
    wget -q -O - "$repository/$arch/APKINDEX.txt" >>"$index.new" || { echo "ERROR: $repository: temporary error (try again later)" >&2; exit 1; }
  done </etc/apk/repositories
  mv "$index.new" "$index"; echo "OK: $(sort -u "$index" | wc -l) distinct packages available" ;;
add)
  shift; load; count=0
  for name in "$@"; do
    line=$(grep -m 1 "^$name|" "$index") || { echo "ERROR: unable to select packages:" >&2; echo "  $name (no such package)" >&2; exit 1; }
    count=$((count + 1))
    grep -q "^$name|" "$db" && continue
    version=$(echo "$line" | cut -d '|' -f 2)
    echo "($count/$#) Installing $name ($version)"
    wget -q -O "/var/cache/apk/$name.tar" "$(first)/$arch/$name-$version.tar"
    tar -x -f "/var/cache/apk/$name.tar" -C /
    mkdir -p "/var/lib/$name"; chown 13:13 "/var/lib/$name"
    (cd / && chroot . /bin/true)
    echo "$line" >>"$db"
  done
  echo "OK: $(wc -l <"$db") packages" ;;
del)
  shift
  for name in "$@"; do
    grep -v "^$name|" "$db" >"$db.new" || :; mv "$db.new" "$db"; rm -f "/usr/bin/$name"; echo "(1/1) Purging $name (1.0-r0)"
  done ;;
info) sed 's/|/-/; s/|/ - /' "$db" ;;
search) load; for last in "$@"; do :; done; sort -u "$index" | grep "$last" | sed 's/|/-/; s/|/ - /' ;;
*) echo "apk: unknown command $1" >&2; exit 1 ;;
esac
`;
