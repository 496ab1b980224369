/** Looks after the background jobs of a conversation. */
import { z } from 'zod';
import { ToolFailure } from '../../contract/failure.ts';
import type { JobInfo, Jobs } from '../../contract/jobs.ts';
import type { ToolOutput } from '../../contract/output.ts';
import { defineTool } from '../../contract/tool.ts';

const defaultLimit = 200;
const maxLimit = 2_000;

const input = z.strictObject({
  action: z.enum(['list', 'log', 'kill', 'remove']).describe('remove: drop a finished one from the list.'),
  session_id: z.string().optional().describe('Such as bg-1; not for list.'),
  offset: z.int().optional().describe('First line of the log, from 0; -20: the last 20.'),
  limit: z.int().min(1).max(maxLimit).optional().describe('Lines. Default 200.'),
});

type Input = z.output<typeof input>;

const job = z.object({
  session_id: z.string(),
  command: z.string(),
  status: z.string(),
  exit_code: z.number().nullable(),
  duration_seconds: z.number().nullable(),
  timed_out: z.boolean(),
  stdout_length: z.number(),
  cwd: z.string(),
  started_at: z.string(),
  rung: z.string(),
  notes: z.array(z.string()).optional(),
});

export default defineTool({
  title: 'Background jobs',
  description:
    'List the background jobs that execute_shell_command started with background: true, read their output (stdout and stderr together), kill or remove them.',
  follows: 'execute_shell_command',
  isCore: true,
  input,
  output: z.object({
    action: z.string(),
    running: z.array(job).optional(),
    finished: z.array(job).optional(),
    total: z.number().optional(),
    ...job.partial().shape,
    stdout: z.string().optional(),
    offset: z.number().optional(),
    next_offset: z.number().optional(),
    total_stdout_lines: z.number().optional(),
  }),
  needs: ['jobs'],
  // Its own jobs alone: what they may do was decided when they were started.
  access: () => [{ kind: 'none' }],
  polls: ({ action }) => action === 'list' || action === 'log',
  effect: 'idempotent',
  summary: ({ action, session_id }) => `${action} ${session_id ?? ''}`.replaceAll(/\s+/g, ' ').trim().slice(0, 80),
  async run(call, { jobs }) {
    if (call.action === 'list') return listJobs(await jobs.list());
    const sessionId = needSession(call);
    switch (call.action) {
      case 'log':
        return readLog(jobs, sessionId, call);
      case 'kill': {
        const killed = await jobs.kill(sessionId);
        return { text: describe(killed), data: { action: 'kill', ...shape(killed) } };
      }
      case 'remove':
        await jobs.remove(sessionId);
        return { text: `${sessionId} was removed with its log.`, data: { action: 'remove', session_id: sessionId } };
    }
  },
});

function needSession({ action, session_id }: Input): string {
  if (session_id !== undefined && session_id !== '') return session_id;
  throw new ToolFailure(
    'invalid_input',
    `manage_process ${action} needs a session_id, such as bg-1. The action list shows them.`,
  );
}

function listJobs(found: readonly JobInfo[]): ToolOutput {
  const running = found.filter((each) => each.state === 'running');
  const finished = found.filter((each) => each.state !== 'running');
  return {
    text: [...running, ...finished].map(describe).join('\n') || 'There are no background jobs in this conversation.',
    data: { action: 'list', running: running.map(shape), finished: finished.map(shape), total: found.length },
  };
}

async function readLog(jobs: Jobs, sessionId: string, call: Input): Promise<ToolOutput> {
  const { offset: wanted = 0, limit = defaultLimit } = call;
  const { offset, ...page } = await jobs.log(sessionId, { offset: wanted, limit });
  const info = (await jobs.list()).find((each) => each.sessionId === sessionId);
  const output = page.lines.join('\n');
  const isRunning = info?.state === 'running';
  const next =
    page.nextOffset === undefined
      ? undefined
      : `${isRunning ? 'Later lines' : 'The rest'} with offset ${page.nextOffset}`;
  const state = info === undefined ? '' : statusOf(info);
  const count = `${page.totalLines} ${page.totalLines === 1 ? 'line' : 'lines'}${isRunning ? ' so far' : ''}`;
  const footer = [count, state, next].filter((part) => part !== undefined && part !== '');
  const parts = [output, ...page.notes.map((note) => `[note] ${note}`), `[${sessionId}: ${footer.join('; ')}]`];
  return {
    text: parts.filter((part) => part !== '').join('\n'),
    data: {
      action: 'log',
      ...(info === undefined ? { session_id: sessionId } : shape(info)),
      stdout: output,
      offset,
      ...(page.nextOffset === undefined ? {} : { next_offset: page.nextOffset }),
      total_stdout_lines: page.totalLines,
      ...(page.notes.length === 0 ? {} : { notes: [...page.notes] }),
    },
  };
}

/** One line for the model. */
function describe(info: JobInfo): string {
  const command = info.command.replaceAll(/\s+/g, ' ').trim();
  const shown = command.length > 120 ? `${command.slice(0, 119)}…` : command;
  const notes = (info.notes ?? []).map((note) => `\n  [note] ${note}`).join('');
  return `${info.sessionId}  ${statusOf(info)}, ${secondsOf(info) ?? '?'} s, ${info.logBytes} bytes of output: ${shown}${notes}`;
}

function statusOf({ state, exitCode }: JobInfo): string {
  return state === 'finished' ? `finished with exit code ${exitCode}` : state;
}

function shape(info: JobInfo): z.output<typeof job> {
  return {
    session_id: info.sessionId,
    command: info.command,
    status: info.state,
    exit_code: info.exitCode,
    duration_seconds: secondsOf(info),
    timed_out: false,
    stdout_length: info.logBytes,
    cwd: info.cwd,
    started_at: info.startedAt,
    rung: info.rung,
    ...(info.notes === undefined ? {} : { notes: [...info.notes] }),
  };
}

/** Null for one of which nobody saw the end. */
function secondsOf({ state, startedAt, endedAt }: JobInfo): number | null {
  const until = endedAt === undefined ? (state === 'running' ? Date.now() : undefined) : Date.parse(endedAt);
  return until === undefined ? null : Math.max(0, Math.round((until - Date.parse(startedAt)) / 100) / 10);
}
