import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { waitForNone } from '../../../test/kit/leftovers.ts';
import { openShellWorld, type ShellWorld } from '../../../test/kit/shell-world.ts';
import { openTerminalWorld } from '../../../test/kit/terminal-world.ts';
import type { Sandbox, SandboxOptions } from '../sandbox/create-sandbox.ts';
import { defaultSettings } from '../settings/default-settings.ts';
import { createPipePool, type PipePool } from '../shell/pipe-pool.ts';
import { createKeeper, keeperLimits } from './create-keeper.ts';
import { type LiveTerminal, openLiveTerminal } from './live-terminal.ts';
import { startInSandbox } from './start-terminal.ts';

let world: ShellWorld;
let pool: PipePool;
const open: LiveTerminal[] = [];

beforeEach(() => {
  pool = createPipePool();
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((terminal) => terminal.close()));
  pool.close();
  await world.close();
  expect(await waitForNone(world.base, 10_000)).toEqual([]);
});

async function openIn(sandbox: Sandbox, command?: string): Promise<LiveTerminal> {
  const start: Parameters<typeof openLiveTerminal>[0]['start'] = (wanted) => startInSandbox({ sandbox, pool }, wanted);
  const place = { name: 't', workspace: world.workspace, workingDir: undefined, columns: 80, rows: 24 };
  const terminal = await openLiveTerminal({ ...place, command, start });
  open.push(terminal);
  return terminal;
}

async function until(terminal: LiveTerminal, shows: RegExp): Promise<string> {
  const textOf = async () => (await terminal.look(100)).lines.join('\n');
  await expect.poll(textOf, { timeout: 15_000 }).toMatch(shows);
  return textOf();
}

describe('the session of the terminal', () => {
  test('[S28] is the sandbox’s own, so a shell in it has job control', async () => {
    world = openShellWorld();
    const terminal = await openIn(world.sandbox);
    await terminal.type('echo ready<enter>');
    expect(await until(terminal, /ready\n/)).not.toContain('no job control');
  });

  test('[S28] with a session apart, as commands have it, job control is gone', async () => {
    world = openShellWorld();
    const { sandbox } = world;
    const apart: Sandbox = { ...sandbox, prepare: (request) => sandbox.prepare({ ...request, keepsTerminal: false }) };
    const terminal = await openIn(apart);
    expect(await until(terminal, /no job control/)).toContain('bash');
  });
});

describe('typing by a program (TIOCSTI)', () => {
  const typist = `python3 -c '
import fcntl, sys, termios
try:
  for letter in b"echo typed\\n": fcntl.ioctl(0, termios.TIOCSTI, bytes([letter]))
  print("done")
except OSError as error: print("refused", error.errno)
sys.stdin.readline()
'`;
  const openWith = async (options: Partial<SandboxOptions>): Promise<LiveTerminal> => {
    world = openShellWorld({ sandbox: options });
    return openIn(world.sandbox, typist);
  };

  test('[A27] is refused by the filter', async () => {
    expect(await until(await openWith({}), /refused \d+\n/)).toContain('refused 1\n');
  });

  test('[A27] without the filter it reaches this terminal alone, which is nobody else’s', async () => {
    const terminal = await openWith({ seccompFilter: () => undefined });
    const text = await until(terminal, /done/);
    // Where the kernel itself forbids it (dev.tty.legacy_tiocsti=0), there is nothing to reach.
    expect(readFileSync('/proc/sys/dev/tty/legacy_tiocsti', 'utf8').trim() === '0' || text.includes('echo typed')).toBe(
      true,
    );
  });
});

describe('the keeper', () => {
  test('closes what nobody looks at, and forgets what has ended once it was told', async () => {
    world = openShellWorld();
    const { sandbox } = world;
    const keeper = createKeeper({
      starterFor: () => (start) => startInSandbox({ sandbox, pool }, start),
      limits: { ...keeperLimits, idleMs: 50, toldMs: 50 },
    });
    const request = {
      conversation: 'c',
      workspace: world.workspace,
      workingDir: undefined,
      columns: 80,
      rows: 24,
      waitMs: 0,
    };
    const sources = { settings: defaultSettings } as Parameters<typeof keeper.open>[0]['sources'];
    await keeper.open({ ...request, name: 'idle', command: 'cat', sources });
    await keeper.open({ ...request, name: 'over', command: 'true', sources });
    await expect.poll(async () => (await keeper.read({ conversation: 'c', name: 'over' }, 0)).isAlive).toBe(false);
    await expect
      .poll(async () => {
        await keeper.sweep();
        return keeper.count;
      })
      .toBe(0);
  });

  test('one that has ended unseen is kept until somebody asks', async () => {
    world = openShellWorld();
    const { sandbox } = world;
    const keeper = createKeeper({
      starterFor: () => (start) => startInSandbox({ sandbox, pool }, start),
      limits: { ...keeperLimits, idleMs: 0, toldMs: 0 },
    });
    const sources = { settings: defaultSettings } as Parameters<typeof keeper.open>[0]['sources'];
    const place = { conversation: 'c', workspace: world.workspace, workingDir: undefined, columns: 80, rows: 24 };
    await keeper.open({ ...place, name: 'over', command: 'sleep 0.3; echo said; exit 9', waitMs: 0, sources });
    const key = { conversation: 'c', name: 'over' };
    await expect.poll(async () => (await keeper.read(key, 0)).exitCode, { timeout: 10_000 }).toBe(9);
    await keeper.sweep();
    expect(keeper.count).toBe(0);
  });
});

describe('another way to run', () => {
  test('on the machine itself a terminal has a PTY too, and nothing of it is left', async () => {
    world = openShellWorld();
    const host = openTerminalWorld({ rung: 'host' });
    const terminals = host.forConversation();
    await terminals.open({ name: 'sh' });
    await terminals.send('sh', 'setsid sleep 4567 & stty size; pwd<enter>');
    await host.until('sh', new RegExp(`24 80[^]*\\n${host.workspace}\\n`));
    await terminals.close('sh');
    expect(await host.close()).toEqual([]);
  });

  test('a keeper that is killed takes its terminals with it, and the next one starts', async () => {
    world = openShellWorld();
    const killed = openTerminalWorld();
    await killed.forConversation().open({ name: 't', command: 'sleep 9999' });
    for (const pid of keepersOf(killed.base)) process.kill(pid, 'SIGKILL');
    await expect
      .poll(() =>
        killed
          .forConversation()
          .read('t')
          .then(
            () => 'there',
            (error: unknown) => (error as { code: string }).code,
          ),
      )
      .toBe('not_found');
    expect(await waitForNone(killed.base, 10_000)).toEqual([]);
    expect(await killed.forConversation().open({ name: 't', command: 'cat' })).toMatchObject({ isAlive: true });
    expect(await killed.close()).toEqual([]);
  });

  test('a state folder with a very long path does as well', async () => {
    world = openShellWorld();
    const base = join(world.base, 'a'.repeat(100), 'b'.repeat(100));
    mkdirSync(base, { recursive: true });
    const long = openTerminalWorld({ base });
    expect(await long.forConversation().open({ name: 't', command: 'cat' })).toMatchObject({ isAlive: true });
    expect(await long.close()).toEqual([]);
    await rm(base, { recursive: true, force: true });
  });
});

function keepersOf(base: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const line = readFileSync(`/proc/${name}/cmdline`, 'utf8');
        return line.includes('terminal-keeper') && line.includes(base);
      } catch {
        // It ended while we looked.
        return false;
      }
    })
    .map(Number);
}
