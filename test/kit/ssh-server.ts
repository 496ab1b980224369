/** A real sshd on 127.0.0.1 with keys of its own, which counts who logs in. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export type SshServer = {
  readonly port: number;
  readonly user: string;
  /** Of a key that the server lets in. */
  readonly keyText: string;
  /** As `ssh-keyscan` would print it. */
  readonly knownHostLine: string;
  logins(): number;
  /** From now on it has another key. */
  changeKey(): Promise<void>;
};

const program = '/usr/sbin/sshd';

/** Gone when the test ends. */
export async function startSshServer(): Promise<SshServer> {
  if (!existsSync(program)) throw new Error('These tests need sshd: sudo apt-get install -y openssh-server');
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-sshd-')));
  // Its place for those who have not logged in yet.
  if (process.geteuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const port = await freePort();
  makeKey(folder, 'host');
  makeKey(folder, 'user');
  let stop = await startDaemon(folder, port);
  onTestFinished(async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    port,
    user: userInfo().username,
    keyText: readFileSync(join(folder, 'user'), 'utf8'),
    get knownHostLine() {
      const [type = '', text = ''] = readFileSync(join(folder, 'host.pub'), 'utf8').split(' ');
      return `[127.0.0.1]:${port} ${type} ${text}`;
    },
    logins: () => countInLog(folder, /Accepted publickey/g),
    async changeKey() {
      await stop();
      makeKey(folder, 'host');
      rmSync(join(folder, 'log'));
      stop = await startDaemon(folder, port);
    },
  };
}

function makeKey(folder: string, name: string): void {
  rmSync(join(folder, name), { force: true });
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)]);
}

/** Resolves when it listens, with what ends it. */
async function startDaemon(folder: string, port: number): Promise<() => Promise<void>> {
  const options = {
    ListenAddress: '127.0.0.1',
    PidFile: 'none',
    UsePAM: 'no',
    StrictModes: 'no',
    PasswordAuthentication: 'no',
    PermitRootLogin: 'prohibit-password',
    AuthorizedKeysFile: join(folder, 'user.pub'),
    Subsystem: 'sftp internal-sftp',
    LogLevel: 'VERBOSE',
  };
  const child = spawn(
    program,
    [
      ...['-D', '-E', join(folder, 'log'), '-f', '/dev/null', '-h', join(folder, 'host'), '-p', `${port}`],
      ...Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]),
    ],
    { stdio: 'ignore' },
  );
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  while (countInLog(folder, /Server listening/g) === 0 && child.exitCode === null) await pause();
  return async () => {
    child.kill();
    await ended;
  };
}

function countInLog(folder: string, pattern: RegExp): number {
  const log = join(folder, 'log');
  return existsSync(log) ? (readFileSync(log, 'utf8').match(pattern)?.length ?? 0) : 0;
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
