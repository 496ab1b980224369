/** A userland whose programs a command has replaced: what runs before the mounts are looked at is none of them. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeBusyboxUserland } from '../../../test/kit/busybox-userland.ts';
import { openNetworkWorld } from '../../../test/kit/network-world.ts';
import { openShellWorld, type ShellWorld } from '../../../test/kit/shell-world.ts';
import { findNodeLibraries } from '../net/node-libraries.ts';
import { buildBwrapArgs } from './bwrap-args.ts';
import type { SandboxOptions } from './create-sandbox.ts';
import { type BindOwnPrograms, createOwnPrograms, systemPrograms } from './own-programs.ts';

let base: string;
const opened: { close(): Promise<void> }[] = [];
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-poison-')));
});
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
  rmSync(base, { recursive: true, force: true });
});

type World = ShellWorld & { readonly tree: string; poison(name: string, text: string): void };

/** In a userland as a command that is root in it may have left it. */
function open(sandbox: Partial<SandboxOptions> = {}, hasNetwork = false): World {
  const net = openNetworkWorld({ settings: { mode: 'on' } });
  const world = openShellWorld({
    sandbox: { root: () => 'userland', ...(hasNetwork ? { network: net.network } : {}), ...sandbox },
  });
  opened.push(world, net);
  const { tree, replace } = makeBusyboxUserland(world.stateFolder);
  return { ...world, tree, poison: replace };
}

/** Says that all is well, whatever it was asked to look at, and runs the program. */
const forgingShell = `#!/bin/busybox sh
case $2 in
*HANDRAIL_FIRST*) shift 3; count=$5; shift 9; shift "$count"; printf '\\nstarted\\n' >&3; exec "$@" ;;
*listen.cjs*) number=\${2#*NODE_CHANNEL_FD=}; number=\${number%% *}; echo held >/var/held
  busybox head -c 300000000 /dev/zero >&"$number"; shift 3; exec "$@" ;;
esac
exec /bin/busybox sh "$@"
`;
/** Answers with what the first process expects, which stands in its arguments. */
const forgingStat = `#!/bin/busybox sh
busybox tr '\\0\\n' '\\n,' </proc/1/cmdline | busybox sed -n 6p | busybox tr , '\\n'
`;

/** None of ours: the userland's own run first, as they would without the guard. */
const theirs = (): BindOwnPrograms => (folder) => {
  const nothing = join(folder, 'nothing');
  mkdirSync(nothing, { recursive: true });
  const bind = { source: nothing, path: '/run/handrail-first', isWritable: false };
  // By its path, since busybox has one of its own that it prefers.
  return { programs: { ...systemPrograms, stat: ['/bin/stat'], perl: undefined }, bind };
};

describe('a workspace that is exchanged while the sandbox is made', () => {
  /** As a command could whose workspace is the folder around this one. */
  function openSwapped(more: Partial<SandboxOptions> = {}): World {
    const world: World = open({
      ...more,
      buildArgs(plan) {
        renameSync(world.workspace, `${world.workspace}.away`);
        symlinkSync(join(base, 'private'), world.workspace);
        return buildBwrapArgs(plan);
      },
    });
    mkdirSync(join(base, 'private'));
    writeFileSync(join(base, 'private/secret'), 'canary-7f3a');
    return world;
  }
  const preload = '/var/evil.so\n';
  const poisons: readonly (readonly [string, string, string])[] = [
    ['a shell that says all is well', 'bin/sh', forgingShell],
    ['a bash that says all is well', 'bin/bash', forgingShell],
    ['a stat that gives the wanted answer', 'bin/stat', forgingStat],
    ['a loader that is none', 'lib64/ld-linux-x86-64.so.2', 'x'.repeat(5000)],
    ['a library for every program', 'etc/ld.so.preload', preload],
  ];

  it.each(poisons)('[A21] [A26] is noticed in spite of %s', async (_what, name, text) => {
    const world = openSwapped();
    world.poison(name, text);
    await expect(world.run(`cat ${world.workspace}/secret`, { fresh: true })).rejects.toThrow(/exchanged/);
  });

  it.each(poisons.filter(([, name]) => name === 'bin/sh' || name === 'bin/stat'))(
    '[A21] [A26] twin: with programs of the userland first, it is not noticed: %s',
    async (_what, name, text) => {
      const world = openSwapped({ ownPrograms: theirs });
      world.poison(name, text);
      expect((await world.run(`cat ${world.workspace}/secret`, { fresh: true })).stdout.text).toBe('canary-7f3a');
    },
  );

  it('[A26] twin: without any poison the userland’s own programs notice it', async () => {
    const world = openSwapped({ ownPrograms: theirs });
    await expect(world.run(`cat ${world.workspace}/secret`, { fresh: true })).rejects.toThrow(/exchanged/);
  });
});

describe('the channel by which a listener is handed over', () => {
  const memory = (): number => process.memoryUsage().rss;

  it('[A26] is out of reach for a poisoned shell: it can neither hold it nor fill our memory', async () => {
    const world = open({}, true);
    world.poison('bin/sh', forgingShell);
    const before = memory();
    const result = await world.run('echo here; wget -qO- http://169.254.169.254/', { fresh: true });
    expect(result.stdout.text).toBe('here\n');
    // The way out itself is there: what it refuses is named.
    expect(result.notes.join()).toContain('network: refused 169.254.169.254:80');
    expect(existsSync(join(world.tree, 'var/held'))).toBe(false);
    expect(memory() - before).toBeLessThan(150_000_000);
  });

  it('[A26] twin: with programs of the userland first, the poisoned shell holds it', async () => {
    const world = open({ ownPrograms: theirs }, true);
    world.poison('bin/sh', forgingShell.replace('300000000', '1000'));
    await world.run('echo here', { fresh: true });
    expect(existsSync(join(world.tree, 'var/held'))).toBe(true);
  });
});

describe('libraries that a userland would have programs load', () => {
  /** Leaves a file where it is loaded. */
  function makeLibrary(path: string): void {
    const code = `#include <fcntl.h>
#include <unistd.h>
__attribute__((constructor)) static void run(void) { close(open("${base}/loaded", O_CREAT | O_WRONLY, 0600)); close(open("/var/loaded", O_CREAT | O_WRONLY, 0600)); }`;
    writeFileSync(join(base, 'evil.c'), code);
    execFileSync('gcc', ['-shared', '-fPIC', '-o', path, join(base, 'evil.c')]);
  }

  it('[A26] are in none of the programs before the first one', async () => {
    const world = open({}, true);
    makeLibrary(join(world.tree, 'var/evil.so'));
    world.poison('etc/ld.so.preload', '/var/evil.so\n');
    const result = await world.run('echo here; wget -qO- http://169.254.169.254/', { fresh: true });
    expect(result.stdout.text).toBe('here\n');
    expect(result.notes.join()).toContain('network: refused 169.254.169.254:80');
    expect(readdirSync(join(world.tree, 'var'))).toEqual(['evil.so']);
  });

  it('[A26] twin: with the machine’s own loader they are', async () => {
    const world = open({
      ownPrograms: () => (folder) => {
        const own = createOwnPrograms()(folder);
        const { files, loader = '' } = findNodeLibraries();
        const source = join(folder, 'unchanged');
        cpSync(own.bind.source, source, { recursive: true });
        cpSync(files.get(loader) ?? '', join(source, 'lib', loader));
        return { ...own, bind: { ...own.bind, source } };
      },
    });
    makeLibrary(join(world.tree, 'var/evil.so'));
    world.poison('etc/ld.so.preload', '/var/evil.so\n');
    await world.run('echo here', { fresh: true });
    expect(readdirSync(join(world.tree, 'var'))).toEqual(['evil.so', 'loaded']);
  });

  it('[A26] are not in Node either, where that opens the listener, whatever the configuration of OpenSSL says', async () => {
    const withoutPerl = (): BindOwnPrograms => (folder) => {
      const own = createOwnPrograms()(folder);
      return { ...own, programs: { ...own.programs, perl: undefined } };
    };
    const world = open({ ownPrograms: withoutPerl }, true);
    const library = join(world.tree, 'var/evil.so');
    makeLibrary(library);
    const configuration = (module: string): string =>
      `nodejs_conf = start\n[start]\nproviders = all\n[all]\nevil = one\n[one]\nmodule = ${module}\nactivate = 1\n`;
    for (const name of ['etc/ssl', 'usr/lib/ssl', 'usr/local/ssl']) {
      mkdirSync(join(world.tree, name), { recursive: true });
      world.poison(join(name, 'openssl.cnf'), configuration('/var/evil.so'));
    }
    const result = await world.run('wget -qO- http://169.254.169.254/', { fresh: true });
    expect(result.notes.join()).toContain('network: refused 169.254.169.254:80');
    expect(readdirSync(join(world.tree, 'var'))).toEqual(['evil.so']);
    // The twin: told to read it, Node loads the library.
    writeFileSync(join(base, 'openssl.cnf'), configuration(library));
    // What it says to a library that is no provider does not matter.
    spawnSync(process.execPath, ['-e', ''], { env: { OPENSSL_CONF: join(base, 'openssl.cnf') }, stdio: 'ignore' });
    expect(existsSync(join(base, 'loaded'))).toBe(true);
  });
});
