/** Ssh from the sandbox to a real sshd: named hosts, shared connections, copies, keys that changed. */
import { mkdtempSync, mkdirSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createHandrail } from '../../src/main.ts';
import { commandLine, listProcesses } from '../../src/services/shell/process-tree.ts';
import { type SshServer, startSshServer } from '../kit/ssh-server.ts';

type Data = Readonly<Record<string, unknown>>;

async function createSshWorld(settings: (server: SshServer) => Readonly<Record<string, unknown>> = reachable) {
  const server = await startSshServer();
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-ssh-')));
  const [workspace, home, state] = ['workspace', 'home', 'state'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [workspace, home]) mkdirSync(folder);
  mkdirSync(state, { mode: 0o700 });
  writeFileSync(join(state, 'settings.json'), JSON.stringify(settings(server)), { mode: 0o600 });
  // Outside the sandbox ssh finds its files by the account, whatever HOME says: this one reads those of the test.
  const programs = join(root, 'bin');
  mkdirSync(programs);
  const ownFiles = `-F /dev/null -o UserKnownHostsFile=${root}/known_hosts`;
  writeFileSync(join(programs, 'ssh'), `#!/bin/sh\nexec /usr/bin/ssh ${ownFiles} "$@"\n`, { mode: 0o755 });
  writeFileSync(join(root, 'known_hosts'), `${server.knownHostLine}\n`);
  const environment = { PATH: `${programs}:${process.env['PATH']}`, HOME: home, HANDRAIL_HOME: state };
  const open = () => createHandrail({ workspace, environment });
  let handrail = await open();
  onTestFinished(async () => {
    await handrail.close();
    rmSync(root, { recursive: true, force: true });
  });
  const run = async (
    tool: string,
    input: Data,
    conversationId = 'one',
  ): Promise<{ data: Data; text: string; ok: boolean }> => {
    const outcome = await handrail.runTool({ tool, input, conversationId, approve: 'all', origin: 'library' });
    return { ok: outcome.ok, text: outcome.text, data: outcome.ok ? ((outcome.data ?? {}) as Data) : {} };
  };
  writeFileSync(join(workspace, 'id'), server.keyText, { mode: 0o600 });
  const host = {
    alias: 'box',
    hostname: '127.0.0.1',
    user: server.user,
    port: server.port,
    identity_file: 'id',
    known_host_line: server.knownHostLine,
  };
  return {
    server,
    run,
    workspace,
    host,
    /** The key lies in the sandbox's own ~/.ssh from now on. */
    keep: () => run('bash', { command: 'mkdir -p -m 700 ~/.ssh && install -m 600 id ~/.ssh/id' }),
    forget: (conversationId: string) => handrail.conversations.remove(conversationId),
    close: () => handrail.close(),
    async restart() {
      await handrail.close();
      handrail = await open();
    },
  };
}

function reachable({ port }: SshServer): Readonly<Record<string, unknown>> {
  return { net: { allowPrivate: [`127.0.0.1:${port}`] } };
}

describe('a named host', () => {
  it('[K32] [S16] [S26] is reached by its alias by ssh and scp, also after a restart; a repeat changes nothing', async () => {
    const { run, host, keep, restart } = await createSshWorld();
    await keep();
    expect((await run('ssh_configure_host', host)).data).toMatchObject({
      alias: 'box',
      config_changed: true,
      known_hosts_changed: true,
    });
    expect((await run('ssh_configure_host', host)).data).toMatchObject({
      config_changed: false,
      known_hosts_changed: false,
    });
    expect((await run('bash', { command: 'ssh box true' })).data).toMatchObject({ exit_code: 0, stderr: '' });
    expect(
      (
        await run('bash', {
          command:
            'echo one > a && scp -q a box:/tmp/handrail-scp-$$ && ssh box cat /tmp/handrail-scp-$$ && ssh box rm /tmp/handrail-scp-$$',
        })
      ).data,
    ).toMatchObject({ stdout: 'one\n' });
    await restart();
    expect((await run('bash', { command: 'ssh box exit 3' })).data).toMatchObject({ exit_code: 3 });
  });

  it('[K32] an unknown host key is remembered, a changed one refused, and the advice says what to do', async () => {
    const { run, host, keep, server } = await createSshWorld();
    await keep();
    const { known_host_line: _line, ...unknown } = host;
    await run('ssh_configure_host', unknown);
    expect((await run('ssh_exec', { host: 'box', command: 'true' })).data).toMatchObject({ exit_code: 0 });
    await server.changeKey();
    const refused = await run('ssh_exec', { host: 'box', command: 'true' }, 'two');
    expect(refused.data).toMatchObject({ exit_code: 255 });
    expect(refused.text).toContain('known_host_line');
    expect(server.logins()).toBe(0);
    await run('bash', { command: `ssh-keygen -R '[127.0.0.1]:${server.port}'` });
    await run('ssh_configure_host', { ...unknown, known_host_line: server.knownHostLine });
    expect((await run('ssh_exec', { host: 'box', command: 'true' }, 'two')).data).toMatchObject({ exit_code: 0 });
  });
});

describe('connections', () => {
  it('[K34] two calls of ssh in a conversation make one login, and nothing is reported as left behind', async () => {
    const { run, host, keep, server } = await createSshWorld();
    await keep();
    await run('ssh_configure_host', host);
    const first = await run('bash', { command: 'ssh box echo one' });
    const second = await run('bash', { command: 'ssh box echo two' });
    expect([first.data['stdout'], second.data['stdout']]).toEqual(['one\n', 'two\n']);
    expect([first.data['notes'], second.data['notes']].join('\n')).not.toMatch(/background|survive|ended/);
    expect(server.logins()).toBe(1);
  });

  it('[K34] two in one command that runs apart make one login, and what keeps the connection is not reported', async () => {
    const { run, host, keep, server } = await createSshWorld();
    await keep();
    await run('ssh_configure_host', host);
    const { data } = await run('bash', { command: 'ssh box echo one; ssh box echo two', fresh: true });
    expect(data).toMatchObject({ exit_code: 0, stdout: 'one\ntwo\n' });
    expect(String(data['notes'] ?? '')).not.toMatch(/background|ended/);
    expect(server.logins()).toBe(1);
  });

  it('[N10] ssh_exec: two calls make one login, another conversation has its own', async () => {
    const { run, keep, server } = await createSshWorld();
    await keep();
    const input = {
      host: '127.0.0.1',
      port: server.port,
      username: server.user,
      key_path: '~/.ssh/id',
      command: `echo "it's"; echo no >&2; exit 5`,
    };
    expect((await run('ssh_exec', input)).data).toMatchObject({
      exit_code: 5,
      stdout: "it's\n",
      stderr: 'no\n',
    });
    await run('ssh_exec', { ...input, command: 'true' });
    expect(server.logins()).toBe(1);
    expect((await run('ssh_exec', { ...input, command: 'echo other' }, 'two')).data).toMatchObject({
      stdout: 'other\n',
    });
    expect(server.logins()).toBe(2);
  });

  it('[N10] what takes too long is ended', async () => {
    const { run, host, keep } = await createSshWorld();
    await keep();
    await run('ssh_configure_host', host);
    expect(await run('ssh_exec', { host: 'box', command: 'sleep 60', timeout: 2 })).toMatchObject({ ok: false });
    expect((await run('ssh_exec', { host: 'box', command: 'echo on' })).data).toMatchObject({ stdout: 'on\n' });
  });

  it('[N08] [A28] twin: a private address that the settings do not name is not reached', async () => {
    const { run, host, keep, server } = await createSshWorld(() => ({}));
    await keep();
    await run('ssh_configure_host', host);
    expect((await run('ssh_exec', { host: 'box', command: 'true' })).data).toMatchObject({ exit_code: 255 });
    expect(server.logins()).toBe(0);
  });
});

const onHost = (): Data => ({ sandbox: { rung: 'host' }, tool_enabled_execute_shell_command: true });

/** Of this process: its shells make them. */
const connectionFolders = (): readonly string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`handrail-ssh-${process.pid}-`));
const keptConnections = (folders: readonly string[]): readonly string[] =>
  listProcesses()
    .filter((entry) => !entry.isZombie)
    .map((entry) => commandLine(entry.pid))
    .filter((line) => line.includes('[mux]') && folders.some((folder) => line.includes(`/${folder}/`)));

describe('outside any sandbox', () => {
  const createHostWorld = async () => {
    const world = await createSshWorld(onHost);
    const { server, workspace } = world;
    const place = { host: '127.0.0.1', port: server.port, username: server.user, key_path: join(workspace, 'id') };
    const call = async (command: string, conversationId?: string) =>
      (await world.run('ssh_exec', { ...place, command }, conversationId)).data;
    return { ...world, call };
  };

  it('[N10] two calls make one login, another conversation has its own, and nothing of it outlives the program', async () => {
    const { call, server, forget, close } = await createHostWorld();
    const [first, second] = [await call('echo one'), await call('echo two; exit 4')];
    expect([first, second]).toMatchObject([
      { exit_code: 0, stdout: 'one\n', stderr: '' },
      { exit_code: 4, stdout: 'two\n', stderr: '' },
    ]);
    expect([first['notes'], second['notes']].join('\n')).not.toMatch(/background|survive|still run|ended/);
    expect(server.logins()).toBe(1);
    expect(await call('echo other', 'two')).toMatchObject({ stdout: 'other\n' });
    expect(server.logins()).toBe(2);
    const folders = connectionFolders();
    expect([folders.length, keptConnections(folders).length]).toEqual([2, 2]);
    await forget('two');
    expect([connectionFolders().length, keptConnections(folders).length]).toEqual([1, 1]);
    expect(await call('echo on')).toMatchObject({ stdout: 'on\n' });
    expect(server.logins()).toBe(2);
    await close();
    expect([connectionFolders(), keptConnections(folders)]).toEqual([[], []]);
  });

  it('[N10] twin: where the shell names no place for connections, every call logs in by itself', async () => {
    const { call, server, run } = await createHostWorld();
    await run('bash', { command: 'unset HANDRAIL_SSH' });
    expect([await call('echo one'), await call('echo two')]).toMatchObject([{ stdout: 'one\n' }, { stdout: 'two\n' }]);
    expect(server.logins()).toBe(2);
  });

  it('[N10] a host whose key changed is refused, and the advice says what the user has to do', async () => {
    const { server, workspace, run } = await createHostWorld();
    await server.changeKey();
    const input = { host: '127.0.0.1', port: server.port, username: server.user, key_path: join(workspace, 'id') };
    const refused = await run('ssh_exec', { ...input, command: 'true' });
    expect(refused.data).toMatchObject({ exit_code: 255 });
    expect(refused.text).toContain(`ssh-keygen -R '[127.0.0.1]:${server.port}'`);
    expect(refused.text).not.toContain('ssh_configure_host');
    expect(server.logins()).toBe(0);
  });
});
