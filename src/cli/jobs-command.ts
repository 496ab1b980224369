/** `handrail jobs`: what runs in the background for whom, what it printed, and its end. */
import { escapeInvisible } from '../base/escape-invisible.ts';
import { MisuseFailure } from '../contract/failure.ts';
import type { AllJobs } from '../contract/jobs.ts';
import type { CommandLine } from './face.ts';
import { printAll } from './print-all.ts';
import { showBytes, showCounted, showDuration } from './show/amounts.ts';

type Job = Awaited<ReturnType<AllJobs['list']>>[number];

/** Lines that are asked for at once. */
const pageLines = 2_000;

export async function listJobs(face: CommandLine, options: { readonly json?: boolean }): Promise<number> {
  return withJobs(face, async (jobs) => {
    const found = await jobs.list();
    if (options.json === true) {
      const named = found.map((job) => ({ id: nameOf(job), ...job }));
      await printAll(process.stdout, `${JSON.stringify({ jobs: named })}\n`);
      return 0;
    }
    if (found.length === 0) process.stderr.write('There are no background jobs.\n');
    await printAll(process.stdout, found.map(jobLines).join(''));
    return 0;
  });
}

export async function logJob(
  face: CommandLine,
  id: string,
  options: { readonly offset?: number; readonly limit?: number },
): Promise<number> {
  return withJobs(face, async (jobs) => {
    const { conversation, sessionId } = await findJob(jobs, id);
    const { limit = Infinity } = options;
    let { offset = 0 } = options;
    for (let left = limit; left > 0;) {
      const page = await jobs.of(conversation).log(sessionId, { offset, limit: Math.min(left, pageLines) });
      const text = page.lines.map((line) => `${line}\n`).join('');
      await printAll(process.stdout, process.stdout.isTTY === true ? escapeInvisible(text) : text);
      left -= page.lines.length;
      if (page.hasMore && left > 0) {
        offset = page.nextOffset ?? offset + page.lines.length;
        continue;
      }
      for (const note of page.notes) process.stderr.write(`${escapeInvisible(note)}\n`);
      break;
    }
    return 0;
  });
}

export async function killJob(face: CommandLine, id: string): Promise<number> {
  return withJobs(face, async (jobs) => {
    const { conversation, sessionId, state } = await findJob(jobs, id);
    const { state: now } = await jobs.of(conversation).kill(sessionId);
    const name = `${conversation}/${sessionId}`;
    process.stderr.write(state === 'running' ? `Ended ${name}.\n` : `${name} had ended already (${now}).\n`);
    return 0;
  });
}

export async function stopAllJobs(face: CommandLine): Promise<number> {
  return withJobs(face, async (jobs) => {
    process.stderr.write(`Ended ${showCounted(await jobs.stopAll(), 'background job')}.\n`);
    return 0;
  });
}

async function withJobs(face: CommandLine, work: (jobs: AllJobs) => Promise<number>): Promise<number> {
  const handrail = await face.open({ needsNoWorkspace: true });
  try {
    return await work(await handrail.jobs());
  } finally {
    await handrail.close();
  }
}

/** `conversation/bg-1`, or `bg-1` where only one conversation has a job of that name. */
async function findJob(jobs: AllJobs, id: string): Promise<Job> {
  const all = await jobs.list();
  const found = all.filter((job) => nameOf(job) === id || job.sessionId === id);
  const [job] = found;
  if (job !== undefined && found.length === 1) return job;
  if (job === undefined) throw new MisuseFailure(`There is no background job ${id}. \`handrail jobs\` lists them.`);
  throw new MisuseFailure(`Several conversations have a ${id}: ${found.map(nameOf).join(', ')}. Give the whole name.`);
}

const nameOf = ({ conversation, sessionId }: Job): string => `${conversation}/${sessionId}`;

function jobLines(job: Job): string {
  const { state, exitCode, startedAt, endedAt, logBytes, command, workspace } = job;
  const until = endedAt === undefined ? (state === 'running' ? Date.now() : undefined) : Date.parse(endedAt);
  const lasted = until === undefined ? '' : `  ${showDuration(until - Date.parse(startedAt))}`;
  const ended = state === 'finished' ? `finished (exit code ${exitCode})` : state;
  const head = `${nameOf(job)}  ${ended}${lasted}  ${showBytes(logBytes)}  ${workspace}\n`;
  const line = escapeInvisible(command.replaceAll(/\s+/g, ' ').trim(), 'nothing');
  return `${head}    ${line.length > 160 ? `${line.slice(0, 159)}…` : line}\n`;
}
