/** Jobs whose supervisor is gone: whatever of them is left is ended, and they are written down as lost. */
import type { Rung } from '../../contract/services.ts';
import { carriesMark, listProcesses, sendSignal } from '../shell/process-tree.ts';
import { jobFolder } from './job-folders.ts';
import { type JobRecord, type JobState, readRecord, readState, writeState } from './job-record.ts';
import { identityOf, isStillThere } from '../../base/process-identity.ts';

/** In the environment of jobs that no namespace holds together. */
export const markVariable = 'HANDRAIL_JOB';

const lostNote =
  'It was lost: the machine or the supervisor of the jobs ended while it ran, so how it ended is not known.';
/** A process that forks while the table is read shows neither itself nor its child. */
const maxLooks = 20;

export type JobOnDisk = { readonly folder: string; readonly record: JobRecord; readonly state: JobState };

/** It is said to run, but its supervisor is not seen here: only asking whoever answers now can tell. */
export function isDoubtful(jobsFolder: string, conversation: string, sessionId: string): boolean {
  const folder = jobFolder(jobsFolder, conversation, sessionId);
  const record = readRecord(folder);
  return record !== undefined && readState(folder).state === 'running' && !isStillThere(record.supervisor);
}

/**
 * Undefined for a folder that is none of a job. `isSupervisor`: whether somebody who answers now is the supervisor with this
 * id, for the case that its number says nothing here (another container with the same state folder).
 */
export function lookAtJob(
  jobsFolder: string,
  conversation: string,
  sessionId: string,
  isSupervisor: (id: string) => boolean = () => false,
): JobOnDisk | undefined {
  const folder = jobFolder(jobsFolder, conversation, sessionId);
  const record = readRecord(folder);
  if (record === undefined) return undefined;
  const state = readState(folder);
  if (state.state !== 'running') return { folder, record, state };
  if (isStillThere(record.supervisor) || isSupervisor(record.supervisor.id)) return { folder, record, state };
  // It may have written the end between our two looks, and left.
  const again = readState(folder);
  return { folder, record, state: again.state === 'running' ? settleLost(folder, record, again) : again };
}

function settleLost(folder: string, record: JobRecord, state: JobState): JobState {
  const left = isHeldByKernel(record.rung) ? [] : endMarked(record);
  const more = left.length === 0 ? [] : [`${left.length} of its processes still ran and were ended.`];
  const lost: JobState = { ...state, state: 'lost', exitCode: null, notes: [...state.notes, lostNote, ...more] };
  try {
    writeState(folder, lost);
  } catch {
    // No room, or removed meanwhile: the next look finds the same.
  }
  return lost;
}

/** bwrap(1), --die-with-parent: the whole namespace ended with the supervisor. */
const isHeldByKernel = (rung: Rung): boolean => rung.startsWith('namespaces');

function endMarked({ mark, supervisor }: JobRecord): readonly number[] {
  // After a restart of the machine nothing of it can be left.
  if (identityOf(process.pid)?.bootId !== supervisor.bootId) return [];
  const ended = new Set<number>();
  for (let look = 0; look < maxLooks; look += 1) {
    const found = listProcesses().filter((each) => !each.isZombie && carriesMark(each.pid, `${markVariable}=${mark}`));
    if (found.length === 0) break;
    for (const { pid } of found) {
      ended.add(pid);
      sendSignal(pid, 'SIGKILL');
    }
  }
  return [...ended];
}
