/** What commands reach from inside real sandboxes, with real curl, and what is left of the way out. */
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { createServer as createNetServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isRoot, makeOrdinaryFolder, ordinaryUid, runAsOrdinaryUser } from '../../../test/kit/ordinary-user.ts';
import {
  leftOfNetworkWorlds,
  listen,
  type NetworkWorldOptions,
  openNetworkWorld,
} from '../../../test/kit/network-world.ts';
import { openShellWorld, type ShellWorld } from '../../../test/kit/shell-world.ts';
import type { ShellResult } from '../../contract/services.ts';

afterAll(() => expect(leftOfNetworkWorlds()).toEqual([]));

const server = createServer((request, response) => void response.end(`page of ${request.headers.host} ${request.url}`));
let port = 0;
beforeAll(async () => {
  port = await listen(server);
});
afterAll(() => void server.close());

async function inside<T>(
  options: NetworkWorldOptions,
  work: (world: ShellWorld & Pick<ReturnType<typeof openNetworkWorld>, 'network' | 'settings'>) => Promise<T>,
  workspace?: string,
): Promise<T> {
  const names = { 'ok.example': ['127.0.0.1'], 'other.example': ['127.0.0.1'] };
  const allowPrivate = Object.keys(names).map((name) => `${name}:${port}`);
  const net = openNetworkWorld({ names, ...options, settings: { allowPrivate, ...options.settings } });
  const shell = openShellWorld({
    sandbox: { network: net.network },
    ...(workspace === undefined ? {} : { workspace }),
  });
  try {
    return await work({ ...shell, network: net.network, settings: net.settings });
  } finally {
    await shell.close();
    await net.close();
  }
}

test('[K41] on: curl reaches a public host; pages, tunnels and SOCKS', () =>
  inside({ settings: { mode: 'on' } }, async (world) => {
    const url = `http://ok.example:${port}/x`;
    const ways = [
      `curl -sS ${url}`,
      `curl -sS -p ${url}`,
      `curl -sS -x "$ALL_PROXY" ${url}`,
      `http_proxy= curl -sS ${url}`,
    ];
    for (const way of ways)
      expect(await world.run(way)).toMatchObject({ stdout: { text: `page of ok.example:${port} /x` }, notes: [] });
    const python = await world.run(
      `python3 -c 'import urllib.request as u; print(u.urlopen("${url}").read().decode())'`,
    );
    expect(python.stdout.text).toContain('page of ok.example');
  }));

test('[K41] allow-list: another host is refused and named, in the answer and in the result', () =>
  inside({ settings: { mode: 'allow-list', allow: ['ok.example'] } }, async (world) => {
    const allowed = await world.run(`curl -sS http://ok.example:${port}/x`);
    expect(allowed).toMatchObject({ stdout: { text: `page of ok.example:${port} /x` }, notes: [] });
    const refused = await world.run(`curl -sS http://other.example:${port}/x; curl -sS https://other.example/`);
    expect(refused.stdout.text).toContain(
      `Handrail: other.example:${port} was not reached: it is not on the allow list`,
    );
    expect(refused.notes).toEqual([
      expect.stringContaining(`network: refused other.example:${port} (it is not on the allow list`),
      expect.stringContaining('network: refused other.example:443 (it is not on the allow list'),
    ]);
    // The twin: the same command, with the host on the list.
    world.settings.allow = ['ok.example', 'other.example'];
    expect((await world.run(`curl -sS http://other.example:${port}/x`)).stdout.text).toContain('page of other.example');
  }));

test('[K41] off: no network, and nothing that points to one', () =>
  inside({ settings: { mode: 'off' } }, async (world) => {
    const result = await world.run(
      `env | grep -ic proxy; ls /run/handrail-net; curl -sS -m 5 http://ok.example:${port}/; curl -sS -m 5 http://127.0.0.1:3128/; curl -sS -m 5 http://127.0.0.1:${port}/`,
    );
    expect(result.stdout.text).toBe('0\nlib\nnpmrc\npip.conf\n');
    expect(result.stderr.text.match(/curl: \((6|7)\)/g)).toHaveLength(3);
  }));

test('[A35] a program that goes past the proxy reaches nothing', () =>
  inside({ settings: { mode: 'on' } }, async (world) => {
    const direct = `curl -sS -m 5 --noproxy '*' http://127.0.0.1:${port}/; curl -sS -m 5 --noproxy '*' http://1.1.1.1/; (exec 3<>/dev/tcp/127.0.0.1/${port}) 2>&- && echo reached || echo refused; getent hosts example.org; true`;
    const result = await world.run(direct);
    expect(result.stdout.text).toBe('refused\n');
    expect(result.stderr.text.match(/curl: \(7\)/g)).toHaveLength(2);
  }));

test('[A34] the machine itself and its metadata stay closed from inside', () =>
  inside({ settings: { mode: 'on', allow: ['*.example'] } }, async (world) => {
    const urls = [
      `127.0.0.1:${port}`,
      `127.1:${port}`,
      `2130706433:${port}`,
      `0x7f.1:${port}`,
      '169.254.169.254',
      `[::ffff:7f00:1]:${port}`,
    ];
    for (const url of urls) {
      const result = await world.run(`curl -sS -g -m 10 --noproxy '' http://${url}/ -x "$http_proxy"`);
      expect(result.stdout.text, url).toMatch(/^Handrail: .* was not reached/);
    }
    const byName = await world.run(`curl -sS -x "$ALL_PROXY" --noproxy '' http://localhost:${port}/`);
    expect(byName.exitCode).toBe(97);
  }));

test('[A28] the listener is handed over before the program starts, and nothing of it stays inside', () =>
  inside({ settings: { mode: 'on' } }, async (world) => {
    const result = await world.run(
      'cat /proc/[0-9]*/comm; ls /proc/self/fd; ls -l /proc/1/fd /proc/$$/fd | grep -c socket; env | grep -c NODE_CHANNEL; touch /run/handrail-net/x; awk \'$4 == "0A"\' /proc/net/tcp | wc -l',
    );
    expect(result.stdout.text).not.toMatch(/node|perl|ld-linux|MainThread/);
    const [sockets, channels, listeners] = result.stdout.text.trim().split('\n').slice(-3);
    expect([sockets, channels, listeners]).toEqual(['0', '0', '1']);
    expect(result.stderr.text).toContain('Read-only file system');
  }));

test('[A28] an abstract socket of the machine is not reached from inside', async () => {
  const name = `\0handrail-test-${process.pid}`;
  const abstract = createNetServer((socket) => void socket.end('abstract'));
  await new Promise<void>((resolve) => void abstract.listen({ path: name }, resolve));
  const code = `import socket\ns = socket.socket(socket.AF_UNIX)\ns.connect("\\0handrail-test-${process.pid}")\nprint(s.recv(99).decode())`;
  try {
    await inside({ settings: { mode: 'on' } }, async (world) => {
      const result = await world.run(`python3 -c '${code}'`);
      expect(result.stderr.text).toContain('ConnectionRefusedError');
    });
    // The twin: without a sandbox it is.
    expect(await printedBy(['python3', '-c', code])).toBe('abstract\n');
  } finally {
    abstract.close();
  }
});

test('commands that run side by side have a way out each', () =>
  inside({ settings: { mode: 'on' } }, async (world) => {
    const runs = await Promise.all(
      Array.from({ length: 4 }, (_, count) =>
        world.run(`curl -sS http://ok.example:${port}/${count}`, { fresh: true }),
      ),
    );
    expect(runs.map((run) => run.stdout.text)).toEqual(
      [0, 1, 2, 3].map((count) => `page of ok.example:${port} /${count}`),
    );
  }));

test('the machine has no listener and no process left when the command has ended', () =>
  inside({ settings: { mode: 'on' } }, async (world) => {
    const before = handleCount();
    for (let count = 0; count < 3; count += 1) await world.run(`curl -sS http://ok.example:${port}/`, { fresh: true });
    // A handle is gone one turn of the event loop after it was closed.
    await expect.poll(handleCount).toBeLessThanOrEqual(before);
  }));

const handleCount = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap' || name === 'ProcessWrap').length;

test('[S26] an ordinary user’s workspace has the same way out', async () => {
  const folder = makeOrdinaryFolder();
  try {
    await inside(
      { settings: { mode: 'on' } },
      async (world) => {
        const result = await world.run(`id -u; curl -sS http://ok.example:${port}/x`);
        expect(result.stdout.text).toContain(`page of ok.example:${port} /x`);
        if (isRoot) expect(result.stdout.text).not.toMatch(/^0$/m);
      },
      folder.path,
    );
  } finally {
    folder.remove();
  }
});

async function printedBy([file = '', ...args]: readonly string[]): Promise<string> {
  const { execFile } = await import('node:child_process');
  const { promisify } = await import('node:util');
  return (await promisify(execFile)(file, args)).stdout;
}

test('[S26] whoever runs Handrail as an ordinary user has the same way out', async () => {
  const folder = makeOrdinaryFolder();
  try {
    const commands = ['curl -sS "$PAGE"', 'curl -sS http://169.254.169.254/'];
    const said = (await runAsOrdinaryUser('test/fixtures/network-session.ts', { commands }, folder.path)) as {
      readonly uid: number;
      readonly results: readonly ShellResult[];
    };
    expect(said.uid).toBe(ordinaryUid);
    expect(said.results[0]).toMatchObject({ stdout: { text: 'a page' }, notes: [] });
    expect(said.results[1]?.stdout.text).toContain('which commands never reach');
  } finally {
    folder.remove();
  }
});

test('[L17] the time of a command stands still while somebody thinks about a new host', () =>
  inside({ settings: { mode: 'allow-list' } }, async (world) => {
    const command = `curl -sS http://ok.example:${port}/x`;
    const granted = {
      kind: 'command',
      command,
      cwd: '/',
      isDangerous: false,
      isSandboxed: true,
      heads: [],
      findings: [],
    } as const;
    const conversation = { id: 'asking', workspace: world.workspace, isThrowaway: true };
    const asked: unknown[] = [];
    const shell = world.owner.forCall({
      ...{ callId: 'call', conversation, granted: [granted], signal: new AbortController().signal },
      async request(access) {
        asked.push(access);
        // Longer than the command may take: only the clock that is under test ends this wait early.
        await new Promise((resolve) => setTimeout(resolve, 2500));
        return { verdict: 'allow', reason: 'you said so' };
      },
    });
    const result = await shell.run({ command, timeoutMs: 2000 });
    expect(result).toMatchObject({ timedOut: false, exitCode: 0, stdout: { text: `page of ok.example:${port} /x` } });
    expect(asked).toEqual([{ kind: 'url', url: `https://ok.example:${port}/`, method: 'CONNECT' }]);
  }));

test('[A28] variables of a call do not reach what runs before it, and reach the call', () =>
  inside({ settings: { mode: 'on' } }, async (world) => {
    const preload = `printf 'require("fs").writeFileSync("SPRUNG", "")' >evil.cjs; rm -f SPRUNG`;
    await world.run(preload);
    const env = {
      NODE_OPTIONS: `--require ${world.workspace}/evil.cjs`,
      LD_PRELOAD: '/nowhere.so',
      UID: '7',
      A: 'it\'s $(x) "q"\nline',
    };
    const result = await world.run(
      `unset LD_PRELOAD; ls; curl -sS http://ok.example:${port}/x; echo; echo "$NODE_OPTIONS|$A"; env | grep -c LATER`,
      { env, fresh: true },
    );
    expect(result.stdout.text).toBe(`evil.cjs\npage of ok.example:${port} /x\n${env.NODE_OPTIONS}|${env.A}\n0\n`);
  }));

test('openssl and curl, which these tests use, are there', () => {
  for (const program of ['curl', 'openssl', 'python3'])
    expect(execFileSync('which', [program]).length).toBeGreaterThan(0);
});
