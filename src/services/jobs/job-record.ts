/** What is kept of a job on disk: `job.json`, written once, and `state.json`, replaced whole at every change. */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { JobInfo } from '../../contract/jobs.ts';
import type { Rung } from '../../contract/services.ts';
import type { ProcessIdentity } from '../../base/process-identity.ts';

/** What does not change. */
export type JobRecord = {
  readonly sessionId: string;
  readonly conversation: string;
  readonly workspace: string;
  readonly command: string;
  readonly rung: Rung;
  readonly startedAt: string;
  /** Carried by every process of the job in its environment: how those of the host rung are found again. */
  readonly mark: string;
  readonly supervisor: Supervisor;
};

export type Supervisor = ProcessIdentity & { readonly id: string };

export type JobState = {
  readonly state: JobInfo['state'];
  readonly exitCode: number | null;
  readonly cwd: string;
  readonly endedAt?: string;
  /** Known at the end; before, the log itself says it. */
  readonly logBytes?: number;
  readonly logLines?: number;
  readonly notes: readonly string[];
};

const recordName = 'job.json';
const stateName = 'state.json';
/** Holds blocks of the disk for the next state: how a job ended can be written down on a full disk too. */
const spareName = 'state.next';
const spareBytes = 4096;

export function writeRecord(folder: string, record: JobRecord): void {
  writeFileSync(join(folder, `${recordName}.new`), JSON.stringify(record), { mode: 0o600, flag: 'wx' });
  renameSync(join(folder, `${recordName}.new`), join(folder, recordName));
}

/** Throws the file system's error when there is no room for it. */
export function writeState(folder: string, state: JobState): void {
  const spare = join(folder, spareName);
  const text = Buffer.from(JSON.stringify(state).padEnd(spareBytes));
  fillSpare(spare, text);
  renameSync(spare, join(folder, stateName));
  if (state.state !== 'running') return;
  try {
    fillSpare(spare, Buffer.alloc(spareBytes, ' '));
  } catch {
    // The next change tries again; until then there is only the room that the disk has.
    rmSync(spare, { force: true });
  }
}

/** Over the bytes that are there, so that no new block is needed; whatever is longer is cut off. */
function fillSpare(path: string, bytes: Buffer): void {
  const handle = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
  try {
    let written = 0;
    while (written < bytes.length) written += writeSync(handle, bytes, written, bytes.length - written, written);
    const rest = fstatSync(handle).size - bytes.length;
    if (rest > 0) writeSync(handle, Buffer.alloc(rest, ' '), 0, rest, bytes.length);
  } finally {
    closeSync(handle);
  }
}

/** Undefined for a folder that is no job's, or not yet. */
export function readRecord(folder: string): JobRecord | undefined {
  const found = readObject(join(folder, recordName));
  const supervisor = readSupervisor(found?.['supervisor']);
  if (found === undefined || supervisor === undefined) return undefined;
  const { sessionId, conversation, workspace, command, rung, startedAt, mark } = found;
  const texts = [sessionId, conversation, workspace, command, rung, startedAt, mark];
  if (!texts.every((text) => typeof text === 'string')) return undefined;
  return { ...(found as JobRecord), supervisor };
}

/** What cannot be read says that nobody saw the end. */
export function readState(folder: string): JobState {
  const found = readObject(join(folder, stateName));
  const state = found?.['state'];
  if (found === undefined || typeof state !== 'string' || !isState(state)) {
    return { state: 'lost', exitCode: null, cwd: '', notes: [] };
  }
  const { exitCode, cwd, endedAt, logBytes, logLines, notes } = found;
  return {
    state,
    exitCode: typeof exitCode === 'number' ? exitCode : null,
    cwd: typeof cwd === 'string' ? cwd : '',
    ...(typeof endedAt === 'string' ? { endedAt } : {}),
    ...(typeof logBytes === 'number' ? { logBytes } : {}),
    ...(typeof logLines === 'number' ? { logLines } : {}),
    notes: Array.isArray(notes) ? notes.filter((note) => typeof note === 'string') : [],
  };
}

const states: readonly string[] = ['running', 'finished', 'killed', 'lost'] satisfies JobInfo['state'][];
const isState = (text: string): text is JobInfo['state'] => states.includes(text);

function readSupervisor(value: unknown): Supervisor | undefined {
  const { id, pid, startTicks, bootId } = (value ?? {}) as Record<string, unknown>;
  if (typeof id !== 'string' || typeof pid !== 'number') return undefined;
  if (typeof startTicks !== 'string' || typeof bootId !== 'string') return undefined;
  return { id, pid, startTicks, bootId };
}

function readObject(path: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    // Not there, or cut off by a crash of the machine: as good as not there.
    return undefined;
  }
}
