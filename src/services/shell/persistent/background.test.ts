/** What commands leave running in a conversation's shell: it lives, is named once, and never speaks into another result. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { soak } from '../../../../test/kit/soak.ts';
import { openShellWorld, type ShellWorld, type ShellWorldOptions } from '../../../../test/kit/shell-world.ts';
import { newMark, processesWith } from '../../../../test/kit/hang-cases.ts';
import { commandLine, listProcesses } from '../process-tree.ts';
import { type BashStart, startBash } from './start-bash.ts';

const worlds: ShellWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

function open(options: ShellWorldOptions = {}) {
  const world = openShellWorld(options);
  worlds.push(world);
  const run = async (command: string, request = {}) => {
    const result = await world.run(command, request, { conversation: 'a' });
    return { ...result, out: result.stdout.text, note: result.notes.join('\n') };
  };
  return { world, run };
}

describe.each(['namespaces', 'host'] as const)('a process in the background on the rung %s', (rung) => {
  it('[S05] holds stdout and keeps nobody waiting; it is named once, and lives', async () => {
    const { run } = open({ rung });
    const mark = newMark();
    const result = await run(`sleep ${mark} & echo done`);
    expect(result).toMatchObject({ exitCode: 0, out: 'done\n' });
    expect(result.durationMs).toBeLessThan(5_000);
    expect(result.note).toMatch(new RegExp(`^1 process goes on in the background: sleep ${mark} \\(pid \\d+\\)`));
    const next = await run('jobs; kill %1; wait; jobs');
    expect(next.out).toContain(mark);
    expect(next.notes).toEqual([]);
    expect(processesWith(mark)).toEqual([]);
  });

  it('[S36] late output of a background job never lands in another result', async () => {
    const { run } = open({ rung });
    await run('(sleep 0.3; echo late; echo late >&2) &');
    const results = [await run('echo one; sleep 0.5; echo two'), await run('sleep 0.2; echo three')];
    for (const { stdout, stderr } of results) expect(stdout.text + stderr.text).not.toContain('late');
    expect(results.map(({ out }) => out)).toEqual(['one\ntwo\n', 'three\n']);
  });

  it('that is about to end still has its say: the tee of a process substitution', async () => {
    const { run } = open({ rung });
    for (let round = 0; round < soak(10); round += 1) {
      expect((await run(`echo line ${round} > >(sleep 0.01; tee copy); true`)).out).toBe(`line ${round}\n`);
    }
  });

  it('[S35] survives the timeout of a later command, which takes everything of its own with it', async () => {
    const { run } = open({ rung });
    const [old, fresh] = [newMark(), newMark()];
    // Node and others take SIGINT back although the shell had it ignored for jobs.
    await run(`setsid sleep ${old} & bash -c 'trap "echo int" INT; sleep ${old}1' & disown -a`);
    const left = processesWith(old).length;
    const command = `setsid sleep ${fresh} & (setsid sh -c 'trap "" TERM INT; sleep ${fresh}1' &); env -i setsid sleep ${fresh}2 & sleep ${fresh}3`;
    expect((await run(command, { timeoutMs: 500 })).timedOut).toBe(true);
    expect(processesWith(fresh)).toEqual([]);
    expect(processesWith(old)).toHaveLength(left);
    expect((await run('true')).notes).toEqual([]);
  });

  it('can write as much as it likes: nobody makes it wait, and nobody is kept from the next command', async () => {
    const { run } = open({ rung });
    await run('(head -c 3000000 /dev/zero; touch written) &');
    await expect.poll(async () => (await run('ls')).out, { timeout: 20_000, interval: 100 }).toBe('written\n');
  });
});

describe('many processes in the background', () => {
  it('hold their pipes up to a cap, which is said, and give them back when they end', async () => {
    const { run } = open({ shell: { shells: { maxPairs: 4 } } });
    for (let count = 0; count < 4; count += 1) await run('sleep 4000 &');
    await expect(run('echo')).rejects.toMatchObject({
      code: 'busy',
      message: expect.stringContaining('Background processes of 4 earlier commands'),
    });
    const fresh = await run('echo apart', { fresh: true });
    expect(fresh.out).toBe('apart\n');
    for (const entry of listProcesses()) {
      if (commandLine(entry.pid) === 'sleep 4000') process.kill(entry.pid);
    }
    await expect
      .poll(async () => run('echo again').then(({ out }) => out, String), { timeout: 10_000 })
      .toBe('again\n');
  });
});

describe('[A28] the folder that a shell and we talk by', () => {
  const swap =
    'cd /run/handrail/io && mv out.1 kept && ln -s /etc/passwd out.1; mv out.0 kept0 && mkfifo out.0; rm -f cmd.0; ls';

  it('cannot be changed by a command: not even the names in it', async () => {
    const { run } = open();
    const before = (await run('ls /run/handrail/io')).out;
    const result = await run(swap);
    expect(result.stderr.text).toContain('Read-only file system');
    expect((await run('ls /run/handrail/io')).out).toBe(before);
    expect((await run('echo intact')).out).toBe('intact\n');
  });

  it('twin: where it can be written, a command puts other pipes in their place and the next ones are silent', async () => {
    const start = (request: BashStart) => startBash({ ...request, isFolderWritable: true });
    const { run } = open({ shell: { shells: { start } } });
    expect((await run(swap)).stderr.text).not.toContain('Read-only');
    const results = await Promise.all([run('echo lost', { timeoutMs: 1000 }), run('echo lost', { timeoutMs: 1000 })]);
    expect(results.map(({ out }) => out)).not.toEqual(['lost\n', 'lost\n']);
  });

  it('is gone with the shell', async () => {
    const { world, run } = open();
    await run('sleep 5000 & echo');
    await world.owner.closeAll();
    const folders = readdirSync(world.stateFolder, { recursive: true }).filter((name) =>
      String(name).includes('shell-io-'),
    );
    expect(folders).toEqual([]);
    expect(readdirSync(join(world.stateFolder, 'sandbox')).filter((name) => name.startsWith('shell-io-'))).toEqual([]);
  });
});

describe('a shell over a long time', () => {
  it('leaves no process, no descriptor and no folder after 100 commands of every kind', async () => {
    const { world, run } = open();
    const mark = newMark();
    await run(`sleep ${mark}9 & :`);
    const before = readdirSync('/proc/self/fd').length;
    const kinds = [
      'true',
      'exit 3',
      `sleep ${mark} & :`,
      'kill -9 $$',
      'echo x | cat',
      `sleep ${mark}`,
      'echo "open',
      `(setsid sleep ${mark} &)`,
      'head -c 100000 /dev/zero',
      'set -e; false',
    ];
    for (let count = 0; count < soak(100); count += 1) {
      const command = kinds[count % kinds.length] ?? 'true';
      const isSlow = command === `sleep ${mark}`;
      await run(command, { timeoutMs: isSlow ? 60 : 20_000 });
    }
    await world.owner.closeAll();
    expect(processesWith(mark)).toEqual([]);
    expect(readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(before);
  });
});
