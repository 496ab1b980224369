import { closeSync, openSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  findSupervisor,
  hasEnded,
  openJobsWorld,
  processesWith,
  startNode,
  untilNoProcessWith,
} from '../../../test/kit/jobs-world.ts';
import { identityOf } from '../../base/process-identity.ts';
import { companionPlace, socketPath } from '../companion-process/companion-place.ts';
import { supervisorFolder } from './call-supervisor.ts';

const hiding = (mark: string): string =>
  `setsid sleep ${mark} & (setsid sh -c 'trap "" TERM HUP; sleep ${mark}; :' &); trap '' TERM; sleep ${mark}; sleep ${mark}`;

async function killSupervisor(pid: number | undefined): Promise<void> {
  if (pid === undefined) throw new Error('no supervisor runs');
  process.kill(pid, 'SIGKILL');
  while (identityOf(pid) !== undefined) await sleep(5);
}

test('a supervisor that is killed takes its jobs along, and they are known as lost', async () => {
  const world = openJobsWorld();
  const mark = `${20_000 + process.pid}.1`;
  await world.start(`echo before; ${hiding(mark)}`);
  await world.until('bg-1', (job) => job.logBytes === 7);
  await killSupervisor(world.supervisorPid());
  await untilNoProcessWith(mark);
  const [lost] = await world.of().list();
  expect(lost).toMatchObject({ state: 'lost', exitCode: null });
  expect(lost?.notes?.join()).toContain('how it ended is not known');
  expect((await world.of().log('bg-1', { offset: 0, limit: 9 })).lines).toEqual(['before']);
  expect(await world.of().kill('bg-1')).toMatchObject({ state: 'lost' });
  await world.of().remove('bg-1');
  // The next one gets its place, socket and all.
  expect((await world.start('true')).sessionId).toBe('bg-2');
  expect(await world.until('bg-2', hasEnded)).toMatchObject({ exitCode: 0 });
});

test('the twin: without the tie to its parent a job outlives its supervisor', async () => {
  const world = openJobsWorld({
    jobs: { programFile: resolve(import.meta.dirname, '../../../test/fixtures/supervise-untied.ts') },
  });
  const mark = `${20_000 + process.pid}.6`;
  await world.start(`echo before; sleep ${mark}`);
  await world.until('bg-1', (job) => job.logBytes === 7);
  while (processesWith(mark).length === 0) await sleep(5);
  const supervisor = findSupervisor(world.jobsFolder, 'supervise-untied');
  await killSupervisor(supervisor);
  expect((await world.of().list())[0]).toMatchObject({ state: 'lost' });
  // Longer than the kernel needs where the tie is there: the test before this one waits for nothing else.
  await sleep(1_000);
  const alive = processesWith(mark);
  expect(alive.length).toBeGreaterThan(0);
  for (const pid of alive) process.kill(pid, 'SIGKILL');
  await untilNoProcessWith(mark);
});

test('where no namespace holds a job, what is left of it is looked for by its mark', async () => {
  const world = openJobsWorld({ rung: 'host' });
  const mark = `${20_000 + process.pid}.2`;
  await world.start(`echo before; ${hiding(mark)}`);
  await world.until('bg-1', (job) => job.logBytes === 7);
  while (processesWith(mark).length === 0) await sleep(5);
  await killSupervisor(world.supervisorPid());
  expect(processesWith(mark).length).toBeGreaterThan(0);
  const [lost] = await world.of().list();
  expect(lost).toMatchObject({ state: 'lost', rung: 'host' });
  expect(lost?.notes?.join()).toContain('of its processes still ran and were ended');
  await untilNoProcessWith(mark);
});

test('on the host rung jobs start, print and are killed with all their children', async () => {
  const world = openJobsWorld({ rung: 'host' });
  const mark = `${20_000 + process.pid}.3`;
  const job = await world.start(`echo here; ${hiding(mark)}`);
  expect(job).toMatchObject({ rung: 'host', state: 'running' });
  await world.until('bg-1', (each) => each.logBytes === 5);
  expect(await world.of().kill('bg-1')).toMatchObject({ state: 'killed' });
  expect(processesWith(mark)).toEqual([]);
});

test('asked to end, the supervisor ends its jobs in order and writes down how', async () => {
  const world = openJobsWorld();
  const mark = `${20_000 + process.pid}.4`;
  await world.start(`sleep ${mark}`);
  const pid = world.supervisorPid();
  if (pid === undefined) throw new Error('no supervisor runs');
  // A terminal that is closed is no reason.
  process.kill(pid, 'SIGHUP');
  process.kill(pid, 'SIGTERM');
  expect(await world.until('bg-1', hasEnded)).toMatchObject({ state: 'killed' });
  expect(processesWith(mark)).toEqual([]);
});

test('a state folder that is removed takes its jobs and their supervisor along', async () => {
  const world = openJobsWorld();
  const mark = `${20_000 + process.pid}.5`;
  await world.start(`sleep ${mark}`);
  rmSync(world.jobsFolder, { recursive: true, force: true });
  await untilNoProcessWith(mark);
  while (world.supervisorPid() !== undefined) await sleep(20);
  expect(await world.of().list()).toEqual([]);
});

test('a socket that is removed is made again, so that the jobs can be reached', async () => {
  const world = openJobsWorld();
  await world.start('sleep 1000');
  const { folder } = companionPlace(supervisorFolder(world.jobsFolder));
  rmSync(join(folder, 'socket'));
  while (!readdirSync(folder).includes('socket')) await sleep(20);
  expect(await world.of().kill('bg-1')).toMatchObject({ state: 'killed' });
});

test('a supervisor that is stopped in its tracks is answered with what to do, and its jobs are still running', async () => {
  const world = openJobsWorld();
  await world.start('sleep 1000');
  const pid = world.supervisorPid() ?? 0;
  process.kill(pid, 'SIGSTOP');
  try {
    expect(await world.of().list()).toMatchObject([{ state: 'running' }]);
    await expect(world.of().kill('bg-1')).rejects.toMatchObject({ code: 'busy' });
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  expect(await world.of().kill('bg-1')).toMatchObject({ state: 'killed' });
}, 60_000);

test('whoever says nonsense to the supervisor harms nobody', async () => {
  const world = openJobsWorld();
  await world.start('sleep 1000');
  const handle = openSync(companionPlace(supervisorFolder(world.jobsFolder)).folder, 'r');
  const texts = [
    'nonsense\n',
    '{"op":"start"}\n',
    '{"op":"kill","conversation":"../c1","sessionId":"bg-1"}\n',
    '',
    '\n\n\n',
  ];
  for (const text of texts) {
    const socket = createConnection(socketPath(handle));
    await new Promise<void>((resolve) => socket.once('data', () => resolve()));
    socket.end(text);
    socket.resume();
    await new Promise((resolve) => socket.once('close', resolve));
  }
  closeSync(handle);
  expect(await world.of().list()).toMatchObject([{ state: 'running' }]);
});

test('a supervisor that cannot start is said so with its reason, and nothing is kept', async () => {
  const world = openJobsWorld();
  const broken = join(world.base, 'broken.process.mjs');
  writeFileSync(broken, 'throw new TypeError("no such thing");\n');
  const owner = world.again({ programFile: broken });
  const scope = { callId: 'x', conversation: { id: 'c1', workspace: world.workspace, isThrowaway: false }, granted: [{ kind: 'command', command: 'true', cwd: '/', isDangerous: false, isSandboxed: true, heads: [], findings: [] }], signal: new AbortController().signal } as const; // prettier-ignore
  const failure = { code: 'unavailable', message: expect.stringContaining('TypeError: no such thing') };
  await expect(owner.forCall(scope).start({ command: 'true' })).rejects.toMatchObject(failure);
  // A link in place of the log is not written through.
  const { logFile } = companionPlace(supervisorFolder(world.jobsFolder));
  rmSync(logFile);
  const target = join(world.base, 'target.txt');
  writeFileSync(target, 'mine');
  symlinkSync(target, logFile);
  await expect(owner.forCall(scope).start({ command: 'true' })).rejects.toMatchObject({ code: 'unavailable' });
  expect(readFileSync(target, 'utf8')).toBe('mine');
});

test('no key of ours reaches the supervisor', async () => {
  const name = 'HANDRAIL_TEST_API_KEY';
  process.env[name] = 'Canary-jobs';
  try {
    const world = openJobsWorld();
    await world.start('sleep 1000');
    const environment = readFileSync(`/proc/${world.supervisorPid()}/environ`, 'utf8');
    expect(environment).not.toContain('Canary-jobs');
    const child = startNode(['-e', 'setTimeout(() => {}, 60000)']);
    while (!readFileSync(`/proc/${child.pid}/environ`, 'utf8').includes('Canary-jobs')) await sleep(5);
    child.kill('SIGKILL');
  } finally {
    delete process.env[name];
  }
});
