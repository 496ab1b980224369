/** The rung that podman or docker gives: podman for real, docker by a program that notes what it is asked and does it with bubblewrap. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commandLine, listProcesses } from '../../src/services/shell/process-tree.ts';
import { fakeDocker } from '../kit/fake-docker.ts';
import { isRoot, makeOrdinaryFolder, ordinaryUid } from '../kit/ordinary-user.ts';
import { podmanHere } from '../kit/podman-here.ts';
import { openShellWorld, type ShellWorld, type ShellWorldOptions } from '../kit/shell-world.ts';

const opened: ShellWorld[] = [];
let find: Awaited<ReturnType<typeof podmanHere>>;
beforeEach(async () => {
  find = await podmanHere();
});
afterEach(async () => {
  for (const world of opened.splice(0)) await world.close();
});

function open(options: ShellWorldOptions = {}): ShellWorld {
  const world = openShellWorld({
    ...options,
    rung: 'container',
    sandbox: { findContainer: find, ...options.sandbox },
  });
  opened.push(world);
  return world;
}

const livingWith = (mark: string): string[] =>
  listProcesses()
    .filter((entry) => !entry.isZombie)
    .map((entry) => commandLine(entry.pid))
    .filter((line) => line.includes(mark));
const newMark = (): string => `${400_000 + Math.floor(Math.random() * 99_999)}.${process.pid}`;

describe('podman', () => {
  it('[K45] gives a command the workspace, its home, its streams and its code', async () => {
    const world = open();
    mkdirSync(join(world.workspace, 'a, "b"'));
    const result = await world.run(
      'id -u; pwd; echo made >made; touch ~/kept; echo "$A"; ls /sys; echo oops >&2; exit 7',
      {
        env: { A: "it's\nhere" },
        workingDir: 'a, "b"',
      },
    );
    expect(result).toMatchObject({ exitCode: 7, rung: 'container', stderr: { text: 'oops\n' }, notes: [] });
    const uid = isRoot ? 1000 : ordinaryUid;
    expect(result.stdout.text).toBe(`${uid}\n${world.workspace}/a, "b"\nit's\nhere\n`);
    expect(readFileSync(join(world.workspace, 'a, "b"', 'made'), 'utf8')).toBe('made\n');
    expect((await world.run('ls ~')).stdout.text).toBe('kept\n');
  });

  it('[A49] values of variables and keys of ours are in no process list and not inside', async () => {
    const world = open({ environment: { ...process.env, OPENAI_API_KEY: 'canary-7f3a' } });
    const running = world.run('env; touch there; while [ ! -e go ]; do sleep 0.05; done', {
      env: { TOKEN: 'canary-8e4b' },
    });
    await expect.poll(() => existsSync(join(world.workspace, 'there')), { timeout: 20_000 }).toBe(true);
    expect(livingWith('canary-8e4b')).toEqual([]);
    writeFileSync(join(world.workspace, 'go'), '');
    const text = (await running).stdout.text;
    expect(text).toContain('TOKEN=canary-8e4b');
    expect(text).not.toContain('canary-7f3a');
  });

  it('[A28] takes away capabilities, the network and the machine’s processes', async () => {
    const result = await open().run(
      'grep -E "^(CapEff|CapBnd|NoNewPrivs|Seccomp):" /proc/self/status | cut -f2 | sort -u; ls /sys /proc/net/dev >/dev/null; grep -c : /proc/net/dev; ls -d /proc/[0-9]* | wc -l',
    );
    const [none, one, two, interfaces, processes] = result.stdout.text.trim().split('\n');
    expect([none, one, two, interfaces]).toEqual(['0000000000000000', '1', '2', '1']);
    expect(Number(processes)).toBeLessThan(8);
  });

  it('[A28] twin: with other arguments the same look finds them', async () => {
    const { buildContainerArgs } = await import('../../src/services/sandbox/container-args.ts');
    const world = open({
      sandbox: {
        buildContainerArgs: (plan) => buildContainerArgs(plan).filter((arg) => arg !== '--cap-drop' && arg !== 'all'),
      },
    });
    expect((await world.run('grep ^CapBnd /proc/self/status')).stdout.text).not.toContain('0000000000000000');
  });

  it('[A31] ends everything at the timeout, whatever it ignores', async () => {
    const mark = newMark();
    const result = await open().run(`trap '' INT TERM; setsid sleep ${mark} & while :; do sleep 1; done`, {
      timeoutMs: 3000,
    });
    expect(result).toMatchObject({ timedOut: true, exitCode: null });
    await expect.poll(() => livingWith(mark), { timeout: 10_000 }).toEqual([]);
  });

  it('[A31] ends what a command leaves, and names it', async () => {
    const mark = newMark();
    const result = await open().run(`setsid sleep ${mark} & echo done`);
    expect(result).toMatchObject({ exitCode: 0, stdout: { text: 'done\n' }, notes: [expect.stringContaining(mark)] });
    await expect.poll(() => livingWith(mark), { timeout: 10_000 }).toEqual([]);
  });

  it('a command that is too long for an argument comes by a descriptor', async () => {
    const result = await open().run(`echo ${'x'.repeat(200_000)} | wc -c`);
    expect(result.stdout.text).toBe('200001\n');
  });

  it.runIf(isRoot)('[A28] drops from root to the owner of the workspace', async () => {
    const folder = makeOrdinaryFolder();
    try {
      const result = await open({ workspace: folder.path }).run('id -u; touch made ~/kept; ls -l made | cut -d" " -f3');
      expect(result.stdout.text).toBe(`${ordinaryUid}\nhandrail\n`);
    } finally {
      folder.remove();
    }
  });

  it('[A28] credentials in the workspace are hidden', async () => {
    const world = open();
    mkdirSync(join(world.workspace, '.ssh'));
    writeFileSync(join(world.workspace, '.ssh', 'id_rsa'), 'canary-7f3a');
    writeFileSync(join(world.workspace, '.netrc'), 'canary-7f3a');
    expect((await world.run('cat .ssh/id_rsa .netrc; ls .ssh')).stdout.text).toBe('');
  });
});

describe('docker', () => {
  it('[K45] is asked for a container without network, rights and service sockets', async () => {
    const docker = await fakeDocker();
    const world = open({ sandbox: { findContainer: docker.find } });
    const result = await world.run('echo out; echo err >&2; exit 5');
    expect(result).toMatchObject({ exitCode: 5, stdout: { text: 'out\n' }, stderr: { text: 'err\n' } });
    const run = docker.asked().findLast((line) => line.startsWith('run ')) ?? '';
    for (const part of ['--rm', '--network none', '--cap-drop all', '--security-opt no-new-privileges', '--read-only', '--pids-limit 2048', '--ipc private', '--tmpfs /sys:ro', 'handrail-empty-root:']) {
      expect(run).toContain(part);
    } // prettier-ignore
    expect(run).not.toMatch(/docker\.sock|--privileged|--preserve-fds|--pidfile/);
  });

  it('a command that is too long for an argument reaches it although no descriptor does', async () => {
    const docker = await fakeDocker();
    const world = open({ sandbox: { findContainer: docker.find } });
    expect((await world.run(`echo ${'x'.repeat(200_000)} | wc -c`)).stdout.text).toBe('200001\n');
  });

  it('[A31] is told to end it at the timeout', async () => {
    const docker = await fakeDocker();
    const world = open({ sandbox: { findContainer: docker.find } });
    const mark = newMark();
    const result = await world.run(`trap '' INT TERM; sleep ${mark} & while :; do sleep 1; done`, { timeoutMs: 2000 });
    expect(result).toMatchObject({ timedOut: true });
    expect(docker.asked().some((line) => /^exec handrail-\S+ \/bin\/sh -c kill -INT -1$/.test(line))).toBe(true);
    expect(docker.asked().some((line) => line.startsWith('kill handrail-'))).toBe(true);
    await expect.poll(() => livingWith(mark), { timeout: 10_000 }).toEqual([]);
  });
});
