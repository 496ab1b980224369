/** Attempts to get out of the sandbox, each with the same attempt succeeding when its guard is taken away. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openShellWorld, type ShellWorld, type ShellWorldOptions } from '../../../test/kit/shell-world.ts';
import { buildBwrapArgs, type SandboxPlan } from './bwrap-args.ts';

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
});

function open(options: ShellWorldOptions = {}): ShellWorld {
  const world = openShellWorld(options);
  opened.push(world.close);
  return world;
}

/** A world whose sandbox lacks something. */
const without = (edit: (args: string[], plan: SandboxPlan) => string[], options: ShellWorldOptions = {}): ShellWorld =>
  open({ ...options, sandbox: { ...options.sandbox, buildArgs: (plan) => edit(buildBwrapArgs(plan), plan) } });

const dropFlags =
  (...flags: string[]) =>
  (args: string[]): string[] =>
    args.filter((arg) => !flags.includes(arg));

const insertBeforeHome = (args: string[], ...more: string[]): string[] => {
  const at = args.indexOf('--bind');
  return [...args.slice(0, at), ...more, ...args.slice(at)];
};

function writeCanary(folder: string, name = 'canary.txt'): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), 'canary-7f3a');
  return join(folder, name);
}

function listen(server: Server, where: { port: number; host: string } | { path: string }): Promise<void> {
  opened.push(() => new Promise((resolve) => server.close(resolve)));
  return new Promise((resolve) => server.listen(where, resolve));
}

const connectTcp = (port: number): string => `(exec 5<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null && echo connected`;
const connectUnix = (path: string): string =>
  `perl -MSocket -e 'socket(S,PF_UNIX,SOCK_STREAM,0); print connect(S,pack_sockaddr_un("${path}")) ? "connected" : "refused: $!"'`;

describe('files', () => {
  it('[A28] files outside the workspace do not exist inside', async () => {
    const world = open();
    const canary = writeCanary(join(world.base, 'outside'));
    const result = await world.run(`cat ${canary}; ls -d /root /home/* /opt /srv /media /mnt /boot /sys; ls -a ~/.ssh`);
    expect(result.stdout.text).toBe('/home/handrail\n');
    expect(result.stderr.text).toContain(`${canary}: No such file or directory`);
  });

  it('[A28] twin: a bound folder outside the workspace can be read', async () => {
    const world = without((args) =>
      insertBeforeHome(args, '--ro-bind', join(world.base, 'outside'), join(world.base, 'outside')),
    );
    const canary = writeCanary(join(world.base, 'outside'));
    expect((await world.run(`cat ${canary}`)).stdout.text).toBe('canary-7f3a');
  });

  it('[A28] password hashes, keys of services and the machine’s users are absent', async () => {
    const result = await open().run(
      'cat /etc/shadow /etc/gshadow /etc/sudoers; ls -d /etc/ssh/*key* /etc/ssh/sshd* /etc/ssl/private /etc/cron.d; cut -d: -f1 /etc/passwd',
    );
    expect(result.stdout.text.split('\n')).toEqual(['root', 'handrail', 'nobody', '']);
    expect(result.stderr.text.match(/No such file or directory/g)).toHaveLength(7);
  });

  it('[A20] a link made inside leads nowhere outside', async () => {
    const world = open();
    const canary = writeCanary(join(world.base, 'outside'));
    const result = await world.run(`ln -s ${canary} link; ln -s /etc/passwd users; cat link; grep -c handrail users`);
    expect(result.stdout.text).toBe('1\n');
    expect(result.stderr.text).toContain('No such file');
  });

  it('[A28] system folders are read-only, and nothing can be made at the top', async () => {
    const mounts =
      'awk \'$5 == "/usr" || $5 == "/" || $5 == "/etc" {print $5, substr($6, 1, 2)}\' /proc/self/mountinfo | sort';
    const world = open();
    const result = await world.run(`${mounts}; touch /usr/x /x /etc/x /home/x; ls /x`);
    expect(result.stdout.text).toBe('/ ro\n/etc ro\n/usr ro\n');
    expect(result.stderr.text.match(/Read-only file system/g)?.length).toBeGreaterThanOrEqual(3);
    const twin = without((args) =>
      args.map((arg, at) => (arg === '--ro-bind' && args[at + 1] === '/usr' ? '--bind' : arg)),
    );
    expect((await twin.run(mounts)).stdout.text).toContain('/usr rw');
  });
});

describe('our own secrets', () => {
  it('[A49] nothing of our environment gets in', async () => {
    const environment = { ...process.env, OPENAI_API_KEY: 'canary-7f3a', LANG: 'C.UTF-8', TZ: 'Europe/Berlin' };
    const result = await open({ environment }).run(
      'env | cut -d= -f1 | sort | tr "\\n" " "; cat /proc/*/environ | grep -c canary; echo $TZ',
    );
    expect(result.stdout.text).toBe(
      'HOME LANG LOGNAME PATH PWD PYTHONUNBUFFERED SHELL SHLVL TERM TZ USER _ 0\nEurope/Berlin\n',
    );
  });

  it('[A49] twin: a variable that is handed in is seen', async () => {
    const world = without((args) => ['--setenv', 'OPENAI_API_KEY', 'canary-7f3a', ...dropFlags('--clearenv')(args)]);
    expect((await world.run('echo $OPENAI_API_KEY')).stdout.text).toBe('canary-7f3a\n');
  });
});

describe('processes', () => {
  const visible = `[ -d /proc/${process.pid} ] && echo visible; kill -0 ${process.pid} 2>&1`;

  it('[A28] processes of the machine are not there to be seen, read or traced', async () => {
    const result = await open().run(`${visible}; ls /proc | grep -c '^[0-9]'; cat /proc/${process.pid}/environ`);
    expect(result.stdout.text).toContain('No such process');
    expect(result.stdout.text).not.toContain('visible');
    expect(Number(result.stdout.text.trim().split('\n').at(-1))).toBeLessThan(6);
  });

  it('[A28] twin: without a process namespace they are seen', async () => {
    const world = without((args) =>
      dropFlags(
        '--unshare-pid',
        '--as-pid-1',
      )(args.map((arg, at) => (arg === '--proc' ? '--ro-bind' : args[at - 1] === '--proc' ? '/proc\0/proc' : arg)))
        .join('\0')
        .split('\0'),
    );
    expect((await world.run(visible)).stdout.text).toContain('visible');
  });

  it('[A28] the root of the first process is the sandbox’s own', async () => {
    const world = open();
    const canary = writeCanary(join(world.base, 'outside'));
    const result = await world.run(`cat /proc/1/root${canary} /proc/self/root${canary}; ls /proc/1/root/home`);
    expect(result.stdout.text).toBe('handrail\n');
  });
});

describe('network and sockets', () => {
  it('[A28] a service of the machine cannot be reached', async () => {
    const server = createServer((socket) => socket.end());
    await listen(server, { port: 0, host: '127.0.0.1' });
    const { port } = server.address() as { port: number };
    expect((await open().run(connectTcp(port))).exitCode).toBe(1);
    const twin = open({ rung: 'namespaces-shared-network' });
    expect(await twin.run(connectTcp(port))).toMatchObject({ exitCode: 0, rung: 'namespaces-shared-network' });
  });

  it('[A28] an abstract socket of the machine cannot be reached', async () => {
    const name = `handrail-test-${process.pid}`;
    await listen(
      createServer((socket) => socket.end()),
      { path: `\0${name}` },
    );
    expect((await open().run(connectUnix(`\\0${name}`))).stdout.text).toContain('refused');
    const twin = open({ rung: 'namespaces-shared-network' });
    expect((await twin.run(connectUnix(`\\0${name}`))).stdout.text).toBe('connected');
  });

  it('[A28] sockets of sessions and of containers are absent', async () => {
    const world = open();
    const folder = join(world.base, 'outside');
    mkdirSync(folder);
    await listen(
      createServer((socket) => socket.end()),
      { path: join(folder, 'docker.sock') },
    );
    const result = await world.run(`ls -A /run /var/run/ /tmp/.X11-unix; ${connectUnix(join(folder, 'docker.sock'))}`);
    expect(result.stdout.text).toContain('refused: No such file or directory');
    expect(result.stdout.text).not.toMatch(/user|docker|systemd|dbus/);
    const twin = without((args) => insertBeforeHome(args, '--bind', folder, folder));
    expect((await twin.run(connectUnix(join(folder, 'docker.sock')))).stdout.text).toBe('connected');
  });
});

describe('planted links', () => {
  it('[A26] a home that has become a link is refused', async () => {
    const world = open();
    const outside = join(world.base, 'outside');
    writeCanary(outside);
    symlinkSync(outside, join(world.stateFolder, 'home'));
    await expect(world.run('cat ~/canary.txt')).rejects.toMatchObject({ code: 'denied' });
  });

  it('[A26] a workspace behind a link is refused', async () => {
    const base = open();
    writeCanary(join(base.base, 'outside', 'project'));
    symlinkSync(join(base.base, 'outside'), join(base.base, 'way'));
    const world = open({ workspace: join(base.base, 'way', 'project') });
    await expect(world.run('cat canary.txt')).rejects.toMatchObject({ code: 'denied' });
  });
});
