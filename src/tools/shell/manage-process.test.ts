import { expect, test } from 'vitest';
import type { JobInfo, Jobs } from '../../contract/jobs.ts';
import tool from './manage-process.ts';

const startedAt = '2026-01-02T03:04:05.000Z';
const finished: JobInfo = {
  sessionId: 'bg-1',
  command: 'npm  run\nbuild',
  cwd: '/project',
  state: 'finished',
  exitCode: 2,
  startedAt,
  endedAt: '2026-01-02T03:04:07.500Z',
  rung: 'namespaces',
  logBytes: 1234,
};
const running: JobInfo = {
  ...finished,
  sessionId: 'bg-2',
  command: 'sleep 60',
  state: 'running',
  exitCode: null,
  logBytes: 0,
};
const lost: JobInfo = { ...finished, sessionId: 'bg-3', state: 'lost', exitCode: null, notes: ['It was lost.'] };

/** Calls the tool over jobs that only answer. */
async function call(input: unknown, given: Partial<Jobs> = {}) {
  const asked: unknown[] = [];
  const { endedAt: _endedAt, ...stillRunning } = running;
  const jobs: Jobs = {
    start: () => Promise.reject(new Error('not asked for')),
    list: async () =>
      [finished, stillRunning, lost].map(({ ...job }) => (job.state === 'lost' ? withoutEnd(job) : job)),
    log: async (...args) => {
      asked.push(args);
      return {
        lines: ['one', 'two'],
        offset: 0,
        totalLines: 7,
        nextOffset: 2,
        hasMore: true,
        notes: ['5 bytes were not kept.'],
      };
    },
    kill: async (...args) => {
      asked.push(args);
      return { ...finished, state: 'killed', exitCode: null };
    },
    remove: async (...args) => void asked.push(args),
    ...given,
  };
  const conversation = { id: 'c', workspace: '/project', isThrowaway: true };
  const context = {
    signal: new AbortController().signal,
    conversation,
    calledAs: 'manage_process',
    emit: () => undefined,
  };
  const output = await tool.run(tool.input.parse(input), { jobs }, context);
  expect(tool.output?.parse(output.data)).toEqual(output.data);
  return { ...output, asked };
}

function withoutEnd({ endedAt: _endedAt, ...job }: JobInfo): JobInfo {
  return job;
}

test('[K64] list tells running from finished, with all that programs want to know', async () => {
  const { text, data } = await call({ action: 'list' });
  expect(data).toMatchObject({
    running: [{ session_id: 'bg-2', status: 'running', exit_code: null, timed_out: false }],
    finished: [
      { session_id: 'bg-1', status: 'finished', exit_code: 2, duration_seconds: 2.5, stdout_length: 1234 },
      { session_id: 'bg-3', status: 'lost', exit_code: null, duration_seconds: null },
    ],
    total: 3,
  });
  expect(text).toContain('bg-1  finished with exit code 2, 2.5 s, 1234 bytes of output: npm run build');
  expect(text).toContain('[note] It was lost.');
  const none = await call({ action: 'list' }, { list: async () => [] });
  expect([none.text, none.data]).toEqual([
    expect.stringContaining('no background jobs'),
    expect.objectContaining({ total: 0 }),
  ]);
});

test('[K64] log gives the page with where to go on, 200 lines from the first unless the call says otherwise', async () => {
  const { text, data, asked } = await call({ action: 'log', session_id: 'bg-1' });
  expect(asked).toEqual([['bg-1', { offset: 0, limit: 200 }]]);
  expect(text).toBe(
    'one\ntwo\n[note] 5 bytes were not kept.\n[bg-1: 7 lines; finished with exit code 2; The rest with offset 2]',
  );
  expect(data).toMatchObject({
    session_id: 'bg-1',
    stdout: 'one\ntwo',
    next_offset: 2,
    total_stdout_lines: 7,
    exit_code: 2,
  });
  const page = await call({ action: 'log', session_id: 'bg-2', offset: 10, limit: 11 });
  expect(page.asked).toEqual([['bg-2', { offset: 10, limit: 11 }]]);
  expect(page.text).toContain('running; Later lines with offset 2');
});

test('[K64] kill and remove name what became of the job', async () => {
  const killed = await call({ action: 'kill', session_id: 'bg-1' });
  expect([killed.asked, killed.data]).toEqual([[['bg-1']], expect.objectContaining({ status: 'killed' })]);
  const removed = await call({ action: 'remove', session_id: 'bg-1' });
  expect([removed.asked, removed.text]).toEqual([[['bg-1']], 'bg-1 was removed with its log.']);
});

test('arguments that do not fit are refused', async () => {
  for (const action of ['log', 'kill', 'remove']) {
    await expect(call({ action })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('session_id'),
    });
  }
  const bad = [
    {},
    { action: 'dance' },
    { action: 'log', session_id: 'bg-1', offset: 0.5 },
    { action: 'log', limit: 0 },
    { action: 'list', more: 1 },
  ];
  for (const input of bad) expect(tool.input.safeParse(input).success, JSON.stringify(input)).toBe(false);
});

test('looking is polling, acting is not; nothing of it is asked about, and all of it can be done again', () => {
  const polls = ['list', 'log', 'kill', 'remove'].map((action) => tool.polls?.(tool.input.parse({ action })));
  expect(polls).toEqual([true, true, false, false]);
  expect(tool.access(tool.input.parse({ action: 'kill', session_id: 'bg-1' }))).toEqual([{ kind: 'none' }]);
  expect(tool.effect).toBe('idempotent');
  expect(tool.summary(tool.input.parse({ action: 'kill', session_id: 'bg-1' }))).toBe('kill bg-1');
});
