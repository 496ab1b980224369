/** What there is to be reached on the machine, if a sandbox let it: files, sockets, servers, a process, memory. All of it goes again. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';

export type EscapePlace = {
  readonly base: string;
  readonly workspace: string;
  readonly outside: string;
  /** What attempts are told, as lines of shell. */
  readonly variables: Readonly<Record<string, string>>;
  close(): Promise<void>;
};

const runUser = '/run/user/handrail';
const sockets = [
  'docker.sock', 'podman/podman.sock', 'containerd/containerd.sock', 'dbus/system_bus_socket', 'systemd/private',
  ...['bus', 'ssh-agent.socket', 'gnupg/S.gpg-agent', 'keyring/control', 'wayland-0', 'pipewire-0'].map((name) => `user/handrail/${name}`),
]; // prettier-ignore
const secrets = ['canary', 'home/.ssh/id_ed25519', 'home/.gnupg/private', 'home/.mozilla/logins.json', 'home/.aws/credentials', 'state/secrets.json', 'other/notes']; // prettier-ignore

/** `base`: an empty folder. `uid`: who shall own everything, when we are root. */
export async function openEscapePlace(base: string, uid = process.geteuid?.() ?? 0): Promise<EscapePlace> {
  const outside = join(base, 'outside');
  const workspace = join(base, 'workspace');
  mkdirSync(workspace);
  for (const name of secrets) write(join(outside, name), 'canary-7f3a');
  const closing: (() => unknown)[] = [];
  const serve = async (where: { path: string } | { port: number; host: string }): Promise<Server> => {
    const server = createServer((socket) => socket.end());
    closing.push(() => new Promise((resolve) => server.close(resolve)));
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(where, resolve));
    return server;
  };
  for (const name of sockets) {
    mkdirSync(join(outside, 'run', name, '..'), { recursive: true });
    await serve({ path: join(outside, 'run', name) });
  }
  mkdirSync(join(outside, 'x11'));
  await serve({ path: join(outside, 'x11', 'X0') });
  const mark = `handrail-${process.pid}-${randomInt(1e9)}`;
  await serve({ path: `\0${mark}` });
  const udp = createSocket('udp4');
  closing.push(() => udp.close());
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
  const ids = process.geteuid?.() === 0 ? { uid, gid: uid } : {};
  const portOf = (server: Server): string => `${(server.address() as { port: number }).port}`;
  const four = await serve({ port: 0, host: '127.0.0.1' });
  const six = await serve({ port: 0, host: '::1' });
  giveAll(base, uid);
  const victim = startVictim(outside, ids);
  closing.push(() => victim.kill('SIGKILL'));
  const key = randomInt(0x1000000, 0x7fffffff);
  const ipc = (action: 'make' | 'remove'): void =>
    void spawnSync('perl', ['-e', ipcScript, action, `${key}`, mark], ids);
  ipc('make');
  closing.push(() => ipc('remove'));
  return {
    base,
    workspace,
    outside,
    variables: {
      OUT: outside,
      HOST_PID: `${victim.pid}`,
      HOST_PORT: portOf(four),
      HOST_PORT_6: portOf(six),
      HOST_PORT_UDP: `${udp.address().port}`,
      HOST_NAME: mark,
      RUN_USER: runUser,
      IPC_KEY: `0x${key.toString(16).padStart(8, '0')}`,
      QUEUE: mark,
    },
    async close() {
      for (const close of closing.toReversed()) await close();
    },
  };
}

/** A process of the same user: what it is, knows and has open is what attempts are after. */
function startVictim(cwd: string, ids: { readonly uid?: number; readonly gid?: number }): ChildProcess {
  const env = { HANDRAIL_CANARY: 'canary-7f3a' };
  return spawn('sleep', ['600'], { argv0: 'handrail-victim', cwd, env, stdio: 'ignore', ...ids });
}

const queueCalls = process.arch === 'arm64' ? { open: 180, unlink: 181 } : { open: 240, unlink: 241 };
const ipcScript = `
my ($action, $key, $name) = @ARGV;
$key = int($key); $name .= "\\0";
if ($action eq "make") {
  shmget($key, 4096, 01600); semget($key, 1, 01600); msgget($key, 01600);
  syscall(${queueCalls.open}, $name, 0102, 0600, 0);
} else {
  shmctl(shmget($key, 0, 0), 0, 0); semctl(semget($key, 0, 0), 0, 0, 0); msgctl(msgget($key, 0), 0, 0);
  syscall(${queueCalls.unlink}, $name);
}`;

function write(path: string, text: string): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
}

function giveAll(path: string, uid: number): void {
  if (process.geteuid?.() === 0) chownSync(path, uid, uid);
  const info = lstatSync(path);
  if (info.isDirectory()) {
    chmodSync(path, 0o755);
    for (const name of readdirSync(path)) giveAll(join(path, name), uid);
  }
}
