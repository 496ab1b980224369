/** Commands without a sandbox: what is refused there, and how far escaped processes are hunted. */
import { existsSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { openShellWorld, type ShellWorld, type ShellWorldOptions } from '../../../test/kit/shell-world.ts';
import { type ControlGroup, createControlGroup } from '../limits/control-group.ts';
import { commandLine, listProcesses } from './process-tree.ts';

const worlds: ShellWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

function open(options: ShellWorldOptions = {}): ShellWorld {
  const world = openShellWorld({ rung: 'host', ...options });
  worlds.push(world);
  return world;
}

const livingWith = (mark: string): string[] =>
  listProcesses()
    .filter((entry) => !entry.isZombie)
    .map((entry) => commandLine(entry.pid))
    .filter((line) => line.includes(mark));

const newMark = (): string => `${100_000 + Math.floor(Math.random() * 899_999)}.${process.pid}`;

describe('a command on the host rung', () => {
  it('runs as we do, in the folder and with the variables of the request', async () => {
    const world = open();
    const result = await world.run('id -u; pwd; echo $A', { env: { A: '1' }, workingDir: '/tmp' });
    expect(result).toMatchObject({ exitCode: 0, rung: 'host', cwd: '/tmp' });
    expect(result.stdout.text).toBe(`${process.geteuid?.()}\n/tmp\n1\n`);
  });

  it('[A49] does not get our keys', async () => {
    const environment = { ...process.env, ANTHROPIC_API_KEY: 'canary-7f3a' };
    expect((await open({ environment }).run('env | grep -c canary')).stdout.text).toBe('0\n');
  });

  it('[K66] keeps 30,000 characters of each stream', async () => {
    const result = await open().run('seq 1 20000; seq 1 20000 >&2');
    expect(result.stdout.text.length).toBeGreaterThan(29_000);
    expect(result.stdout.text.length).toBeLessThanOrEqual(30_000);
    expect(result.stderr.text.length).toBeGreaterThan(29_000);
  });

  it.each([
    'PATH',
    'LD_PRELOAD',
    'LD_LIBRARY_PATH',
    'DYLD_INSERT_LIBRARIES',
    'DYLD_LIBRARY_PATH',
    'DYLD_FRAMEWORK_PATH',
    'BASH_ENV',
  ])('[K60] cannot be given %s', async (name) => {
    await expect(open().run('true', { env: { [name]: 'x' } })).rejects.toMatchObject({
      code: 'denied',
      message: expect.stringContaining(name),
    });
  });

  it('[K60] twin: without the guard the variable decides what runs', async () => {
    const world = open({ shell: { isForbiddenName: () => false } });
    expect((await world.run('ls', { env: { PATH: '/nowhere' } })).exitCode).toBe(127);
  });

  it('says when the folder is not there', async () => {
    await expect(open().run('pwd', { workingDir: 'nowhere' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('takes a megabyte of command', async () => {
    const result = await open().run(`# ${'x'.repeat(1_000_000)}\necho long; exit 8`);
    expect(result).toMatchObject({ exitCode: 8, stdout: { text: 'long\n' } });
  });
});

describe.each([
  ['with a control group where there is one', {}],
  ['without a control group', { createGroup: () => undefined }],
])('what a command leaves behind, %s,', (_title, shell) => {
  it.each([
    ['in the background', 'sleep MARK & echo up'],
    ['in a session of its own', 'setsid sleep MARK & echo up'],
    [
      'forked twice into a session of its own',
      '(setsid setsid sh -c "sleep MARK" >/dev/null 2>&1 </dev/null &); echo up',
    ],
    [
      'with an empty environment and none of our streams',
      '(setsid env -i sh -c "sleep MARK" >/dev/null 2>&1 </dev/null &); echo up',
    ],
    ['with an empty environment but our streams', '(setsid env -i sh -c "sleep MARK" &); echo up'],
  ])('is ended and named: %s', async (_how, command) => {
    const mark = newMark();
    const result = await open({ shell }).run(command.replaceAll('MARK', mark));
    expect(result).toMatchObject({ exitCode: 0, stdout: { text: 'up\n' } });
    expect(result.notes.join()).toMatch(/background process(es were| was) ended when the command finished: .*sleep/);
    expect(livingWith(mark)).toEqual([]);
  });

  it('is ended at the timeout, also what ignores signals in sessions of its own', async () => {
    const mark = newMark();
    const command = `for i in 1 2 3; do setsid sh -c "trap '' INT TERM; sleep ${mark}" & done; wait`;
    const result = await open({ shell }).run(command, { timeoutMs: 300 });
    expect(result).toMatchObject({ timedOut: true, exitCode: null });
    expect(livingWith(mark)).toEqual([]);
  });
});

it('no control group is left', async () => {
  const groups: ControlGroup[] = [];
  const createGroup = (name: string): ControlGroup | undefined => {
    const group = createControlGroup(name);
    if (group !== undefined) groups.push(group);
    return group;
  };
  const world = open({ shell: { createGroup } });
  await world.run('sleep 300 & true');
  await world.run('sleep 300', { timeoutMs: 100 });
  await expect(world.run('true', { workingDir: 'nowhere' })).rejects.toThrow();
  expect(groups.filter((group) => existsSync(group.entrance))).toEqual([]);
});
