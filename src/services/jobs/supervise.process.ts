/**
 * The supervisor of background jobs, as a program of its own: started by whoever starts the first job, it ends itself shortly
 * after the last one has ended. Argument: the folder of the jobs.
 */
import { randomUUID } from 'node:crypto';
import { createPipePool } from '../shell/pipe-pool.ts';
import { findInheritedHandles } from '../shell/inherited-handles.ts';
import { claimPlace } from '../companion-process/claim.ts';
import { busyExitCode, companionPlace } from '../companion-process/companion-place.ts';
import { supervisorFolder } from './call-supervisor.ts';
import { jobRedactor } from './job-redactor.ts';
import { lookAtJob } from './lost-jobs.ts';
import { identityOf } from '../../base/process-identity.ts';
import { serveJobs } from './serve-jobs.ts';
import { createStarters } from './starters.ts';
import { createSupervisor, listAllJobs } from './supervisor.ts';

const [jobsFolder = ''] = process.argv.slice(2);
const shadowed = findInheritedHandles();
const claim = claimPlace(companionPlace(supervisorFolder(jobsFolder)));
if (claim === undefined) process.exit(busyExitCode);
const own = identityOf(process.pid);
if (own === undefined) throw new Error('/proc does not show this process');

// The jobs of all conversations hang on this process: what goes wrong for one of them is noted, and the others go on.
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, note);
}
// Of supervisors before us. The claim is ours, so none of them is left.
for (const { conversation, sessionId } of listAllJobs(jobsFolder)) lookAtJob(jobsFolder, conversation, sessionId);
const identity = { ...own, id: randomUUID() };
const pool = createPipePool();
const supervisor = createSupervisor({
  jobsFolder,
  identity,
  starterFor: createStarters(pool),
  pool,
  shadowed,
  now: () => new Date(),
  redactorFor: jobRedactor,
});
await serveJobs(claim, supervisor, identity, { onFault: note });
pool.close();
process.exit(0);

function note(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
}
