/** A private Postgres for one test file: a cluster in a temporary folder, reached by a Unix socket, gone afterwards. */
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

export type TestPostgres = {
  /** Makes a fresh, empty database and gives its address. */
  createDatabase(): Promise<string>;
  /** Much faster: a fresh, empty schema in a database that the test file shares, for tests that need no more. */
  createSchema(): Promise<string>;
  /** The same address with a password that is wrong. */
  withWrongPassword(url: string): string;
  /** Ends the server at once, as a crash would, or starts it again on the same data. */
  crash(): Promise<void>;
  restart(): Promise<void>;
  /** Runs SQL as the cluster's owner. */
  query(url: string, text: string): Promise<readonly Record<string, unknown>[]>;
  stop(): Promise<void>;
};

type Account = { readonly uid: number; readonly gid: number } | undefined;

const user = 'cluster_owner';
const startTimeoutMs = 20_000;

/** Rejects with the command that installs it when Postgres is missing. */
export async function startPostgres(): Promise<TestPostgres> {
  const binaries = findBinaries();
  const account = serverAccount();
  const folder = mkdtempSync(join(tmpdir(), 'handrail-postgres-'));
  const password = randomUUID();
  try {
    initialise(binaries, folder, password, account);
    let server = await launch(binaries, folder, account);
    const address = (database: string, secret = password) =>
      `postgres://${user}:${secret}@localhost/${database}?host=${encodeURIComponent(folder)}`;
    return {
      createDatabase: async () => {
        const name = `test_${randomUUID().replaceAll('-', '')}`;
        await query(address('postgres'), `create database ${name}`);
        return address(name);
      },
      createSchema: async () => {
        const name = `test_${randomUUID().replaceAll('-', '')}`;
        await query(address('postgres'), `create schema ${name}`);
        return `${address('postgres')}&options=${encodeURIComponent(`-c search_path=${name}`)}`;
      },
      withWrongPassword: (url) => url.replace(password, 'not-the-password'),
      crash: async () => server.end('SIGQUIT'),
      restart: async () => {
        server = await launch(binaries, folder, account);
      },
      query,
      stop: async () => {
        await server.end('SIGQUIT');
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Debian keeps them out of the PATH, one folder per version. */
function findBinaries(): string {
  const versions = '/usr/lib/postgresql';
  const installed = existsSync(versions) ? readdirSync(versions).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...installed.map((version) => join(versions, version, 'bin')),
  ];
  const found = folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
  if (found === undefined) throw new Error('PostgreSQL is missing. Install it: apt-get install postgresql');
  return found;
}

/** Postgres refuses to run as root: it gets the account that its package made. */
function serverAccount(): Account {
  if (process.getuid?.() !== 0) return undefined;
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('postgres:'));
  const [, , uid, gid] = (line ?? '').split(':');
  if (uid === undefined || gid === undefined)
    throw new Error('There is no user "postgres". Install it: apt-get install postgresql');
  return { uid: Number(uid), gid: Number(gid) };
}

function initialise(binaries: string, folder: string, password: string, account: Account): void {
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (account !== undefined) for (const path of [folder, data, passwordFile]) chownSync(path, account.uid, account.gid);
  const result = spawnSync(
    join(binaries, 'initdb'),
    ['-D', data, '-U', user, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8', '--locale=C.UTF-8', '-N'],
    { ...account, cwd: folder, encoding: 'utf8', env: { PATH: process.env['PATH'] } },
  );
  rmSync(passwordFile, { force: true });
  if (result.status !== 0) throw new Error(`initdb failed: ${result.stderr || String(result.error)}`);
}

type Server = { end(signal: NodeJS.Signals): Promise<void> };

/** setpriv makes the kernel end the server when this process dies, however it dies. */
async function launch(binaries: string, folder: string, account: Account): Promise<Server> {
  const identity = account === undefined ? [] : [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'];
  const settings = [
    'listen_addresses=',
    'fsync=off',
    'max_connections=40',
    'shared_buffers=16MB',
    'log_min_messages=fatal',
  ];
  const child = spawn(
    'setpriv',
    [
      ...identity,
      '--pdeathsig=QUIT',
      join(binaries, 'postgres'),
      '-D',
      join(folder, 'data'),
      '-k',
      folder,
      ...settings.flatMap((setting) => ['-c', setting]),
    ],
    { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], env: { PATH: process.env['PATH'] } },
  );
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-4000)));
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', (error) => {
      output += error.message;
      resolve();
    });
  });
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
  };
  const deadline = performance.now() + startTimeoutMs;
  // The last line of this file says "ready" once connections are accepted.
  while (!/ready\s*$/.test(readIfThere(join(folder, 'data', 'postmaster.pid')))) {
    if (child.exitCode !== null || child.pid === undefined || performance.now() > deadline) {
      await end('SIGKILL');
      throw new Error(`postgres did not start: ${output}`);
    }
    await wait(10);
  }
  return { end };
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Not written yet: the caller asks again.
    return '';
  }
}

async function query(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}
