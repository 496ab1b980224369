/** Real jobs under a real supervisor, started from source, in a state folder of their own; nothing of them outlives the test. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { JobInfo, Jobs } from '../../src/contract/jobs.ts';
import type { CallScope, Rung } from '../../src/contract/services.ts';
import { createJobs, type JobsOptions, type JobsOwner } from '../../src/services/jobs/create-jobs.ts';
import type { CompanionSources } from '../../src/services/companion-process/companion-place.ts';
import { hostEnvironment } from '../../src/services/sandbox/sandbox-environment.ts';
import { defaultSettings } from '../../src/services/settings/default-settings.ts';
import { resolveStateFolders } from '../../src/services/state-folder/resolve-state-folders.ts';
import { waitForNone } from './leftovers.ts';

const source = resolve(import.meta.dirname, '../../src');

export type JobsWorld = {
  readonly base: string;
  readonly workspace: string;
  readonly jobsFolder: string;
  readonly sources: CompanionSources;
  readonly owner: JobsOwner;
  /** As a call of this conversation that was granted `command`. */
  of(conversation?: string, command?: string, more?: Partial<CallScope>): Jobs;
  start(command: string, conversation?: string): ReturnType<Jobs['start']>;
  /** As soon as it fits; the test's own timeout ends the waiting. */
  until(sessionId: string, fits: (job: JobInfo) => boolean, conversation?: string): Promise<JobInfo>;
  /** The supervisor's process; undefined when none runs. */
  supervisorPid(): number | undefined;
  /** Another program of the same state folder. */
  again(options?: Partial<JobsOptions>): JobsOwner;
};

export type JobsWorldOptions = {
  readonly rung?: Rung;
  readonly jobs?: Partial<JobsOptions>;
  /** `net.allowPrivate` of the settings. */
  readonly allowPrivate?: readonly string[];
  /** Below the test's own folder. */
  readonly stateName?: string;
};

export function openJobsWorld(options: JobsWorldOptions = {}): JobsWorld {
  const { rung = 'namespaces', jobs = {}, allowPrivate = [], stateName = 'state' } = options;
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-jobs-')));
  const workspace = join(base, 'workspace');
  const home = join(base, 'home');
  for (const folder of [workspace, home]) mkdirSync(folder);
  const folders = resolveStateFolders({ HANDRAIL_HOME: join(base, stateName), HOME: home });
  mkdirSync(folders.data, { mode: 0o700, recursive: true });
  const jobsFolder = join(folders.data, 'jobs');
  const environment = hostEnvironment({ ...process.env, HOME: home });
  const settings = { ...defaultSettings, sandbox: { ...defaultSettings.sandbox, rung }, net: { allowPrivate } };
  const sources: CompanionSources = { folders, settings, userHome: home, programFolder: source, environment };
  const again = (more: Partial<JobsOptions> = {}): JobsOwner =>
    createJobs({
      jobsFolder,
      programFile: join(source, 'services/jobs/supervise.process.ts'),
      sources: () => sources,
      currentFolder: async () => undefined,
      ...jobs,
      ...more,
    });
  const owner = again();
  const of: JobsWorld['of'] = (conversation = 'c1', command = '', more = {}) =>
    owner.forCall({ ...scopeOf({ conversation, workspace, command, rung }), ...more });
  onTestFinished(async () => {
    await owner.all.stopAll();
    const left = await waitForNone(base, 8_000);
    for (const { pid } of left) if (pid !== undefined) process.kill(pid, 'SIGKILL');
    rmSync(base, { recursive: true, force: true, maxRetries: 5 });
    if (left.length > 0) throw new Error(`Left behind: ${left.map((each) => each.text).join('; ')}`);
  });
  return {
    base,
    workspace,
    jobsFolder,
    sources,
    owner,
    of,
    again,
    start: (command, conversation) => of(conversation, command).start({ command }),
    async until(sessionId, fits, conversation) {
      for (;;) {
        const job = (await of(conversation).list()).find((each) => each.sessionId === sessionId);
        if (job !== undefined && fits(job)) return job;
        await sleep(20);
      }
    },
    supervisorPid: () => findSupervisor(jobsFolder),
  };
}

export type ScopeFacts = {
  readonly conversation: string;
  readonly workspace: string;
  readonly command: string;
  readonly rung: Rung;
};

export function scopeOf({ conversation, workspace, command, rung }: ScopeFacts): CallScope {
  const isSandboxed = rung !== 'host' && rung !== 'proot';
  return {
    callId: 'call',
    conversation: { id: conversation, workspace, isThrowaway: false },
    granted: [{ kind: 'command', command, cwd: workspace, isDangerous: false, isSandboxed, heads: [], findings: [] }],
    signal: new AbortController().signal,
  };
}

export const hasEnded = (job: JobInfo): boolean => job.state !== 'running';

export function findSupervisor(jobsFolder: string, program = 'supervise.process'): number | undefined {
  const found = readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .find((name) => {
      const words = wordsOf(name);
      return words.some((word) => word.includes(program)) && words.includes(jobsFolder);
    });
  return found === undefined ? undefined : Number(found);
}

function wordsOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    // It ended meanwhile.
    return [];
  }
}

/** Processes whose command line holds `text`, our own apart. */
export function processesWith(text: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name) && name !== `${process.pid}`)
    .filter((name) => wordsOf(name).some((word) => word === text))
    .map(Number);
}

export async function untilNoProcessWith(text: string): Promise<void> {
  while (processesWith(text).length > 0) await sleep(20);
}

/** For what a test starts beside the jobs. */
export function startNode(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [...args], { stdio: 'ignore' });
}
