/** What is said between a program and the supervisor of its jobs: one JSON object per line, each looked at before it is used. */
import { ToolFailure, type ToolFailureCode, toolFailureCodes } from '../../contract/failure.ts';
import type { KnownSecret, KnownSecrets } from '../../contract/redaction.ts';
import type { Rung } from '../../contract/services.ts';
import type { CompanionSources } from '../companion-process/companion-place.ts';
import { isConversationKey, isSessionId } from './job-folders.ts';

/** Grows when the two sides would not understand each other: jobs may outlive an update of the program. */
export const protocolVersion = 1;

/** Said first, by the supervisor. Whoever has heard it will be answered. */
export type Hello = { readonly version: number; readonly id: string; readonly pid: number };

export type StartRequest = {
  readonly op: 'start';
  readonly conversation: string;
  /** Whose network it has. */
  readonly conversationId: string;
  readonly workspace: string;
  readonly command: string;
  readonly workingDir?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly rung: Rung;
  readonly sources: CompanionSources;
  /** To be hidden in the job's log. Kept in memory for as long as the job runs. */
  readonly secrets?: KnownSecrets;
};

export type JobRequest =
  | StartRequest
  | { readonly op: 'kill'; readonly conversation: string; readonly sessionId: string }
  /** Ends all of one conversation. */
  | { readonly op: 'close'; readonly conversation: string }
  /** Ends all there are, and then the supervisor itself. */
  | { readonly op: 'stop' };

export type JobAnswer =
  | { readonly ok: true; readonly sessionId?: string; readonly ended?: number }
  | { readonly ok: false; readonly code: ToolFailureCode; readonly message: string };

export function readHello(line: string): Hello {
  const { version, id, pid } = parseObject(line);
  if (typeof version !== 'number' || typeof id !== 'string' || typeof pid !== 'number') throw notUnderstood('greeting');
  return { version, id, pid };
}

/** Throws ToolFailure('invalid_input'). What the sources hold is the word of a program of the same user, and only that user can connect. */
export function readRequest(line: string): JobRequest {
  const request = parseObject(line);
  const { op, conversation, sessionId } = request;
  if (op === 'stop') return { op };
  if (typeof conversation !== 'string' || !isConversationKey(conversation)) throw notUnderstood('conversation');
  switch (op) {
    case 'close':
      return { op, conversation };
    case 'kill':
      if (typeof sessionId !== 'string' || !isSessionId(sessionId)) throw notUnderstood('session_id');
      return { op, conversation, sessionId };
    case 'start':
      return { ...readStart(request), conversation };
    default:
      throw notUnderstood('request');
  }
}

const rungs: readonly string[] = [
  'namespaces',
  'namespaces-shared-network',
  'container',
  'proot',
  'host',
] satisfies Rung[];

function readStart(request: Readonly<Record<string, unknown>>): Omit<StartRequest, 'conversation'> {
  const { conversationId, workspace, command, workingDir, env, rung, sources, secrets } = request;
  if (typeof conversationId !== 'string') throw notUnderstood('conversation');
  if (typeof workspace !== 'string' || !workspace.startsWith('/')) throw notUnderstood('workspace');
  if (typeof command !== 'string' || command.includes('\0')) throw notUnderstood('command');
  if (workingDir !== undefined && typeof workingDir !== 'string') throw notUnderstood('folder');
  if (!isTexts(env)) throw notUnderstood('environment');
  if (typeof rung !== 'string' || !rungs.includes(rung)) throw notUnderstood('rung');
  const { folders, settings, userHome, programFolder, environment } = (sources ?? {}) as Partial<CompanionSources>;
  if (!isTexts(environment) || typeof userHome !== 'string' || typeof programFolder !== 'string')
    throw notUnderstood('surroundings');
  if (typeof folders?.data !== 'string' || settings?.sandbox?.rung !== rung) throw notUnderstood('settings');
  return {
    op: 'start',
    conversationId,
    workspace,
    command,
    ...(workingDir === undefined ? {} : { workingDir }),
    env,
    rung: settings.sandbox.rung,
    sources: { folders, settings, userHome, programFolder, environment },
    secrets: readSecrets(secrets),
  };
}

function readSecrets(value: unknown): KnownSecrets {
  const { stored, fromEnvironment } = (value ?? {}) as Partial<Record<keyof KnownSecrets, unknown>>;
  return { stored: knownOf(stored), fromEnvironment: knownOf(fromEnvironment) };
}

function knownOf(value: unknown): readonly KnownSecret[] {
  const found = Array.isArray(value) ? value.filter(isTexts) : [];
  return found.map(({ name = '', value: secret = '' }) => ({ name, value: secret }));
}

export function readAnswer(line: string): JobAnswer {
  const { ok, code, message, sessionId, ended } = parseObject(line);
  if (ok === true) {
    return {
      ok,
      ...(typeof sessionId === 'string' ? { sessionId } : {}),
      ...(typeof ended === 'number' ? { ended } : {}),
    };
  }
  const known = toolFailureCodes.find((each) => each === code) ?? 'failed';
  return { ok: false, code: known, message: typeof message === 'string' ? message : 'The job could not be handled.' };
}

export function answerOfFailure(error: unknown): JobAnswer {
  if (error instanceof ToolFailure) return { ok: false, code: error.code, message: error.message };
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    const text = 'The disk is full, so no job was started. Free some space, then try again.';
    return { ok: false, code: 'unavailable', message: text };
  }
  return { ok: false, code: 'failed', message: `The job could not be handled (${code ?? message}).` };
}

function parseObject(line: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // Cut off, or not one of ours.
    throw notUnderstood('line');
  }
  if (typeof value !== 'object' || value === null) throw notUnderstood('line');
  return value as Readonly<Record<string, unknown>>;
}

const isTexts = (value: unknown): value is Readonly<Record<string, string>> =>
  typeof value === 'object' && value !== null && Object.values(value).every((each) => typeof each === 'string');

function notUnderstood(what: string): ToolFailure {
  return new ToolFailure('invalid_input', `The supervisor of the jobs did not understand the ${what}. Try again.`);
}
