import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openJobsWorld, type JobsWorld } from '../../../test/kit/jobs-world.ts';
import { createPipePool } from '../shell/pipe-pool.ts';
import { listSessions } from './job-folders.ts';
import { identityOf } from '../../base/process-identity.ts';
import type { JobAnswer } from './protocol.ts';
import { createStarters } from './starters.ts';
import { createSupervisor, type JobLimits, jobLimits, type JobSupervisor } from './supervisor.ts';

type Supervised = { readonly world: JobsWorld; readonly supervisor: JobSupervisor; start(command: string, conversation?: string): Promise<JobAnswer> }; // prettier-ignore

/** In our own process, so that its limits can be chosen. */
function supervise(limits: JobLimits): Supervised {
  const world = openJobsWorld();
  const own = identityOf(process.pid);
  if (own === undefined) throw new Error('no /proc');
  const pool = createPipePool();
  const supervisor = createSupervisor({
    jobsFolder: world.jobsFolder,
    identity: { ...own, id: randomUUID() },
    starterFor: createStarters(pool),
    pool,
    shadowed: [],
    now: () => new Date(),
    limits,
  });
  onTestFinished(async () => {
    await supervisor.handle({ op: 'stop' }, () => true);
    pool.close();
  });
  const { workspace, sources } = world;
  const start: Supervised['start'] = (command, conversation = 'c1') =>
    supervisor.handle(
      {
        op: 'start',
        conversation,
        conversationId: conversation,
        workspace,
        command,
        env: {},
        rung: 'namespaces',
        sources,
      },
      () => true,
    );
  return { world, supervisor, start };
}

const outcomes = async (starts: readonly Promise<JobAnswer>[]): Promise<readonly string[]> =>
  (await Promise.allSettled(starts)).map((each) =>
    each.status === 'fulfilled' ? 'started' : (each.reason as { code: string }).code,
  );

test('at most so many jobs run in one conversation and in all, however fast they are asked for', async () => {
  const { start, supervisor } = supervise({ ...jobLimits, perConversation: 2, inAll: 3 });
  const first = await outcomes([start('sleep 100'), start('sleep 100'), start('sleep 100')]);
  expect(first).toEqual(['started', 'started', 'busy']);
  await expect(start('true')).rejects.toThrow(/bg-1, bg-2.*Kill/u);
  expect(await outcomes([start('sleep 100', 'c2'), start('sleep 100', 'c2')])).toEqual(['started', 'busy']);
  await expect(start('true', 'c3')).rejects.toThrow('handrail jobs');
  // One that has ended makes room.
  await supervisor.handle({ op: 'kill', conversation: 'c1', sessionId: 'bg-1' }, () => true);
  expect(await outcomes([start('sleep 100')])).toEqual(['started']);
  expect(supervisor.runningCount()).toBe(3);
});

test('the twin: with a higher limit the same attempts all start', async () => {
  const { start, supervisor } = supervise({ ...jobLimits, perConversation: 4, inAll: 6 });
  const starts = ['c1', 'c1', 'c1', 'c2', 'c2'].map((conversation) => start('sleep 100', conversation));
  expect(await outcomes(starts)).toEqual(starts.map(() => 'started'));
  expect(supervisor.runningCount()).toBe(5);
});

test('of those that have ended the newest are kept, and none that runs is ever dropped', async () => {
  const { start, supervisor, world } = supervise({ ...jobLimits, endedKept: 2 });
  await start('sleep 100');
  for (let each = 0; each < 4; each += 1) {
    await start('true');
    while (supervisor.runningCount() > 1) await sleep(10);
  }
  expect(listSessions(world.jobsFolder, 'c1')).toEqual(['bg-1', 'bg-3', 'bg-4', 'bg-5']);
});

test('of all conversations together too, the longest ended go first', async () => {
  const { start, supervisor, world } = supervise({ ...jobLimits, endedKeptInAll: 2 });
  for (const conversation of ['c3', 'c1', 'c2', 'c1']) {
    await start('true', conversation);
    while (supervisor.runningCount() > 0) await sleep(10);
  }
  const kept = ['c1', 'c2', 'c3'].map((conversation) => listSessions(world.jobsFolder, conversation));
  expect(kept).toEqual([['bg-1', 'bg-2'], ['bg-1'], []]);
});

test('whoever called off a start finds neither a process nor a record of it', async () => {
  const { supervisor, world } = supervise(jobLimits);
  const { workspace, sources, jobsFolder } = world;
  const request = { op: 'start', conversation: 'c1', conversationId: 'c1', workspace, command: 'sleep 100', env: {}, rung: 'namespaces', sources } as const; // prettier-ignore
  await supervisor.handle(request, () => false);
  expect([supervisor.runningCount(), listSessions(jobsFolder, 'c1')]).toEqual([0, []]);
  // The twin: somebody is there.
  await supervisor.handle(request, () => true);
  expect([supervisor.runningCount(), listSessions(jobsFolder, 'c1')]).toEqual([1, ['bg-2']]);
});
