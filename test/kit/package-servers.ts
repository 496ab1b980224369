/** A registry of npm, an index of pip and a git server in one: what package managers speak to, on this machine. */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { listen } from './network-world.ts';

export type PackageServers = { readonly port: number; readonly requests: readonly string[]; close(): void };

/** `folder` is used for what is served: `npm/tiny.tgz`, `pip/tiny_one-1.0-py3-none-any.whl`, `git/code.git`. */
export async function startPackageServers(folder: string, host: string): Promise<PackageServers> {
  makeNpmPackage(folder);
  makeWheel(folder);
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', join(folder, 'git/code.git')]);
  execFileSync('git', ['-C', join(folder, 'git/code.git'), 'config', 'http.receivepack', 'true']);
  const requests: string[] = [];
  const server: Server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const url = request.url ?? '';
    if (url.startsWith('/npm/')) serveNpm(url, folder, host, request, response);
    else if (url.startsWith('/pip/')) servePip(url, folder, response);
    else if (url.startsWith('/git/')) serveGit(folder, request, response);
    else response.writeHead(404).end();
  });
  const port = await listen(server);
  return { port, requests, close: () => void server.close() };
}

function makeNpmPackage(folder: string): void {
  const source = join(folder, 'npm/package');
  mkdirSync(source, { recursive: true });
  writeFileSync(join(source, 'package.json'), JSON.stringify({ name: 'tiny', version: '1.0.0', main: 'main.js' }));
  writeFileSync(join(source, 'main.js'), "module.exports = 'from npm';\n");
  execFileSync('tar', ['czf', join(folder, 'npm/tiny.tgz'), '-C', join(folder, 'npm'), 'package']);
}

function serveNpm(url: string, folder: string, host: string, request: IncomingMessage, response: ServerResponse): void {
  const packed = readFileSync(join(folder, 'npm/tiny.tgz'));
  if (url === '/npm/tiny.tgz') return void response.end(packed);
  if (url !== '/npm/tiny') return void response.writeHead(404).end('{}');
  const tarball = `http://${host}:${request.socket.localPort}/npm/tiny.tgz`;
  const integrity = `sha512-${createHash('sha512').update(packed).digest('base64')}`;
  const version = { name: 'tiny', version: '1.0.0', main: 'main.js', dist: { tarball, integrity } };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ name: 'tiny', 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } }));
}

const wheel = 'tiny_one-1.0-py3-none-any.whl';

function makeWheel(folder: string): void {
  mkdirSync(join(folder, 'pip'), { recursive: true });
  const script = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w') as made:
    info = 'tiny_one-1.0.dist-info/'
    made.writestr('tiny_one.py', "text = 'from pip'\\n")
    made.writestr(info + 'METADATA', 'Metadata-Version: 2.1\\nName: tiny-one\\nVersion: 1.0\\n')
    made.writestr(info + 'WHEEL', 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    made.writestr(info + 'RECORD', 'tiny_one.py,,\\n' + info + 'METADATA,,\\n' + info + 'WHEEL,,\\n' + info + 'RECORD,,\\n')
`;
  execFileSync('python3', ['-c', script, join(folder, 'pip', wheel)]);
}

function servePip(url: string, folder: string, response: ServerResponse): void {
  if (url === `/pip/${wheel}`) return void response.end(readFileSync(join(folder, 'pip', wheel)));
  if (url !== '/pip/simple/tiny-one/') return void response.writeHead(404).end();
  response.setHeader('content-type', 'text/html');
  response.end(`<!DOCTYPE html><html><body><a href="/pip/${wheel}">${wheel}</a></body></html>`);
}

/** git-http-backend(1), by CGI (RFC 3875). */
function serveGit(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const [path = '', query = ''] = (request.url ?? '').slice('/git'.length).split('?');
  const child = spawn('git', ['http-backend'], {
    env: {
      ...process.env,
      GIT_PROJECT_ROOT: join(folder, 'git'),
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: path,
      QUERY_STRING: query,
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      ...(request.headers['content-encoding'] === 'gzip' ? { HTTP_CONTENT_ENCODING: 'gzip' } : {}),
      REMOTE_USER: 'test',
      REMOTE_ADDR: '127.0.0.1',
      // The folder belongs to whoever runs the tests.
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
    },
  });
  request.pipe(child.stdin);
  const parts: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => parts.push(chunk));
  child.on('close', () => {
    const whole = Buffer.concat(parts);
    const end = whole.indexOf('\r\n\r\n');
    for (const line of whole.toString('latin1', 0, end).split('\r\n')) {
      const [name = '', value = ''] = line.split(/:\s*/, 2);
      if (name.toLowerCase() === 'status') response.statusCode = Number.parseInt(value, 10);
      else if (name !== '') response.setHeader(name, value);
    }
    response.end(whole.subarray(end + 4));
  });
}
