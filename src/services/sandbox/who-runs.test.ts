/** The sandbox for an ordinary user, for root in that user's workspace, and for root in a workspace of its own. */
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  isRoot,
  makeOrdinaryFolder,
  ordinaryUid,
  runAsOrdinaryUser,
  runAsOurselves,
} from '../../../test/kit/ordinary-user.ts';
import { openShellWorld, type ShellWorld } from '../../../test/kit/shell-world.ts';
import { commandLine, listProcesses } from '../shell/process-tree.ts';
import { decideRunAs, homeFolderFor } from './run-as.ts';

type Session = {
  readonly uid: number;
  readonly report: { readonly rung?: string };
  readonly results: readonly {
    readonly exitCode?: number | null;
    readonly stdout?: { readonly text: string };
    readonly stderr?: { readonly text: string };
    readonly notes?: readonly string[];
    readonly timedOut?: boolean;
    readonly failure?: { readonly code?: string; readonly message: string };
  }[];
};

const session = 'test/fixtures/shell-session.ts';
let folder: ReturnType<typeof makeOrdinaryFolder>;
let worlds: ShellWorld[] = [];
beforeEach(() => {
  folder = makeOrdinaryFolder();
});
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
  worlds = [];
  folder.remove();
});

const asOrdinary = async (
  commands: readonly (string | { command: string; request?: object })[],
  world: object = {},
  environment: Record<string, string> = {},
): Promise<Session> => {
  const list = commands.map((command) => (typeof command === 'string' ? { command } : command));
  const input = { world, commands: list };
  return (await runAsOrdinaryUser(session, input, folder.path, { TMPDIR: folder.path, ...environment })) as Session;
};

describe('started by an ordinary user', () => {
  it('[K38] commands are that user in a user namespace, and can write the workspace and the home', async () => {
    const { uid, results, report } = await asOrdinary([
      'id -u; id -un; touch made ~/kept && stat -c %u made; cat /etc/os-release | head -1; ls ~',
      'ls ~; grep -c . /proc/self/uid_map',
    ]);
    expect(uid).toBe(ordinaryUid);
    expect(report.rung).toBe('namespaces');
    expect(results[0]?.stdout?.text).toBe(
      `${ordinaryUid}\nhandrail\n${ordinaryUid}\nPRETTY_NAME="${osName()}"\nkept\n`,
    );
    expect(results[1]?.stdout?.text).toBe('kept\n1\n');
  });

  it('[A28] the escapes fail there too', async () => {
    writeFileSync(join(folder.path, 'canary.txt'), 'canary-7f3a');
    const { results } = await asOrdinary(
      [
        `cat ${folder.path}/canary.txt; env | grep canary; cat /proc/*/environ | grep -c canary`,
        `[ -d /proc/${process.pid} ] && echo visible; unshare -U true && echo nested; test -w /proc/sys/kernel/panic && echo writable; test -w /usr && echo writable`,
        'cat /etc/shadow; ls /root /home',
      ],
      {},
      { HANDRAIL_TEST_KEY: 'canary-7f3a' },
    );
    expect(results[0]?.stdout?.text).toBe('0\n');
    expect(results[1]?.stdout?.text).toBe('');
    expect(results[2]?.stdout?.text).toBe('/home:\nhandrail\n');
  });

  it('ends everything at the timeout, whatever it ignores', async () => {
    const { results } = await asOrdinary([
      { command: "trap '' INT TERM; setsid sleep 9876 & while :; do sleep 1; done", request: { timeoutMs: 300 } },
    ]);
    expect(results[0]).toMatchObject({ timedOut: true, exitCode: null });
  });

  it('can open its own output streams again', async () => {
    const { results } = await asOrdinary(['echo out >/dev/stdout; echo err >/dev/stderr']);
    expect(results[0]).toMatchObject({ exitCode: 0, stdout: { text: 'out\n' }, stderr: { text: 'err\n' } });
  });
});

describe.runIf(isRoot)('started by root in the workspace of an ordinary user', () => {
  const open = (): ShellWorld => {
    const world = openShellWorld({ workspace: folder.path });
    worlds.push(world);
    return world;
  };

  it('[A28] drops to that user, with a home of that user’s own, and leaves nothing behind', async () => {
    const world = open();
    const before = ['/mnt', '/media', '/srv', '/run'].flatMap((path) => readdirSync(path)).join();
    const result = await world.run(
      'id -u; id -G; touch made ~/kept; grep -E "^(Uid|CapEff)" /proc/self/status; ls -A /run',
    );
    expect(result).toMatchObject({ exitCode: 0, stderr: { text: '' } });
    expect(result.stdout.text).toMatch(
      new RegExp(`^${ordinaryUid}\n${ordinaryUid}\nUid:\\s+${ordinaryUid}\\s.*\nCapEff:\\s+0+\n$`),
    );
    expect(statSync(join(folder.path, 'made')).uid).toBe(ordinaryUid);
    expect(statSync(join(world.stateFolder, `home-of-${ordinaryUid}`, 'home', 'kept')).uid).toBe(ordinaryUid);
    expect(['/mnt', '/media', '/srv', '/run'].flatMap((path) => readdirSync(path)).join()).toBe(before);
  });

  it('[A28] works where that user could not even walk to the workspace', async () => {
    const world = openShellWorld();
    worlds.push(world);
    const inner = join(world.base, 'closed', 'project');
    mkdirSync(inner, { recursive: true });
    chmodSync(join(world.base, 'closed'), 0o700);
    const { chownSync } = await import('node:fs');
    chownSync(inner, ordinaryUid, ordinaryUid);
    const dropped = openShellWorld({ workspace: inner });
    worlds.push(dropped);
    expect((await dropped.run('touch made && id -u && pwd')).stdout.text).toBe(`${ordinaryUid}\n${inner}\n`);
  });

  it('ends everything at the timeout and when called off', async () => {
    const world = open();
    const result = await world.run("trap '' INT TERM; setsid sleep 9877 & while :; do sleep 1; done", {
      timeoutMs: 300,
    });
    expect(result).toMatchObject({ timedOut: true, exitCode: null, signal: 'SIGKILL' });
  });
});

describe('when we are killed', () => {
  type Case = { readonly who: string; readonly asUser: boolean; readonly inUsersWorkspace: boolean };
  const cases: Case[] = [{ who: 'an ordinary user', asUser: true, inUsersWorkspace: true }];
  if (isRoot) cases.push({ who: 'a user that root drops to', asUser: false, inUsersWorkspace: true });
  if (isRoot) cases.push({ who: 'root', asUser: false, inUsersWorkspace: false });

  it.each(cases)('[A31] the sandbox of $who ends with us', async ({ asUser, inUsersWorkspace }) => {
    const mark = `${100_000 + Math.floor(Math.random() * 899_999)}.${process.pid}`;
    const command = `setsid sleep ${mark} & sleep ${mark} & touch started; wait`;
    const input = {
      world: inUsersWorkspace ? { workspace: folder.path } : {},
      diesOnceStarted: true,
      commands: [{ command }],
    };
    // What a killed session leaves of its own lies in a folder that is removed.
    const scratch = makeOrdinaryFolder();
    const environment = { TMPDIR: scratch.path, HOME: '/nowhere' };
    try {
      const run = asUser
        ? runAsOrdinaryUser(session, input, folder.path, environment)
        : runAsOurselves(session, input, environment);
      await expect(run).rejects.toThrow('SIGKILL');
      await expect.poll(() => livingWith(mark), { timeout: 5000 }).toEqual([]);
    } finally {
      scratch.remove();
    }
  });
});

describe.runIf(isRoot)('started by root in a workspace of root’s', () => {
  it('[A28] commands are no root inside and have no capability', async () => {
    const world = openShellWorld();
    worlds.push(world);
    const result = await world.run('id -u; id -G; touch made; cat /etc/shadow; chown 5 made; mknod d c 1 3');
    expect(result.stdout.text).toBe('1000\n1000\n');
    expect(result.stderr.text).toMatch(
      /shadow: No such file.*chown.*(not permitted|Invalid argument).*mknod.*not permitted/s,
    );
    expect(statSync(join(world.workspace, 'made')).uid).toBe(0);
  });
});

describe('the decision', () => {
  const passwd = (): string =>
    'root:x:0:0::/root:/bin/bash\nann:x:1001:1002::/home/ann:/bin/bash\nbad:x:1003:0::/:/bin/sh\n';

  it('takes the owner’s primary group, and never root’s', () => {
    const root = { uid: 0, gid: 0 };
    expect(decideRunAs(1001, root, passwd)).toMatchObject({ uid: 1001, gid: 1002, manner: 'dropped' });
    expect(decideRunAs(1003, root, passwd)).toMatchObject({ uid: 1003, gid: 1003, manner: 'dropped' });
    expect(decideRunAs(1009, root, passwd)).toMatchObject({ uid: 1009, gid: 1009, manner: 'dropped' });
    expect(decideRunAs(0, root, passwd)).toMatchObject({ uid: 0, manner: 'root', insideUid: 1000 });
  });

  it('is oneself for an ordinary user, whoever owns the workspace', () => {
    expect(decideRunAs(0, { uid: 1001, gid: 1001 }, passwd)).toMatchObject({ uid: 1001, gid: 1001, manner: 'self' });
  });

  it('keeps a home per user that root drops to', () => {
    const self = decideRunAs(0, { uid: 1001, gid: 1001 }, passwd);
    expect(homeFolderFor('/state/home', self)).toBe('/state/home');
    expect(homeFolderFor('/state/home', { ...self, manner: 'dropped' })).toBe('/state/home-of-1001/home');
  });
});

const livingWith = (mark: string): string[] =>
  listProcesses()
    .filter((entry) => !entry.isZombie)
    .map((entry) => commandLine(entry.pid))
    .filter((line) => line.includes(mark));

function osName(): string {
  return /^PRETTY_NAME="(.*)"$/m.exec(readOsRelease())?.[1] ?? '';
}

function readOsRelease(): string {
  return process.getBuiltinModule('node:fs').readFileSync('/etc/os-release', 'utf8');
}
