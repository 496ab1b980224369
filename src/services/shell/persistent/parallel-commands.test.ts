/** Several calls of one response, and calls that come while the shell works. */
import { afterEach, describe, expect, it } from 'vitest';
import { openShellWorld, type ShellWorld, type ShellWorldOptions } from '../../../../test/kit/shell-world.ts';
import { newMark, processesWith } from '../../../../test/kit/hang-cases.ts';
import type { ShellRequest } from '../../../contract/services.ts';

const worlds: ShellWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

function open(options: ShellWorldOptions = {}): ShellWorld {
  const world = openShellWorld(options);
  worlds.push(world);
  return world;
}

const alone = (world: ShellWorld, command: string, request: Partial<ShellRequest> = {}) =>
  world.run(command, request, { conversation: 'a' });
const together = (world: ShellWorld, command: string, request: Partial<ShellRequest> = {}) =>
  world.run(command, request, { conversation: 'a', callsTogether: 4 });

describe.each(['namespaces', 'host'] as const)('calls of one response on the rung %s', (rung) => {
  it('[K67] run side by side in copies of the shell: each waits for all others to be there', async () => {
    const world = open({ rung });
    await alone(world, 'cd /tmp; export A=1; f() { echo f$1; }; alias g="echo g"; u=2; mkdir meet-$$; M=$PWD/meet-$$');
    const meet =
      'touch $M/%; until [ $(ls $M | wc -l) = 4 ]; do sleep 0.01; done; pwd; f %; g; echo $A$u$E >&2; exit %';
    const results = await Promise.all(
      [1, 2, 3, 4].map((n) => together(world, meet.replaceAll('%', `${n}`), { env: { E: `${n}` } })),
    );
    for (const [index, result] of results.entries()) {
      const n = index + 1;
      expect(result).toMatchObject({ exitCode: n, stdout: { text: `/tmp\nf${n}\ng\n` }, stderr: { text: `12${n}\n` } });
      expect(result.notes).toEqual([expect.stringContaining('its cd and variables were not kept')]);
    }
    await alone(world, 'rm -r $M');
  });

  it('change nothing in the shell: directory, variables, jobs, the last background process', async () => {
    const world = open({ rung });
    await alone(world, 'cd /tmp; A=1; sleep 3000 & LAST=$!');
    await Promise.all(
      ['cd /usr; A=2; export B=3; sleep 3001 &', 'set -e; false', 'exec true', 'trap "echo t" EXIT'].map((command) =>
        together(world, command),
      ),
    );
    const after = await alone(
      world,
      'pwd; echo $A$B; [ $! = $LAST ] && echo same; jobs | grep -c .; trap -p | grep -v __handrail; echo $-',
    );
    expect(after.stdout.text).toMatch(/^\/tmp\n1\nsame\n1\n[a-zA-Z]+\n$/);
    expect(after.stdout.text).not.toMatch(/e[a-zA-Z]*\n$/);
  });

  it('run in the folder that a call names, and say which one is not there', async () => {
    const world = open({ rung });
    const [here, there, nowhere] = await Promise.allSettled([
      together(world, 'pwd'),
      together(world, 'pwd', { workingDir: '/usr' }),
      together(world, 'pwd', { workingDir: 'nowhere' }),
    ]);
    expect(here).toMatchObject({ value: { stdout: { text: `${world.workspace}\n` } } });
    expect(there).toMatchObject({ value: { stdout: { text: '/usr\n' }, cwd: '/usr' } });
    expect(nowhere).toMatchObject({ status: 'rejected', reason: { code: 'not_found' } });
  });

  it('[S20] [S35] end one by one: the timeout of one touches no other, and hides nothing of its own', async () => {
    const world = open({ rung });
    const mark = newMark();
    await alone(world, `sleep ${mark}0 & :`);
    const [slow, deaf, other] = await Promise.all([
      together(world, `setsid sleep ${mark}1 & (setsid sleep ${mark}2 &); sleep ${mark}3`, { timeoutMs: 400 }),
      together(world, `trap '' INT TERM; sleep ${mark}4; sleep ${mark}5`, { timeoutMs: 400 }),
      together(world, 'sleep 1.5; echo whole'),
    ]);
    expect(slow).toMatchObject({ exitCode: null, timedOut: true });
    expect(deaf).toMatchObject({ exitCode: null, timedOut: true });
    expect(other).toMatchObject({ exitCode: 0, stdout: { text: 'whole\n' } });
    expect(processesWith(mark).map((line) => line.at(-2))).toEqual(['0']);
    expect((await alone(world, 'jobs | grep -c .')).stdout.text).toBe('1\n');
  });

  it('tell their true end also when who waits for them is killed', async () => {
    const world = open({ rung });
    const kill = 'p=$(cut -d" " -f4 /proc/$BASHPID/stat); kill -9 $p; sleep 0.1; kill -9 $BASHPID';
    const [killed, other] = await Promise.all([
      together(world, kill, { timeoutMs: 20_000 }),
      together(world, 'echo on'),
    ]);
    expect(killed).toMatchObject({ exitCode: 137, timedOut: false });
    expect(other).toMatchObject({ exitCode: 0, stdout: { text: 'on\n' } });
    expect((await alone(world, 'echo still')).notes).toEqual([]);
  });

  it('are all told when one of them ends the shell itself', async () => {
    const world = open({ rung });
    const [killer, other] = await Promise.all([
      together(world, 'sleep 0.2; kill -9 $$; sleep 5', { timeoutMs: 15_000 }),
      together(world, 'sleep 10; echo never', { timeoutMs: 15_000 }),
    ]);
    for (const result of [killer, other]) expect(result).toMatchObject({ exitCode: 137, timedOut: false });
    expect([...killer.notes, ...other.notes].filter((note) => note.includes('ended while'))).toHaveLength(1);
    expect((await alone(world, 'echo still')).stdout.text).toBe('still\n');
  });
});

describe('a call that comes while the shell works', () => {
  it('waits for its turn in the order of coming, and its time begins with it', async () => {
    const world = open();
    const results = await Promise.all([
      alone(world, 'sleep 0.8; ORDER=1'),
      alone(world, 'ORDER=${ORDER}2; sleep 0.1', { timeoutMs: 600 }),
      alone(world, 'echo ${ORDER}3', { timeoutMs: 600 }),
    ]);
    expect(results[2]).toMatchObject({ exitCode: 0, stdout: { text: '123\n' }, timedOut: false });
    expect(results[1].timedOut).toBe(false);
  });

  it('can be called off while it waits, and the next one still gets its turn', async () => {
    const world = open();
    const stop = new AbortController();
    const first = alone(world, 'sleep 0.6');
    const second = world.run('echo never >here', {}, { conversation: 'a', signal: stop.signal });
    const third = alone(world, 'ls');
    stop.abort();
    await expect(second).rejects.toMatchObject({ code: 'cancelled' });
    await first;
    expect((await third).stdout.text).toBe('');
  });

  it('[S14] does not wait for the shell of another conversation', async () => {
    const world = open();
    let isOver = false;
    const slow = world.run('sleep 2', {}, { conversation: 'b' }).then(() => (isOver = true));
    expect((await alone(world, 'echo at once')).stdout.text).toBe('at once\n');
    expect(isOver).toBe(false);
    await slow;
  });
});
