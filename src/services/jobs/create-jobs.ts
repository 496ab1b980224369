/** The jobs service: background jobs of a conversation for its calls, and of all conversations for the user. */
import { setTimeout as delay } from 'node:timers/promises';
import { hasNetwork, isIsolating } from '../../base/rung-isolation.ts';
import { ToolFailure } from '../../contract/failure.ts';
import type { AllJobs, JobInfo, Jobs } from '../../contract/jobs.ts';
import type { KnownSecrets } from '../../contract/redaction.ts';
import type { CallScope, Rung, ServiceOwner } from '../../contract/services.ts';
import { checkCommand, checkEnvironment, isForbiddenOnHost } from '../shell/check-request.ts';
import { createSupervisorCaller, type CallerOptions } from './call-supervisor.ts';
import {
  conversationFolder,
  conversationKey,
  dropFolder,
  isConversationKey,
  isFolder,
  isSessionId,
  listConversations,
  listSessions,
} from './job-folders.ts';
import { isDoubtful, type JobOnDisk, lookAtJob } from './lost-jobs.ts';
import { countLogBytes } from './log-parts.ts';
import { identityOf, isStillThere } from '../../base/process-identity.ts';
import { allowHosts } from '../companion-process/allow-hosts.ts';
import type { CompanionSources } from '../companion-process/companion-place.ts';
import type { JobAnswer } from './protocol.ts';
import { readLogPage } from './read-log.ts';

export type JobsOptions = Omit<CallerOptions, 'environment'> & {
  /** As they are now: a job keeps those it was started with. */
  readonly sources: () => CompanionSources;
  /** To be hidden in logs. Omitted: none. */
  readonly knownSecrets?: () => Promise<KnownSecrets>;
  /** Where the conversation's shell stands, as the sandbox names it; undefined: in the workspace. */
  readonly currentFolder: (scope: CallScope) => Promise<string | undefined>;
  /** Tests swap a guard here. */
  readonly isGranted?: (scope: CallScope, command: string, rung: Rung) => boolean;
};

export type JobsOwner = ServiceOwner<Jobs> & {
  readonly all: AllJobs;
  /** Ends all of the conversation's jobs, and drops them with their logs. */
  closeConversation(id: string): Promise<void>;
};

const leaveRounds = 100;
const leaveMs = 20;

export function createJobs(options: JobsOptions): JobsOwner {
  const { jobsFolder } = options;
  const caller = createSupervisorCaller({ ...options, environment: options.sources().environment });

  /** Looks on the disk, and asks who supervises only where the disk and the process table do not say it. */
  async function look(key: string, sessions: readonly string[]): Promise<readonly JobOnDisk[]> {
    const mustAsk = sessions.some((sessionId) => isDoubtful(jobsFolder, key, sessionId));
    const supervisor = mustAsk ? await caller.find().catch(() => undefined) : undefined;
    return sessions
      .map((sessionId) => lookAtJob(jobsFolder, key, sessionId, (id) => id === supervisor?.id))
      .filter((job) => job !== undefined);
  }

  const list = (key: string): Promise<readonly JobOnDisk[]> => look(key, listSessions(jobsFolder, key));

  async function need(key: string, sessionId: string): Promise<JobOnDisk> {
    const [job] = isSessionId(sessionId) ? await look(key, [sessionId]) : [];
    if (job !== undefined) return job;
    const known = listSessions(jobsFolder, key).join(', ');
    throw new ToolFailure(
      'not_found',
      `There is no background job "${sessionId.slice(0, 40)}" here. ${known === '' ? 'No job was started in this conversation.' : `There are: ${known}.`}`,
    );
  }

  const forKey = (key: string): Pick<Jobs, 'log' | 'kill' | 'remove'> => ({
    async log(sessionId, page) {
      const { folder, state } = await need(key, sessionId);
      const { logBytes, logLines } = state;
      const totals =
        logBytes === undefined || logLines === undefined ? undefined : { bytes: logBytes, lines: logLines };
      const found = readLogPage({ folder, ...page, isRunning: state.state === 'running', totals });
      return { ...found, notes: [...found.notes, ...state.notes] };
    },
    async kill(sessionId) {
      const { state } = await need(key, sessionId);
      if (state.state === 'running') checkAnswer(await caller.ask({ op: 'kill', conversation: key, sessionId }));
      return describe(await need(key, sessionId));
    },
    async remove(sessionId) {
      const { folder, state } = await need(key, sessionId);
      if (state.state === 'running') {
        throw new ToolFailure('conflict', `${sessionId} is still running. Kill it first, then remove it.`);
      }
      dropFolder(folder);
    },
  });

  async function start(scope: CallScope, request: Parameters<Jobs['start']>[0]): ReturnType<Jobs['start']> {
    const sources = options.sources();
    const { rung } = sources.settings.sandbox;
    const { command, env } = request;
    if (!(options.isGranted ?? isGrantedCommand)(scope, command, rung)) {
      throw new ToolFailure('denied', 'This command was not what the call was allowed to run, so it was not run.');
    }
    checkCommand(command);
    scope.signal.throwIfAborted();
    const { workspace } = scope.conversation;
    const key = conversationKey(scope.conversation);
    const wanted = {
      op: 'start',
      conversation: key,
      conversationId: scope.conversation.id,
      workspace,
      command,
      env: checkEnvironment(env, isIsolating(rung) ? () => false : isForbiddenOnHost),
      rung,
      secrets: (await options.knownSecrets?.()) ?? { stored: [], fromEnvironment: [] },
      sources: allowHosts(sources, (await scope.grantedHosts?.()) ?? []),
    } as const;
    const startIn = async (workingDir: string | undefined): Promise<JobInfo> => {
      const at = workingDir === undefined ? {} : { workingDir };
      const { sessionId } = checkAnswer(await caller.askOrStart({ ...wanted, ...at }, scope.signal));
      return describe(await need(key, sessionId ?? ''));
    };
    if (request.workingDir !== undefined) return withNotes(await startIn(request.workingDir));
    const current = await options.currentFolder(scope);
    try {
      return withNotes(await startIn(current));
    } catch (error) {
      if (current === undefined || !(error instanceof ToolFailure) || error.code !== 'not_found') throw error;
      const note = `The shell's directory ${current} is not there any more, so the job runs in the workspace.`;
      return withNotes(await startIn(undefined), note);
    }
  }

  const all: AllJobs = {
    async list() {
      const found = await Promise.all(listConversations(jobsFolder).map(list));
      return found.flat().map((job) => ({
        ...describe(job),
        conversation: job.record.conversation,
        workspace: job.record.workspace,
      }));
    },
    of: (conversation) => {
      if (isConversationKey(conversation)) return forKey(conversation);
      throw new ToolFailure('not_found', `There are no jobs of "${conversation.slice(0, 60)}".`);
    },
    async stopAll() {
      const supervisor = identityOf((await caller.find())?.pid ?? 0);
      const answer = await caller.ask({ op: 'stop' });
      // It leaves as soon as nothing runs; only then is nothing left.
      const isThere = (): boolean => supervisor !== undefined && isStillThere(supervisor);
      for (let round = 0; round < leaveRounds && isThere(); round += 1) await delay(leaveMs);
      // What a supervisor before has left behind is looked after by looking at it.
      await all.list();
      return answer === undefined ? 0 : (checkAnswer(answer).ended ?? 0);
    },
  };

  return {
    forCall: (scope) => {
      const key = conversationKey(scope.conversation);
      return {
        ...forKey(key),
        log(sessionId, page) {
          // Whom a job has talked with is not kept, so its output may be anybody's.
          if (hasNetwork(options.sources().settings)) scope.noteStranger?.(`background job ${sessionId}`);
          return forKey(key).log(sessionId, page);
        },
        start: (request) => start(scope, request),
        list: async () => (await list(key)).map(describe),
      };
    },
    all,
    async closeConversation(id) {
      const folder = conversationFolder(jobsFolder, id);
      if (!isConversationKey(id) || !isFolder(folder)) return;
      if ((await list(id)).some((job) => job.state.state === 'running')) {
        checkAnswer(await caller.ask({ op: 'close', conversation: id }));
      }
      dropFolder(folder);
    },
    // The jobs go on: that is what they are for.
    close: () => Promise.resolve(),
  };
}

const withNotes = (job: JobInfo, ...more: readonly string[]): JobInfo & { readonly notes: readonly string[] } => ({
  ...job,
  notes: [...more, ...(job.notes ?? [])],
});

/** What was decided on must be what runs, and where: a question answered for the sandbox is no answer for the host. */
function isGrantedCommand(scope: CallScope, command: string, rung: Rung): boolean {
  return scope.granted.some(
    (access) => access.kind === 'command' && access.command === command && access.isSandboxed === isIsolating(rung),
  );
}

/** Undefined: it was just leaving, with nothing running; what is on the disk is the truth then. */
function checkAnswer(answer: JobAnswer | undefined): { readonly sessionId?: string; readonly ended?: number } {
  if (answer?.ok === false) throw new ToolFailure(answer.code, answer.message);
  return answer ?? {};
}

function describe({ folder, record, state }: JobOnDisk): JobInfo {
  const { sessionId, command, startedAt, rung } = record;
  return {
    sessionId,
    command,
    cwd: state.cwd,
    state: state.state,
    exitCode: state.exitCode,
    startedAt,
    ...(state.endedAt === undefined ? {} : { endedAt: state.endedAt }),
    rung,
    logBytes: Math.max(state.logBytes ?? 0, countLogBytes(folder)),
    ...(state.notes.length === 0 ? {} : { notes: state.notes }),
  };
}
