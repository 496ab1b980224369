/** A real sshd on a port of this machine, for one key, in a folder of the test. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';

export type SshServer = {
  readonly port: number;
  readonly user: string;
  readonly keyFile: string;
  close(): Promise<void>;
};

export async function startSshServer(folder: string): Promise<SshServer> {
  mkdirSync(folder, { recursive: true });
  const [hostKey, keyFile] = [join(folder, 'host'), join(folder, 'user')];
  for (const file of [hostKey, keyFile]) execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file]);
  // What sshd wants to change its root to before somebody has logged in (sshd(8)).
  if (process.geteuid?.() === 0 && !existsSync('/run/sshd')) mkdirSync('/run/sshd', { mode: 0o755 });
  const port = await freePort();
  const options = {
    ...{ ListenAddress: '127.0.0.1', UsePAM: 'no', StrictModes: 'no', PasswordAuthentication: 'no', PidFile: 'none' },
    ...{ Subsystem: 'sftp internal-sftp', AuthorizedKeysFile: `${keyFile}.pub`, PermitRootLogin: 'prohibit-password' },
  };
  const given = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  const child = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', '/dev/null', '-h', hostKey, '-p', `${port}`, ...given], {
    stdio: 'ignore',
  });
  const exited = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
  await vi.waitFor(() => answers(port), 10_000);
  return {
    port,
    user: userInfo().username,
    keyFile,
    async close() {
      child.kill();
      await exited;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => void server.close(resolve));
  return port;
}

function answers(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('data', () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', reject);
  });
}
