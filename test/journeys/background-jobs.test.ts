/** Background jobs through the real program: each run of it is a process of its own, and the jobs outlive all of them. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findSupervisor, processesWith, untilNoProcessWith } from '../kit/jobs-world.ts';
import { startModelServer } from '../kit/model-server.ts';
import { runWithMounts } from '../kit/private-mounts.ts';
import { createProgramWorld, type ProgramWorld } from '../kit/program.ts';
import { expectOutcome } from '../kit/tool-call.ts';

type Job = { readonly session_id: string; readonly status: string; readonly exit_code: number | null };
type Listed = { readonly running: readonly Job[]; readonly finished: readonly Job[]; readonly total: number };

function openWorld() {
  const world = createProgramWorld();
  // The tests' own end: whatever a failure has left running.
  onTestFinished(async () => void (await world.run(['jobs', 'stop-all'])));
  const call = async (tool: string, input: object, ...flags: string[]) =>
    expectOutcome(await world.run(['run', tool, JSON.stringify(input), '--json', ...flags]));
  const list = async (...flags: string[]): Promise<Listed> =>
    (await call('manage_process', { action: 'list' }, ...flags)).data as Listed;
  const start = async (command: string, ...flags: string[]): Promise<string> => {
    const outcome = await call('execute_shell_command', { command, background: true }, ...flags);
    expect(outcome).toMatchObject({ ok: true, data: { session_id: expect.stringMatching(/^bg-\d+$/u) } });
    return (outcome.data as Job).session_id;
  };
  const untilEnded = async (id: string, ...flags: string[]): Promise<Job> => {
    for (;;) {
      const found = (await list(...flags)).finished.find((job) => job.session_id === id);
      if (found !== undefined) return found;
      await sleep(50);
    }
  };
  return {
    world,
    call,
    list,
    start,
    untilEnded,
    supervisor: () => findSupervisor(path.join(world.stateFolder, 'jobs')),
  };
}

describe.each([
  { name: 'without a conversation', flags: [] },
  { name: 'in a conversation', flags: ['--conversation', 'mine'] },
])('$name', ({ flags }) => {
  test('[K61][K64] a job is started, listed, read, killed and removed by processes of their own', async () => {
    const { call, list, start, untilEnded } = openWorld();
    const first = await start('seq 1 100; sleep 1000', ...flags);
    const second = await start('echo ready', ...flags);
    expect(await untilEnded(second, ...flags)).toMatchObject({ status: 'finished', exit_code: 0 });
    expect(await list(...flags)).toMatchObject({
      running: [{ session_id: first }],
      finished: [{ session_id: second }],
      total: 2,
    });
    const manage = (action: string, more: object = {}) =>
      call('manage_process', { action, session_id: first, ...more }, ...flags);
    let log = await manage('log', { offset: 9, limit: 11 });
    while ((log.data as { total_stdout_lines: number }).total_stdout_lines < 100)
      log = await manage('log', { offset: 9, limit: 11 });
    const lines = Array.from({ length: 11 }, (_, index) => `${10 + index}`);
    expect(log.data).toMatchObject({
      stdout: lines.join('\n'),
      total_stdout_lines: 100,
      next_offset: 20,
      status: 'running',
    });
    expect(await manage('remove')).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(await manage('kill')).toMatchObject({ ok: true, data: { status: 'killed', exit_code: null } });
    expect(await manage('remove')).toMatchObject({ ok: true });
    expect(await manage('log')).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect((await list(...flags)).total).toBe(1);
  }, 60_000);
});

test('[S18][S32] a job writes for seconds after the turn and the program that started it have ended', async () => {
  const { world, call, untilEnded } = openWorld();
  const server = await startModelServer({
    dialect: 'openai-chat',
    turns: [
      {
        calls: [
          {
            name: 'execute_shell_command',
            input: {
              command: 'for i in 1 2 3 4 5 6; do echo tick $i | tee -a ticks.txt; sleep 1; done',
              background: true,
            },
          },
        ],
      },
      { text: 'Started.' },
    ],
  });
  onTestFinished(() => server.close());
  const env = { OPENAI_BASE_URL: server.url, HANDRAIL_MODEL: 'openai-chat/test' };
  const asked = await world.run(['ask', 'tick for me', '--json', '--conversation', 'turn'], { env });
  expect(asked.events.at(-1), asked.stderr).toMatchObject({ type: 'turn-end', answer: 'Started.' });
  expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('Started in the background as bg-1');
  const atTheEnd = world.read('ticks.txt').split('\n').length;
  expect(await untilEnded('bg-1', '--conversation', 'turn')).toMatchObject({ exit_code: 0 });
  expect(atTheEnd).toBeLessThan(6);
  const log = await call('manage_process', { action: 'log', session_id: 'bg-1' }, '--conversation', 'turn');
  expect(log.data).toMatchObject({ stdout: [1, 2, 3, 4, 5, 6].map((tick) => `tick ${tick}`).join('\n') });
}, 60_000);

test('[S33] kill -9 of the program while jobs run: the next start finds them and can end them', async () => {
  const { world, list, start, call } = openWorld();
  const mark = `${30_000 + process.pid}.1`;
  const flags = ['--conversation', 'c'];
  await start(`setsid sleep ${mark} & sleep ${mark}`, ...flags);
  // A program that is busy with a command of its own when it is killed.
  const busy = world.start(['run', 'bash', '{"command":"echo begun; sleep 1000"}', '--conversation', 'c']);
  while (processesWith('1000').length === 0) await sleep(20);
  busy.kill('SIGKILL');
  await busy.ended;
  expect((await list(...flags)).running).toMatchObject([{ session_id: 'bg-1' }]);
  expect(processesWith(mark).length).toBeGreaterThan(0);
  expect(await call('manage_process', { action: 'kill', session_id: 'bg-1' }, ...flags)).toMatchObject({
    data: { status: 'killed' },
  });
  expect(processesWith(mark)).toEqual([]);
}, 60_000);

test('kill -9 of the supervisor: nothing of its jobs is left, and they are reported as lost', async () => {
  const { list, start, supervisor } = openWorld();
  const mark = `${30_000 + process.pid}.2`;
  await start(`setsid sleep ${mark} & trap '' TERM; sleep ${mark}`);
  process.kill(supervisor() ?? 0, 'SIGKILL');
  await untilNoProcessWith(mark);
  expect(await list()).toMatchObject({
    running: [],
    finished: [{ session_id: 'bg-1', status: 'lost', exit_code: null }],
  });
  expect(await start('true')).toBe('bg-2');
}, 60_000);

test('the user lists, reads and ends the jobs of all conversations', async () => {
  const { world, start, supervisor } = openWorld();
  const mark = `${30_000 + process.pid}.3`;
  const jobs = (...args: string[]) => world.run(['jobs', ...args]);
  expect(await jobs()).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('no background jobs') });
  await start(`seq 1 5000; printf 'no end'; sleep ${mark}`, '--conversation', 'one');
  await start(`sleep ${mark}`, '--conversation', 'two');
  await start(`sleep ${mark}`);
  const listed = JSON.parse((await jobs('list', '--json')).stdout) as {
    jobs: readonly { id: string; state: string }[];
  };
  expect(listed.jobs.map(({ id, state }) => `${id} ${state}`)).toEqual([
    expect.stringMatching(/^_workspace-[0-9a-f]{12}\/bg-1 running$/u),
    'one/bg-1 running',
    'two/bg-1 running',
  ]);
  expect((await jobs()).stdout).toContain('two/bg-1  running');
  let log = await jobs('log', 'one/bg-1');
  while (!log.stdout.endsWith('no end\n')) log = await jobs('log', 'one/bg-1');
  expect(log.stdout).toBe(`${Array.from({ length: 5000 }, (_, index) => index + 1).join('\n')}\nno end\n`);
  expect((await jobs('log', 'one/bg-1', '--offset', '9', '--limit', '2')).stdout).toBe('10\n11\n');
  expect(await jobs('log', 'bg-1')).toMatchObject({ code: 2, stderr: expect.stringContaining('one/bg-1, two/bg-1') });
  expect(await jobs('kill', 'nothing/bg-1')).toMatchObject({ code: 2 });
  expect(await jobs('log', 'one/bg-1', '--offset', '-1')).toMatchObject({ code: 2 });
  expect(await jobs('kill', 'two/bg-1')).toMatchObject({ code: 0, stderr: 'Ended two/bg-1.\n' });
  expect(await jobs('kill', 'two/bg-1')).toMatchObject({ code: 0, stderr: 'two/bg-1 had ended already (killed).\n' });
  expect(await jobs('stop-all')).toMatchObject({ code: 0, stderr: 'Ended 2 background jobs.\n' });
  expect([processesWith(mark), supervisor()]).toEqual([[], undefined]);
}, 90_000);

test('[S18] a job begins where the shell of its conversation stands, with none of its variables', async () => {
  const { world, call, start, untilEnded } = openWorld();
  const flags = ['--conversation', 'c'];
  await call('bash', { command: 'mkdir sub && cd sub && export A=1 && f() { echo hi; }' }, ...flags);
  const id = await start('pwd; echo "A=$A"; f', ...flags);
  expect(await untilEnded(id, ...flags)).toMatchObject({ exit_code: 127 });
  const log = await call('manage_process', { action: 'log', session_id: id }, ...flags);
  expect(log.data).toMatchObject({
    stdout: expect.stringMatching(`^${world.workspace}/sub\nA=\n.*f: command not found$`),
  });
}, 60_000);

test('[S07] a conversation that is removed takes its jobs and their logs along', async () => {
  const { world, start } = openWorld();
  const mark = `${30_000 + process.pid}.4`;
  await start(`sleep ${mark}`, '--conversation', 'gone');
  const log = path.join(world.stateFolder, 'jobs/gone/bg-1/state.json');
  expect(existsSync(log)).toBe(true);
  expect(await world.run(['conversations', 'remove', 'gone'])).toMatchObject({ code: 0 });
  expect([processesWith(mark), existsSync(log)]).toEqual([[], false]);
}, 60_000);

const both = ['execute_shell_command', 'manage_process'];

async function offeredWith(world: ProgramWorld, settings: object): Promise<readonly string[]> {
  world.writeSettings(settings);
  const { stdout } = await world.run(['tools', '--json', '--offered']);
  const names = (JSON.parse(stdout) as readonly { name: string }[]).map(({ name }) => name);
  return names.filter((name) => both.includes(name));
}

test('[K63] the tool for jobs is there exactly when the shell is', async () => {
  const { world, call } = openWorld();
  const offered = (settings: object) => offeredWith(world, settings);
  expect(await offered({})).toEqual(both);
  const off = [
    { tool_enabled_execute_shell_command: false },
    { tool_enabled_bash: false },
    { tools: { disallowed: ['bash'] } },
    { tools: { allowed: ['read_file'] } },
    { features: { sandbox: false } },
  ];
  for (const settings of off) expect([settings, await offered(settings)]).toEqual([settings, []]);
  expect(await call('manage_process', { action: 'list' })).toMatchObject({ ok: false, error: { code: 'denied' } });
  expect(await offered({ tools: { allowed: ['bash'] } })).toEqual(both);
});

test.each([
  { settings: { sandbox: { rung: 'host' } }, names: [] },
  { settings: { sandbox: { rung: 'host' }, tool_enabled_execute_shell_command: true }, names: both },
])('[K63] so it is where the rung decides: $settings', async ({ settings, names }) => {
  expect(await offeredWith(createProgramWorld(), settings)).toEqual(names);
});

test('a disk that gets full stops neither a job nor what is known of it', async () => {
  const { world } = openWorld();
  const disk = path.join(world.stateFolder, 'jobs');
  const result = path.join(world.root, 'result.json');
  const fill = 'head -c 3000000 /dev/zero | tr "\\\\0" "x"; echo; echo end; exit 5';
  // The private mount is gone with its last process, so the jobs are looked at from within.
  const script = `
    set -e
    mkdir -p ${disk}; mount -t tmpfs -o size=1m,mode=700 tmpfs ${disk}
    "$H" run bash '{"command":${JSON.stringify(fill).replaceAll("'", String.raw`'\''`)},"background":true}' --json
    for i in $(seq 1 300); do
      "$H" run manage_process '{"action":"log","session_id":"bg-1","limit":1}' --json >${result}
      grep -q '"status":"running"' ${result} || break
      sleep 0.1
    done
    "$H" run bash '{"command":"true","background":true}' --json >${result}.2 || true
    "$H" jobs stop-all`;
  const end = await runWithMounts(world, script);
  expect([end.code, end.stderr]).toEqual([0, expect.stringContaining('Ended')]);
  const { data } = JSON.parse(readFileSync(result, 'utf8')) as { data: Record<string, unknown> };
  expect(data).toMatchObject({ status: 'finished', exit_code: 5, stdout_length: 3_000_005, total_stdout_lines: 2 });
  expect(JSON.stringify(data['notes'])).toContain('bytes were not kept: the disk had no room');
  expect(readFileSync(`${result}.2`, 'utf8')).toContain('disk is full');
}, 90_000);

test('100 MB of output run through in bounded space, counted to the last line', async () => {
  const { world, start, untilEnded, call } = openWorld();
  const id = await start('yes handrail | head -c 100000008; echo; echo last');
  expect(await untilEnded(id)).toMatchObject({ exit_code: 0, stdout_length: 100_000_014 });
  const log = await call('manage_process', { action: 'log', session_id: id, offset: 11_111_112, limit: 5 });
  expect(log.data).toMatchObject({ stdout: '\nlast', total_stdout_lines: 11_111_114 });
  const folder = path.join(world.stateFolder, 'jobs');
  const size = Number((await runWithMounts(world, `du -sk ${folder} | cut -f1`)).stdout);
  expect(size).toBeLessThan(13 * 1024);
}, 90_000);
