/** The way out of containers: the same proxy as in namespaces, handed a listener by podman, and by a socket for docker. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ResolvedAccess } from '../../src/contract/access.ts';
import type { NetworkMode } from '../../src/services/net/decide-host.ts';
import type { ContainerSearch } from '../../src/services/sandbox/find-container.ts';
import type { SandboxOptions } from '../../src/services/sandbox/create-sandbox.ts';
import { makeBusyboxUserland } from '../kit/busybox-userland.ts';
import { fakeDocker } from '../kit/fake-docker.ts';
import { isRoot, makeOrdinaryFolder, ordinaryUid } from '../kit/ordinary-user.ts';
import { listen, type NetworkWorld, openNetworkWorld } from '../kit/network-world.ts';
import { podmanHere } from '../kit/podman-here.ts';
import { openShellWorld, type ShellWorld } from '../kit/shell-world.ts';
import { startSshServer } from '../kit/ssh-server.ts';

const server = createServer((request, response) => void response.end(`page of ${request.headers.host}\n`));
let port = 0;
beforeAll(async () => {
  port = await listen(server);
});
afterAll(() => void server.close());

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

type World = ShellWorld & { readonly net: NetworkWorld; allow(target: string): void };
type Tool = 'podman' | 'docker';
const finders: Record<Tool, () => Promise<() => Promise<ContainerSearch>>> = {
  podman: podmanHere,
  docker: async () => (await fakeDocker()).find,
};

async function open(
  tool: Tool,
  mode: NetworkMode,
  more: Partial<SandboxOptions> & { readonly workspace?: string } = {},
): Promise<World> {
  const { workspace, ...sandbox } = more;
  const net = openNetworkWorld({
    lookUp: () => Promise.resolve(['127.0.0.1']),
    settings: { mode, allow: [`ok.example:${port}`], allowPrivate: [`ok.example:${port}`, `new.example:${port}`] },
  });
  const findContainer = await finders[tool]();
  const world = openShellWorld({
    ...(workspace === undefined ? {} : { workspace }),
    rung: 'container',
    limits: { timeoutSeconds: 20, maxTimeoutSeconds: 20 },
    sandbox: { findContainer, network: net.network, ...sandbox },
  });
  opened.push(world, net);
  const allow = (target: string): void => {
    net.settings.allow = [...net.settings.allow, target];
    net.settings.allowPrivate = [...net.settings.allowPrivate, target];
  };
  return { ...world, net, allow };
}

describe.each(['podman', 'docker'] as const)('the network of commands in %s', (tool) => {
  it('[K41] allow-list: by HTTP, by a tunnel and by SOCKS; what is refused is named', async () => {
    const world = await open(tool, 'allow-list');
    const url = `http://ok.example:${port}/`;
    const allowed = await world.run(
      `curl -sS ${url}; curl -sS -p ${url}; curl -sS --noproxy '' -x "$ALL_PROXY" ${url}; python3 -c 'import urllib.request as u; print(u.urlopen("${url}").read().decode(), end="")'`,
    );
    const page = `page of ok.example:${port}\n`;
    expect(allowed).toMatchObject({ stdout: { text: page.repeat(4) }, stderr: { text: '' }, notes: [] });
    const refused = await world.run(`curl -sS http://new.example:${port}/; curl -sS https://other.example/`);
    expect(refused.stdout.text).toContain(`new.example:${port} was not reached: it is not on the allow list`);
    expect(refused.notes).toEqual([
      expect.stringContaining(`network: refused new.example:${port} (it is not on the allow list`),
      expect.stringContaining('network: refused other.example:443'),
    ]);
    // The twin: the same with the host on the list.
    world.allow(`new.example:${port}`);
    expect((await world.run(`curl -sS http://new.example:${port}/`)).stdout.text).toBe(`page of new.example:${port}\n`);
  });

  it('[K41] off: there is none, and nothing that points to one', async () => {
    const result = await (
      await open(tool, 'off')
    ).run(
      `env | grep -ic proxy; ls /run/handrail-net; curl -sS -m 5 http://ok.example:${port}/; curl -sS -m 5 http://127.0.0.1:3128/; curl -sS -m 5 http://127.0.0.1:${port}/`,
    );
    expect(result.stdout.text).toBe('0\nlib\nnpmrc\npip.conf\n');
    expect(result.stderr.text.match(/curl: \((6|7)\)/g)).toHaveLength(3);
  });

  it('[A35] [A36] on: what goes past the proxy reaches nothing, and metadata stays closed', async () => {
    const result = await (
      await open(tool, 'on')
    ).run(
      `curl -sS -m 5 --noproxy '*' http://127.0.0.1:${port}/; curl -sS -m 5 --noproxy '*' http://1.1.1.1/; getent hosts example.org; curl -sS http://169.254.169.254/; grep -c : /proc/net/dev`,
    );
    expect(result.stderr.text.match(/curl: \(7\)/g)).toHaveLength(2);
    expect(result.stdout.text).toMatch(
      /^Handrail: 169\.254\.169\.254:80 was not reached.*commands never reach.*\n?1\n$/s,
    );
  });

  it('[K41] a new host is asked about once, while the command waits and its time stands still', async () => {
    const world = await open(tool, 'allow-list');
    const command = `curl -sS http://new.example:${port}/ http://new.example:${port}/`;
    const granted: ResolvedAccess = {
      ...{ kind: 'command', command, cwd: '/', isDangerous: false, isSandboxed: true, heads: [], findings: [] },
    };
    const asked: unknown[] = [];
    const shell = world.owner.forCall({
      ...{ callId: 'call', granted: [granted], signal: new AbortController().signal },
      conversation: { id: 'asking', workspace: world.workspace, isThrowaway: false },
      async request(access) {
        asked.push(access);
        await new Promise((resolve) => setTimeout(resolve, 6000));
        return { verdict: 'allow', reason: 'you said so' };
      },
    });
    const result = await shell.run({ command, timeoutMs: 5000 });
    expect(result).toMatchObject({ timedOut: false, exitCode: 0, notes: [] });
    expect(result.stdout.text).toBe(`page of new.example:${port}\n`.repeat(2));
    expect(asked).toEqual([{ kind: 'url', url: `https://new.example:${port}/`, method: 'CONNECT' }]);
  });

  it('[S26] git and ssh go through it, byte for byte', async () => {
    const world = await open(tool, 'allow-list');
    const ssh = await startSshServer();
    world.allow(`box.example:${ssh.port}`);
    mkdirSync(join(world.base, 'far'));
    writeFileSync(join(world.workspace, 'id'), ssh.keyText);
    const key = '-i id -o IdentitiesOnly=yes';
    const url = `ssh://${ssh.user}@box.example:${ssh.port}${join(world.base, 'far/code.git')}`;
    const result = await world.run(
      `set -e; chmod 600 id; git init -q -b main work; cd work; cp ../id .; git config user.name A; git config user.email a@example.org
       head -c 2000000 /dev/urandom >big; git add big; git commit -qm one
       ssh ${key} -p ${ssh.port} ${ssh.user}@box.example git init -q --bare -b main ${join(world.base, 'far/code.git')} 2>/dev/null
       export GIT_SSH_COMMAND="ssh ${key}"; git push -q ${url} main; git clone -q ${url} ../again; cmp big ../again/big; git -C ../again log --format=%s`,
      { fresh: true },
    );
    expect({ out: result.stdout.text, notes: result.notes, code: result.exitCode }, result.stderr.text).toEqual({
      ...{ out: 'one\n', notes: [], code: 0 },
    });
    const refused = await world.run('ssh -S none -o BatchMode=yes somebody@other.example true');
    expect(refused.notes.join()).toContain('network: refused other.example:22');
  });

  it('[S02] a conversation’s shell keeps its way out, also after a command was stopped', async () => {
    const world = await open(tool, 'allow-list');
    const a = { conversation: 'a' };
    expect((await world.run('cd /tmp; sleep 60', { timeoutMs: 1500 }, a)).timedOut).toBe(true);
    const result = await world.run(`pwd; curl -sS http://ok.example:${port}/`, {}, a);
    expect(result.stdout.text).toBe(`/tmp\npage of ok.example:${port}\n`);
    expect(result.notes).toEqual([]);
  });
});

it('[A28] podman: the listener is handed over before the program starts, and nothing of it stays inside', async () => {
  const result = await (
    await open('podman', 'on')
  ).run(
    'cat /proc/[0-9]*/comm; ls -l /proc/1/fd /proc/$$/fd | grep -c socket; env | grep -c -e NODE_CHANNEL -e HANDRAIL_F; awk \'$4 == "0A"\' /proc/net/tcp | wc -l; ls /run/handrail',
  );
  expect(result.stdout.text).toMatch(/^sh\nbash\n(?:cat\n)?0\n0\n1\nenvironment\n$/);
});

it('[A28] docker: what carries connections holds none of the program’s descriptors and is no process of a command', async () => {
  const world = await open('docker', 'on');
  const result = await world.run(
    'pid=$(grep -l "forward[.]cjs" /proc/[0-9]*/cmdline | head -1); kill -INT ${pid//[^0-9]/}; kill -TERM ${pid//[^0-9]/}; ls -l ${pid%cmdline}fd | grep -c -e /run/handrail/ -e "[.]out"; env | grep -c HANDRAIL_F; ls -A /tmp',
  );
  expect(result.stdout.text).toMatch(/^0\n0\n/);
  expect(result.stdout.text).not.toContain('handrail-net');
  expect(result.notes).toEqual([]);
});

it('[K45] [A26] podman: a userland has it too, and none of its programs runs before it is handed over', async () => {
  const world = await open('podman', 'on', { root: () => 'userland' });
  const { tree, replace } = makeBusyboxUserland(world.stateFolder);
  const spy = '#!/bin/busybox sh\necho "$0 $*" >>/var/seen\nexec /bin/busybox "${0##*/}" "$@"\n';
  for (const name of ['bin/sh', 'bin/env', 'usr/bin/env', 'bin/stat', 'usr/bin/perl']) replace(name, spy);
  const result = await world.run(`id -u; wget -qO- http://ok.example:${port}/`);
  expect(result).toMatchObject({ stdout: { text: `0\npage of ok.example:${port}\n` }, notes: [] });
  expect(readFileSync(join(tree, 'var/seen'), 'utf8')).toMatch(/^\/bin\/sh -c -- id -u; wget [^\n]*\n$/);
});

it('[A35] twin: with the machine’s network, what goes past the proxy reaches it', async () => {
  const { buildContainerArgs } = await import('../../src/services/sandbox/container-args.ts');
  const world = await open('podman', 'off', {
    buildContainerArgs: (plan) =>
      buildContainerArgs(plan).map((arg, at, all) => (all[at - 1] === '--network' ? 'host' : arg)),
  });
  const result = await world.run(`curl -sS -m 5 --noproxy '*' http://127.0.0.1:${port}/`);
  expect(result.stdout.text).toBe(`page of 127.0.0.1:${port}\n`);
});

it.runIf(isRoot)('[S26] root’s podman, for an ordinary user’s workspace', async () => {
  const folder = makeOrdinaryFolder();
  try {
    const world = await open('podman', 'allow-list', { workspace: folder.path });
    const result = await world.run(`id -u; curl -sS http://ok.example:${port}/`);
    expect(result).toMatchObject({ stdout: { text: `${ordinaryUid}\npage of ok.example:${port}\n` }, notes: [] });
  } finally {
    folder.remove();
  }
});
