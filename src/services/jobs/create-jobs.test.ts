import { existsSync, readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { hasEnded, openJobsWorld, processesWith, untilNoProcessWith } from '../../../test/kit/jobs-world.ts';
import { soak } from '../../../test/kit/soak.ts';

const page = { offset: 0, limit: 1000 };

test('[K61][S18] a job runs apart with the same files, and its end, code and log stay', async () => {
  const world = openJobsWorld();
  const job = await world.start('echo out; echo err >&2; echo made >made.txt; pwd; exit 3');
  expect(job).toMatchObject({ sessionId: 'bg-1', cwd: world.workspace, rung: 'namespaces', notes: [] });
  const ended = await world.until('bg-1', hasEnded);
  expect(ended).toMatchObject({ state: 'finished', exitCode: 3, logBytes: 8 + world.workspace.length + 1 });
  expect(existsSync(join(world.workspace, 'made.txt'))).toBe(true);
  const log = await world.of().log('bg-1', page);
  expect(log).toMatchObject({ lines: ['out', 'err', world.workspace], totalLines: 3, hasMore: false, notes: [] });
  expect((await world.of().log('bg-1', page)).nextOffset).toBeUndefined();
});

test('[K64] list, log, kill and remove, each of its own conversation alone', async () => {
  const world = openJobsWorld();
  await world.start('seq 1 100; sleep 1000.1');
  await world.start('exit 0');
  await world.until('bg-2', hasEnded);
  await world.until('bg-1', (job) => job.logBytes === 292);
  const jobs = world.of();
  expect((await jobs.list()).map(({ sessionId, state }) => [sessionId, state])).toEqual([
    ['bg-1', 'running'],
    ['bg-2', 'finished'],
  ]);
  const lines = (await jobs.log('bg-1', { offset: 9, limit: 11 })).lines;
  expect([lines.length, lines[0], lines.at(-1)]).toEqual([11, '10', '20']);
  await expect(jobs.remove('bg-1')).rejects.toMatchObject({ code: 'conflict' });
  // [S05] Another conversation neither sees nor reaches it.
  const other = world.of('c2');
  expect(await other.list()).toEqual([]);
  await expect(other.kill('bg-1')).rejects.toMatchObject({ code: 'not_found' });
  expect(await jobs.kill('bg-1')).toMatchObject({ state: 'killed', exitCode: null });
  expect(await jobs.kill('bg-1')).toMatchObject({ state: 'killed' });
  expect(await jobs.kill('bg-2')).toMatchObject({ state: 'finished', exitCode: 0 });
  await jobs.remove('bg-1');
  await expect(jobs.log('bg-1', page)).rejects.toMatchObject({ code: 'not_found' });
  expect((await jobs.list()).map((job) => job.sessionId)).toEqual(['bg-2']);
  for (const id of ['', 'bg-9', '../c1/bg-2', 'bg-2/..', 'nonsense']) {
    await expect(jobs.remove(id)).rejects.toMatchObject({ code: 'not_found' });
  }
});

test('a kill asks first, and ends everything that the job has started, however it hides', async () => {
  const world = openJobsWorld();
  const [polite, stubborn] = [`${10_000 + process.pid}.11`, `${10_000 + process.pid}.22`];
  await world.start(`trap 'echo bye; exit' TERM; echo ready; sleep ${polite} & wait`);
  await world.until('bg-1', (job) => job.logBytes === 6);
  await world.of().kill('bg-1');
  expect((await world.of().log('bg-1', page)).lines).toEqual(['ready', 'bye']);
  const hiding = `setsid sleep ${stubborn} & (setsid sh -c 'sleep ${stubborn} &' &); nohup sleep ${stubborn} >/dev/null 2>&1 &`;
  await world.start(`trap '' TERM INT HUP; ${hiding} echo ready; while :; do sleep ${stubborn}; done`);
  await world.until('bg-2', (job) => job.logBytes === 6);
  await world.of().kill('bg-2');
  await untilNoProcessWith(polite);
  expect(processesWith(stubborn)).toEqual([]);
});

test('a job that ends takes along what it left behind, and says so', async () => {
  const world = openJobsWorld();
  const mark = `${10_000 + process.pid}.33`;
  await world.start(`setsid sleep ${mark} & echo started`);
  const ended = await world.until('bg-1', hasEnded);
  expect(ended).toMatchObject({ state: 'finished', exitCode: 0 });
  expect(ended.notes?.join()).toContain(`sleep ${mark}`);
  expect(processesWith(mark)).toEqual([]);
});

test('[S31] a slow program shows each line as it prints it, Python too', async () => {
  const world = openJobsWorld();
  await world.start(`python3 -c 'import time; print("from python"); time.sleep(1000)'`);
  await world.start(`sh -c 'echo from sh; sleep 1000'`);
  await world.until('bg-1', (job) => job.logBytes === 12);
  await world.until('bg-2', (job) => job.logBytes === 8);
  expect((await world.of().log('bg-1', page)).lines).toEqual(['from python']);
});

test('what cannot run is refused as in the foreground, and leaves no job behind', async () => {
  const world = openJobsWorld();
  const start = (command: string, more: object = {}) => world.of('c1', command).start({ command, ...more });
  await expect(start('pwd', { workingDir: 'nowhere' })).rejects.toMatchObject({ code: 'not_found' });
  await expect(start(' ')).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(start('a\0b')).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(start('true', { env: { 'no name': 'x' } })).rejects.toMatchObject({ code: 'invalid_input' });
  // [A12] What was decided on must be what runs; the twin is every other test here.
  await expect(world.of('c1', 'true').start({ command: 'false' })).rejects.toMatchObject({ code: 'denied' });
  expect(await world.of().list()).toEqual([]);
});

test('environment, folder and a command of 200 KB arrive', async () => {
  const world = openJobsWorld();
  const command = `cd .. 2>/dev/null; cd "$OLDPWD"; echo "$A $PWD ${'x'.repeat(200_000)}" | wc -c; echo "$A $PWD"`;
  await world.of('c1', command).start({ command, workingDir: '/tmp', env: { A: 'a b' } });
  await world.until('bg-1', hasEnded);
  expect((await world.of().log('bg-1', page)).lines).toEqual(['200010', 'a b /tmp']);
});

test('[S18] the supervisor outlives the program that asked, and leaves after the last job', async () => {
  const world = openJobsWorld();
  expect(world.supervisorPid()).toBeUndefined();
  await world.start('sleep 0.5; echo later');
  const pid = world.supervisorPid();
  await world.owner.close();
  const next = world.again();
  const { log, list } = next.forCall({ callId: 'x', conversation: { id: 'c1', workspace: world.workspace, isThrowaway: false }, granted: [], signal: new AbortController().signal }); // prettier-ignore
  while ((await list()).some((job) => !hasEnded(job))) await sleep(20);
  expect((await log('bg-1', page)).lines).toEqual(['later']);
  expect(pid).toBeGreaterThan(1);
  while (world.supervisorPid() !== undefined) await sleep(20);
  // And another one comes when it is needed again.
  expect((await world.start('true')).sessionId).toBe('bg-2');
});

test('many programs that start jobs at once get one supervisor and numbers of their own', async () => {
  const world = openJobsWorld();
  const owners = Array.from({ length: 5 }, () => world.again());
  const starts = soak(20);
  const command = 'echo hello';
  const started = await Promise.all(
    Array.from({ length: Math.min(starts, 30) }, (_, index) => {
      const conversation = { id: `c${index % 5}`, workspace: world.workspace, isThrowaway: false };
      const granted = [{ kind: 'command', command, cwd: '/', isDangerous: false, isSandboxed: true, heads: [], findings: [] }] as const; // prettier-ignore
      const scope = { callId: 'x', conversation, granted, signal: new AbortController().signal };
      const owner = owners[index % owners.length];
      return owner?.forCall(scope).start({ command });
    }),
  );
  const names = started.map((job, index) => `c${index % 5}/${job?.sessionId}`);
  expect(new Set(names).size).toBe(names.length);
  while ((await world.owner.all.list()).some((job) => !hasEnded(job))) await sleep(20);
  const all = await world.owner.all.list();
  expect(all.map(({ state, exitCode, logBytes }) => [state, exitCode, logBytes])).toEqual(
    names.map(() => ['finished', 0, 6]),
  );
}, 60_000);

test('a call that is called off while the job starts leaves no job', async () => {
  const world = openJobsWorld();
  const mark = `${10_000 + process.pid}.44`;
  const command = `sleep ${mark}`;
  const control = new AbortController();
  const started = world.of('c1', command, { signal: control.signal }).start({ command });
  control.abort(new Error('stopped'));
  await expect(started).rejects.toThrow('stopped');
  await world.owner.all.stopAll();
  await untilNoProcessWith(mark);
  expect((await world.of().list()).filter((job) => !hasEnded(job))).toEqual([]);
});

test('the user sees the jobs of all conversations and ends them all; nothing is left', async () => {
  const world = openJobsWorld();
  const mark = `${10_000 + process.pid}.55`;
  for (const conversation of ['c1', 'c2', 'c2']) await world.start(`sleep ${mark}`, conversation);
  const { all } = world.owner;
  expect((await all.list()).map(({ conversation, sessionId }) => `${conversation}/${sessionId}`)).toEqual(['c1/bg-1', 'c2/bg-1', 'c2/bg-2']); // prettier-ignore
  expect(await all.of('c2').kill('bg-1')).toMatchObject({ state: 'killed' });
  expect(() => all.of('../c2')).toThrow('no jobs');
  expect(await all.stopAll()).toBe(2);
  expect([processesWith(mark), world.supervisorPid(), await all.stopAll()]).toEqual([[], undefined, 0]);
  expect((await all.list()).map((job) => job.state)).toEqual(['killed', 'killed', 'killed']);
});

test('[S07] with its conversation a job goes, and its log', async () => {
  const world = openJobsWorld();
  const mark = `${10_000 + process.pid}.66`;
  await world.start(`sleep ${mark}`);
  await world.start(`sleep ${mark}`, 'other');
  await world.owner.closeConversation('c1');
  await world.owner.closeConversation('never-had-one');
  await world.owner.closeConversation('../other');
  expect(readdirSync(world.jobsFolder).filter((name) => !name.startsWith('.'))).toEqual(['other']);
  expect(processesWith(mark).length).toBeGreaterThan(0);
  expect(statSync(world.jobsFolder).mode & 0o077).toBe(0);
});

test("a state folder with a long path is no hindrance, although a socket's name must be short", async () => {
  const world = openJobsWorld({ stateName: `${'long/'.repeat(40)}${'x'.repeat(120)}` });
  await world.start('echo fine');
  expect(await world.until('bg-1', hasEnded)).toMatchObject({ exitCode: 0 });
});

test('[N07] a job reaches what its conversation was granted and nothing else, since nobody can be asked any more', async () => {
  const server = createServer((_request, response) => response.end('answered'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const world = openJobsWorld({ allowPrivate: [`127.0.0.1:${port}`] });
  const command = `curl -sS --noproxy '' -m 20 http://127.0.0.1:${port}/`;
  const run = async (grantedHosts: () => Promise<readonly string[]>) => {
    const jobs = world.of('c1', command, { grantedHosts });
    const { sessionId } = await jobs.start({ command });
    const { notes = [] } = await world.until(sessionId, hasEnded);
    return { text: (await jobs.log(sessionId, page)).lines.join(), notes: notes.join() };
  };
  const refused = await run(async () => []);
  expect([refused.text, refused.notes]).toEqual([
    expect.not.stringContaining('answered'),
    expect.stringContaining('network: refused'),
  ]);
  expect(await run(async () => ['127.0.0.1'])).toEqual({ text: 'answered', notes: '' });
});

test('[K61] [L17] a host that is refused to a job is named by its log while the job runs', async () => {
  const world = openJobsWorld();
  const curl = "curl -sS --noproxy '' http://host-one.example/; curl -sS --noproxy '' http://host-two.example/";
  const { sessionId } = await world.start(`${curl}; echo told; sleep 1000`);
  const job = await world.until(sessionId, ({ notes = [] }) => notes.length === 2);
  expect(job).toMatchObject({ state: 'running' });
  const refused = ['host-one', 'host-two'].map((name) => expect.stringMatching(`refused ${name}\\.example`));
  expect((await world.of().log(sessionId, page)).notes).toEqual(refused);
  // And not twice at its end.
  const killed = await world.of().kill(sessionId);
  expect(killed).toMatchObject({ state: 'killed', notes: refused });
});

test('a job begins where the shell of its conversation stands, and in the workspace when that is gone', async () => {
  let folder: string | undefined = '/tmp';
  const world = openJobsWorld({ jobs: { currentFolder: async () => folder } });
  expect(await world.start('pwd')).toMatchObject({ cwd: '/tmp', notes: [] });
  folder = join(world.workspace, 'gone');
  expect(await world.start('pwd')).toMatchObject({
    cwd: world.workspace,
    notes: [expect.stringContaining('gone is not there')],
  });
  // What a call itself names is not replaced by anything.
  await expect(world.of('c1', 'pwd').start({ command: 'pwd', workingDir: 'gone' })).rejects.toMatchObject({
    code: 'not_found',
  });
});
