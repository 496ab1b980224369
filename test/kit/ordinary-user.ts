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
  return runForJson(isRoot ? shown : own, input, { HOME: folder, ...environment });
}

/** As whoever runs the tests. */
export function runAsOurselves(
  script: string,
  input: unknown,
  environment: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const project = resolve(import.meta.dirname, '../..');
  return runForJson([process.execPath, join(project, script)], input, { ...process.env, ...environment });
}

function runForJson(line: readonly string[], input: unknown, environment: NodeJS.ProcessEnv): Promise<unknown> {
  const [file = '', ...args] = line;
  const child = spawn(file, args, {
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(JSON.stringify(input));
  return new Promise((resolvePrinted, reject) => {
    let printed = '';
    let errors = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      // bwrap and sh report a program that was killed as 128 and the signal.
      const end = signal ?? (code === 137 ? 'SIGKILL' : code);
      if (code === 0) resolvePrinted(JSON.parse(printed));
      else reject(new Error(`${args.at(-1)} ended with ${end}:\n${errors}`));
    });
  });
}
