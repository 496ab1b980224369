/** Commands that want more of the machine than they may: held by control groups, without them, and for an ordinary user. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterEach, describe, expect, it } from 'vitest';
import { isRoot, makeOrdinaryFolder, runAsOrdinaryUser } from '../../../test/kit/ordinary-user.ts';
import { openShellWorld, type ShellWorld } from '../../../test/kit/shell-world.ts';
import type { ShellResult } from '../../contract/services.ts';
import type { LimitSettings } from '../../contract/settings.ts';
import { defaultSettings } from '../settings/default-settings.ts';
import { createLimits, type Limits } from './create-limits.ts';
import type { GroupFiles } from './group-files.ts';

type Attack = {
  readonly title: string;
  readonly command: string;
  /** What the message names. */
  readonly key: keyof LimitSettings;
  /** What it prints when nothing stops it. */
  readonly goal: string;
};

/** Small enough that the twins harm nobody: 300 MB, 150 processes. */
const tight: LimitSettings = {
  memoryMegabytes: 200,
  processes: 64,
  openFiles: 256,
  fileMegabytes: 20,
  diskMegabytes: 20_000,
  files: 100_000,
  freeMegabytes: 0,
  freeFiles: 0,
};
/** These count what everybody does to the disk: only for those that are to be stopped by them. */
const tightDisk: LimitSettings = { ...tight, diskMegabytes: 60, files: 2000 };
const limitsFor = ({ key }: Attack): LimitSettings => (key === 'diskMegabytes' || key === 'files' ? tightDisk : tight);
const loose: Partial<LimitSettings> = { memoryMegabytes: 2048, files: 100_000 };

const wait = 'select undef, undef, undef, 1.5';
const makeFiles = (folder: string): string =>
  `perl -e 'for (1..5000) { open my $f, ">", "${folder}/f$_" or die } ${wait}; print "made"'`;

const attacks: readonly Attack[] = [
  {
    title: 'more processes than are allowed',
    command: 'for i in $(seq 150); do sleep 3 & done 2>&1; jobs -p | wc -l; wait',
    key: 'processes',
    goal: '150',
  },
  {
    title: 'more threads than are allowed',
    command: `perl -Mthreads -e 'for (1..150) { threads->create(sub { sleep 2 }) or die "Cannot fork" } print scalar threads->list; $_->join for threads->list'`,
    key: 'processes',
    goal: '150',
  },
  {
    title: 'one process with much memory',
    command: `perl -e '$x = "a" x 300_000_000; ${wait}; print length $x'`,
    key: 'memoryMegabytes',
    goal: '300000000',
  },
  {
    title: 'many processes with some memory each',
    command: `for i in 1 2 3 4 5 6; do perl -e '$x = "a" x 50_000_000; ${wait}; print "done\\n"' & done; wait`,
    key: 'memoryMegabytes',
    goal: 'done\ndone\ndone\ndone\ndone\ndone\n',
  },
  {
    title: 'a large file',
    command: 'head -c 30000000 /dev/zero >big && wc -c <big',
    key: 'fileMegabytes',
    goal: '30000000',
  },
  {
    title: 'a sparse file',
    command: 'truncate -s 1G sparse && wc -c <sparse',
    key: 'fileMegabytes',
    goal: '1073741824',
  },
  {
    title: 'many large files',
    command: 'for i in $(seq 10); do head -c 15000000 /dev/zero >part$i; done; sleep 2; ls part* | wc -l',
    key: 'diskMegabytes',
    goal: '10',
  },
  { title: 'a flood of files in the workspace', command: makeFiles('.'), key: 'files', goal: 'made' },
  { title: 'a flood of files in /tmp', command: makeFiles('/tmp'), key: 'files', goal: 'made' },
  {
    title: 'more open files than are allowed',
    command: `perl -e 'for (1..1000) { open my $f, "<", "/dev/null" or die $!; push @f, $f } print scalar @f'`,
    key: 'openFiles',
    goal: '1000',
  },
];

let worlds: ShellWorld[] = [];
const open = (settings: Partial<LimitSettings>, limits?: Limits): ShellWorld => {
  const world = openShellWorld({ machineLimits: settings, ...(limits === undefined ? {} : { sandbox: { limits } }) });
  worlds.push(world);
  return world;
};
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
  worlds = [];
});

/** A machine whose control groups cannot be seen. */
const noGroups: GroupFiles = {
  read: () => {
    throw new Error('not here');
  },
  write: () => undefined,
  makeFolder: () => undefined,
  removeFolder: () => undefined,
  folders: () => [],
  exists: () => false,
};
const withoutGroups = (settings: LimitSettings): Limits =>
  createLimits({ settings: () => settings, environment: {}, machine: { files: noGroups, findScope: () => undefined } });

const ofMachine = createLimits({ settings: () => defaultSettings.sandbox.limits, environment: process.env });
const hasGroups = ofMachine.describe().some(({ limit, isHeld }) => limit === 'memory' && isHeld);

function expectHeld({ goal, key }: Attack, result: Pick<ShellResult, 'stdout' | 'notes'>): void {
  expect({ notes: result.notes.join('\n'), printed: result.stdout.text }).toEqual({
    notes: expect.stringContaining(`sandbox.limits.${key}`),
    printed: expect.not.stringContaining(goal),
  });
}

// Containers often show a read-only /sys/fs/cgroup: there is nothing to test then.
describe.runIf(hasGroups)('[A31] held by control groups', () => {
  it.each(attacks)('$title', async (attack) => {
    expectHeld(attack, await open(limitsFor(attack)).run(attack.command));
  });

  it('the shell’s own processes live on when one that wants too much memory is killed', async () => {
    const result = await open(tight).run(`perl -e '$x = "a" x 300_000_000'; echo "code $?"`);
    expect(result.stdout.text).toBe('code 137\n');
  });

  it('a part of a processor is no more than that, and twin: without the limit it is more', async () => {
    const burn = `perl -e '$t = time + 3; 1 while time < $t; print((times)[0])'`;
    const limited = Number((await open({ ...tight, cpus: 0.05 }).run(burn)).stdout.text);
    const free = Number((await open(tight).run(burn)).stdout.text);
    expect(limited).toBeLessThan(0.5);
    expect(free).toBeGreaterThan(limited);
  });
});

describe('[A31] held where there are no control groups', () => {
  // RLIMIT_NPROC does not bind the machine's root.
  const possible = attacks.filter(({ key }) => key !== 'processes' || !isRoot);
  it.each(possible)('$title', async (attack) => {
    expectHeld(attack, await open(tight, withoutGroups(limitsFor(attack))).run(attack.command));
  });

  it('files in /dev/shm are memory', async () => {
    const settings = { ...tight, memoryMegabytes: 64, fileMegabytes: 100 };
    const limits = { ...withoutGroups(settings), temporaryBytes: () => 200_000_000 };
    const command = 'head -c 90000000 /dev/zero >/dev/shm/x; sleep 3; echo survived';
    const result = await open(settings, limits).run(command);
    expect(result.stdout.text).toBe('');
    expect(result.notes.join('\n')).toContain('sandbox.limits.memoryMegabytes');
    expect((await open({ ...loose, fileMegabytes: 100 }).run(command)).stdout.text).toBe('survived\n');
  });
});

describe('[A31] for an ordinary user', () => {
  it.each([tight, tightDisk])(
    'all of them are held',
    async (settings) => {
      const own = attacks.filter((attack) => limitsFor(attack) === settings);
      const folder = makeOrdinaryFolder();
      try {
        const input = { world: { machineLimits: settings }, commands: own.map(({ command }) => ({ command })) };
        const printed = await runAsOrdinaryUser('test/fixtures/shell-session.ts', input, folder.path, {
          TMPDIR: folder.path,
        });
        const { results } = printed as { readonly results: readonly ShellResult[] };
        for (const [position, attack] of own.entries()) {
          const result = results[position];
          if (result === undefined) throw new Error(`no result of ${attack.title}`);
          expectHeld(attack, result);
        }
      } finally {
        folder.remove();
      }
    },
    120_000,
  );
});

describe('[A31] twin: without the tight limit', () => {
  it.each(attacks)('$title', async ({ command, goal }) => {
    const result = await open(loose).run(command);
    expect(result.stdout.text).toContain(goal);
    expect(result.notes.filter((note) => note.includes('sandbox.limits'))).toEqual([]);
  });
});

describe('[A31] file systems in memory', () => {
  it('/tmp has an end before memory has, and what runs goes on', async () => {
    const world = open(tight);
    const result = await world.run('head -c 19000000 /dev/zero | tee /tmp/a /tmp/b /tmp/c >/dev/null; echo "went on"');
    expect(result.stderr.text).toContain('No space left on device');
    expect(result.stdout.text).toBe('went on\n');
    const twin = await open(loose).run('head -c 19000000 /dev/zero | tee /tmp/a /tmp/b /tmp/c >/dev/null');
    expect(twin.stderr.text).toBe('');
  });

  it('/dev is none', async () => {
    const result = await open(loose).run('echo x >/dev/own; echo y >/dev/shm/own && cat /dev/shm/own');
    expect(result).toMatchObject({ stdout: { text: 'y\n' }, stderr: { text: expect.stringContaining('Read-only') } });
  });
});

// Root without control groups has no limit on processes: nothing to let a fork bomb off in.
describe.runIf(hasGroups || !isRoot)('[A31] a fork bomb', () => {
  it('ends with its time, is named, and the program goes on answering meanwhile', async () => {
    const world = open(tight);
    const probe = await world.run('for i in $(seq 100); do sleep 1 & done; wait');
    // Never without this: unlimited, it would take the machine.
    expect(probe.notes.join('\n')).toContain('64 processes');
    const delay = monitorEventLoopDelay();
    delay.enable();
    const bomb = await world.run('bomb() { bomb | bomb & }; bomb; sleep 30', { timeoutMs: 2000 });
    delay.disable();
    expect(bomb.notes.join('\n')).toContain('sandbox.limits.processes');
    expect(delay.max / 1e9).toBeLessThan(10);
    expect((await world.run('echo fine')).stdout.text).toBe('fine\n');
  });
});
