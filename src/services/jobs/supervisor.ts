/** Holds the running jobs of all conversations: starts them within limits, ends them, and says when none is left. */
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { ToolFailure } from '../../contract/failure.ts';
import type { Redactor } from '../../contract/redaction.ts';
import type { PipePool } from '../shell/pipe-pool.ts';
import type { StartCommand } from '../shell/running-command.ts';
import { dropFolder, jobFolder, listConversations, listSessions, makeJobFolder } from './job-folders.ts';
import { readState, type Supervisor, writeRecord, writeState } from './job-record.ts';
import { markVariable } from './lost-jobs.ts';
import type { JobAnswer, JobRequest, StartRequest } from './protocol.ts';
import { runJob, type RunningJob } from './run-job.ts';
import { type LogLimits, logLimits } from './write-log.ts';

export type JobLimits = {
  /** Running at once in one conversation, and in all. */
  readonly perConversation: number;
  readonly inAll: number;
  /** Ended ones that are kept of a conversation. */
  readonly endedKept: number;
  /** And of all conversations together. */
  readonly endedKeptInAll: number;
};

export const jobLimits: JobLimits = { perConversation: 8, inAll: 32, endedKept: 20, endedKeptInAll: 200 };

export type SupervisorOptions = {
  readonly jobsFolder: string;
  readonly identity: Supervisor;
  /** How commands are started on the rung and with the settings of the request. */
  readonly starterFor: (request: StartRequest) => Promise<StartCommand>;
  readonly pool: PipePool;
  /** Descriptors of ours that no job may get. */
  readonly shadowed: readonly number[];
  readonly now: () => Date;
  /** Takes secrets out of what is left on disk. Omitted: it is kept as it is. */
  readonly redactorFor?: (request: StartRequest) => Redactor;
  /** Tests swap a guard here. */
  readonly limits?: JobLimits;
  readonly logLimits?: LogLimits;
};

export type JobSupervisor = {
  /** Rejects with ToolFailure, or with the file system's error. `isWanted`: whether the asker is still there when it is done. */
  handle(request: JobRequest, isWanted: () => boolean): Promise<JobAnswer>;
  /** Running and just being started. */
  runningCount(): number;
};

type Held = { readonly conversation: string; readonly sessionId: string; readonly job: Promise<RunningJob> };

export function createSupervisor(options: SupervisorOptions): JobSupervisor {
  const { jobsFolder, limits = jobLimits } = options;
  const held = new Set<Held>();
  const runningIn = (conversation: string): readonly Held[] =>
    [...held].filter((each) => each.conversation === conversation);

  async function start(request: StartRequest, isWanted: () => boolean): Promise<JobAnswer> {
    checkRoom(runningIn(request.conversation), held.size, limits);
    dropOldest(jobsFolder, request.conversation, limits);
    const { sessionId, folder } = makeJobFolder(jobsFolder, request.conversation);
    // From here to the end of the function nothing waits: the count is right for the next request.
    const job = begin(options, request, sessionId, folder);
    const entry: Held = { conversation: request.conversation, sessionId, job };
    held.add(entry);
    job.then(
      (running) => running.ended.then(() => held.delete(entry)),
      () => held.delete(entry),
    );
    const running = await job;
    if (!isWanted()) {
      // Called off while it was started, so nobody has heard of it.
      await running.kill();
      dropFolder(folder);
    }
    return { ok: true, sessionId };
  }

  async function endAll(entries: readonly Held[]): Promise<number> {
    const ends = entries.map(async ({ job }) => (await job.catch(() => undefined))?.kill());
    await Promise.all(ends);
    return entries.length;
  }

  async function kill(conversation: string, sessionId: string): Promise<JobAnswer> {
    const found = runningIn(conversation).filter((each) => each.sessionId === sessionId);
    return { ok: true, ended: await endAll(found) };
  }

  return {
    runningCount: () => held.size,
    async handle(request, isWanted) {
      switch (request.op) {
        case 'start':
          return start(request, isWanted);
        case 'kill':
          return kill(request.conversation, request.sessionId);
        case 'close':
          return { ok: true, ended: await endAll(runningIn(request.conversation)) };
        case 'stop':
          return { ok: true, ended: await endAll([...held]) };
      }
    },
  };
}

async function begin(
  options: SupervisorOptions,
  request: StartRequest,
  sessionId: string,
  folder: string,
): Promise<RunningJob> {
  const { conversation, conversationId, workspace, command, workingDir, rung } = request;
  const mark = randomUUID();
  const redactor = options.redactorFor?.(request);
  try {
    const startedAt = options.now().toISOString();
    const shownCommand = redactor?.redact(command) ?? command;
    const record = {
      sessionId,
      conversation,
      workspace,
      command: shownCommand,
      rung,
      startedAt,
      mark,
      supervisor: options.identity,
    };
    writeState(folder, { state: 'running', exitCode: null, cwd: workingDir ?? workspace, notes: [] });
    writeRecord(folder, record);
    return await runJob({
      folder,
      start: await options.starterFor(request),
      request: {
        command,
        conversationId,
        // Calls without a conversation share a list of jobs, and nothing else.
        ...(conversation === conversationId ? { temporaryOf: conversation } : {}),
        workspace,
        workingDir,
        // In a namespace the kernel knows what belongs together; elsewhere only this does.
        environment: { ...request.env, ...(rung.startsWith('namespaces') ? {} : { [markVariable]: mark }) },
        shadowed: options.shadowed,
      },
      ...(redactor === undefined ? {} : { redactor }),
      pool: options.pool,
      logLimits: options.logLimits ?? logLimits,
      now: options.now,
    });
  } catch (error) {
    dropFolder(folder);
    throw error;
  }
}

function checkRoom(ofConversation: readonly Held[], all: number, limits: JobLimits): void {
  if (ofConversation.length >= limits.perConversation) {
    const names = ofConversation.map((each) => each.sessionId).join(', ');
    throw new ToolFailure(
      'busy',
      `${ofConversation.length} background jobs of this conversation are running, which is the most (${names}). Kill one of them by its session_id, or wait for one to finish.`,
    );
  }
  if (all >= limits.inAll) {
    throw new ToolFailure(
      'busy',
      `${all} background jobs are running in all conversations, which is the most. The user can see and end them with \`handrail jobs\`; or wait for one to finish.`,
    );
  }
}

/** Room for one more. */
function dropOldest(jobsFolder: string, conversation: string, limits: JobLimits): void {
  const ended = listAllJobs(jobsFolder)
    .map((job) => ({ ...job, folder: jobFolder(jobsFolder, job.conversation, job.sessionId) }))
    .filter(({ folder }) => readState(folder).state !== 'running');
  const own = ended.filter((job) => job.conversation === conversation);
  const tooMany = own.slice(0, Math.max(0, own.length - limits.endedKept));
  const others = ended.filter((job) => !tooMany.includes(job));
  if (others.length > limits.endedKeptInAll) {
    const oldestFirst = others.toSorted((first, second) => changedMs(first.folder) - changedMs(second.folder));
    tooMany.push(...oldestFirst.slice(0, others.length - limits.endedKeptInAll));
  }
  for (const { folder } of tooMany) dropFolder(folder);
}

/** When the last thing about it was written down. */
const changedMs = (folder: string): number => statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** All jobs on disk, for whoever starts: what another supervisor has left behind is looked after first. */
export function listAllJobs(
  jobsFolder: string,
): readonly { readonly conversation: string; readonly sessionId: string }[] {
  return listConversations(jobsFolder).flatMap((conversation) =>
    listSessions(jobsFolder, conversation).map((sessionId) => ({ conversation, sessionId })),
  );
}
