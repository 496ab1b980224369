/** Runs a program of the project as a user who is not root, wherever the project lies and whoever runs the tests. */
import { spawn } from 'node:child_process';
import { chownSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** A number nobody has on an ordinary machine. */
const ordinaryId = 61_234;

export const isRoot = process.geteuid?.() === 0;
export const ordinaryUid = isRoot ? ordinaryId : (process.geteuid?.() ?? ordinaryId);

/** A folder that belongs to the ordinary user. */
export function makeOrdinaryFolder(): { readonly path: string; remove(): void } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-ordinary-')));
  if (isRoot) chownSync(path, ordinaryId, ordinaryId);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** `script` is relative to the project. What it prints is JSON. */
export function runAsOrdinaryUser(
  script: string,
  input: unknown,
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const project = resolve(import.meta.dirname, '../..');
  // The project may lie in a folder that only root can enter: it is shown to the user at another place.
  const own = [process.execPath, join(project, script)];
  const shown = [
    ...['bwrap', '--dev-bind', '/', '/', '--perms', '0755', '--tmpfs', '/mnt', '--ro-bind', project, '/mnt/project'],
    ...['--ro-bind', process.execPath, '/mnt/node', '--die-with-parent', '--'],
    ...['setpriv', '--reuid', `${ordinaryId}`, '--regid', `${ordinaryId}`, '--clear-groups', '--inh-caps=-all', '--'],
    ...['/mnt/node', join('/mnt/project', script)],
  ];
  const [file = '', ...args] = isRoot ? shown : own;
  const child = spawn(file, args, {
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(JSON.stringify(input));
  return new Promise((resolvePrinted, reject) => {
    let printed = '';
    let errors = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code !== 0) reject(new Error(`${script} ended with ${code} as an ordinary user:\n${errors}`));
      else resolvePrinted(JSON.parse(printed));
    });
  });
}
