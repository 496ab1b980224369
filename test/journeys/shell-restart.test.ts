/** A conversation's shell over the ends of the real program: between two runs, after a crash of it, after a kill. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createProgramWorld, type ProgramWorld } from '../kit/program.ts';
import { callTool } from '../kit/tool-call.ts';

const flags = ['--conversation', 'c1'];

async function shell(world: ProgramWorld, command: string, conversation = flags) {
  const { outcome } = await callTool(world, 'bash', { command }, { flags: conversation });
  const data = (outcome.data ?? {}) as Record<string, unknown>;
  const notes = (data['notes'] ?? []) as readonly string[];
  return { outcome, stdout: data['stdout'], code: data['exit_code'], note: notes.join('\n') };
}

test('[S33] two runs with the same conversation share directory and exports, and the second says what is lost', async () => {
  const world = createProgramWorld();
  expect((await shell(world, 'mkdir sub; cd sub; export A="x y"; f() { :; }; sleep 700 & :')).note).toContain(
    'sleep 700',
  );
  await world.untilQuiet();
  const second = await shell(world, 'pwd; echo "$A"; type f');
  expect(second).toMatchObject({ stdout: `${world.workspace}/sub\nx y\n`, code: 1 });
  expect(second.note).toBe(
    `The shell of this conversation was started anew. Kept: the directory ${world.workspace}/sub and the exported variable A. Lost: the function f; 1 background process.`,
  );
});

test('[S03] [S09] another conversation, and none at all, see nothing of it; no argument of a call names one', async () => {
  const world = createProgramWorld();
  await shell(world, 'cd /tmp; export A=1');
  for (const other of [['--conversation', 'c2'], []]) {
    expect(await shell(world, 'pwd; echo "[$A]"', other)).toMatchObject({
      stdout: `${world.workspace}\n[]\n`,
      note: '',
    });
  }
  const { outcome } = await callTool(
    world,
    'bash',
    { command: 'pwd', conversation: 'c1' },
    { flags: ['--conversation', 'c2'] },
  );
  expect(outcome.error?.code).toBe('invalid_input');
});

test('[S22] [S23] what a command does to its shell costs no other run its directory and exports', async () => {
  const world = createProgramWorld();
  await shell(world, 'cd /tmp; export A=1');
  for (const [command, code] of [
    ['exit 3', 3],
    ['kill -9 $$', 137],
    ['exec false', 1],
    ['set -e; false', 1],
  ] as const) {
    expect(await shell(world, command)).toMatchObject({ code });
    expect(await shell(world, 'pwd; echo $A')).toMatchObject({ stdout: '/tmp\n1\n' });
  }
});

test('[S33] the program killed with -9 while a command runs: nothing is left, and the next run goes on where the last command ended', async () => {
  const world = createProgramWorld();
  await shell(world, 'mkdir sub; cd sub; export A=1');
  const command = 'export B=2; setsid sleep 701 & (setsid sleep 702 &); touch started; sleep 703';
  const input = JSON.stringify({ command });
  const live = world.start(['run', 'bash', input, ...flags, '--workspace', world.workspace, '--approve', 'all']);
  await expect.poll(() => existsSync(path.join(world.workspace, 'sub/started')), { timeout: 20_000 }).toBe(true);
  live.kill('SIGKILL');
  await live.ended;
  await world.untilQuiet();
  const next = await shell(world, 'pwd; echo "$A[$B]"');
  expect(next).toMatchObject({ stdout: `${world.workspace}/sub\n1[]\n` });
  expect(next.note).toContain('Kept: the directory');
  const folders = readdirSync(world.stateFolder, { recursive: true }).map(String);
  expect(folders.filter((name) => name.includes('shell-io-'))).toEqual([]);
});
