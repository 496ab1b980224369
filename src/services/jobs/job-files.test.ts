import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  conversationKey,
  dropFolder,
  isConversationKey,
  isSessionId,
  listSessions,
  makeJobFolder,
} from './job-folders.ts';
import { lastingEnvironment } from './lasting-environment.ts';
import { type JobState, readRecord, readState, writeRecord, writeState } from './job-record.ts';
import { identityOf, isStillThere } from '../../base/process-identity.ts';
import { answerOfFailure, readRequest } from './protocol.ts';

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-job-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const state: JobState = { state: 'running', exitCode: null, cwd: '/w', notes: ['a note'] };

test('[K61] numbers are counted per conversation and never given twice', () => {
  const root = makeFolder();
  const make = (key: string) => makeJobFolder(root, key).sessionId;
  expect([make('a'), make('a'), make('b'), make('a')]).toEqual(['bg-1', 'bg-2', 'bg-1', 'bg-3']);
  dropFolder(join(root, 'a/bg-3'));
  dropFolder(join(root, 'a/bg-1'));
  expect([make('a'), listSessions(root, 'a')]).toEqual(['bg-4', ['bg-2', 'bg-4']]);
  // Also when the counter is damaged.
  writeFileSync(join(root, 'a/last-number'), 'nonsense');
  expect(make('a')).toBe('bg-5');
  expect(dropFolder(join(root, 'a/bg-1'))).toBe(false);
});

test('jobs are for us alone to read', () => {
  const root = makeFolder();
  const { folder } = makeJobFolder(root, 'a');
  writeState(folder, state);
  const modes = [root, join(root, 'a'), folder, join(folder, 'state.json')].map((path) => statSync(path).mode & 0o077);
  expect(modes).toEqual([0, 0, 0, 0]);
});

test('calls without a conversation share a list per workspace that no conversation can have as its id', () => {
  const of = (id: string, workspace: string, isThrowaway = true) => conversationKey({ id, workspace, isThrowaway });
  expect(of('1', '/home/me/my project')).toBe(of('2', '/home/me/my project'));
  expect(of('1', '/a/project')).not.toBe(of('1', '/b/project'));
  expect(of('1', '/home/me/my project')).toMatch(/^_my-project-[0-9a-f]{12}$/u);
  expect(isConversationKey(of('1', `/x/${'ä'.repeat(300)}`))).toBe(true);
  expect(of('own', '/a', false)).toBe('own');
});

test('a state is replaced whole, with room kept for the next one, and reads back as it was', () => {
  const folder = makeFolder();
  writeState(folder, state);
  expect(readState(folder)).toEqual(state);
  expect(statSync(join(folder, 'state.next')).size).toBe(4096);
  const end: JobState = {
    ...state,
    state: 'finished',
    exitCode: 3,
    endedAt: 'then',
    logBytes: 7,
    logLines: 2,
    notes: [],
  };
  writeState(folder, end);
  expect(readState(folder)).toEqual(end);
  expect(readdirSync(folder)).toEqual(['state.json']);
  const long: JobState = { ...end, notes: ['n'.repeat(10_000)] };
  writeState(folder, long);
  writeState(folder, end);
  expect([readState(folder), readState(`${folder}/none`).state]).toEqual([end, 'lost']);
});

test('what was damaged is no job, or a lost one, and never an error', () => {
  const folder = makeFolder();
  const own = identityOf(process.pid);
  if (own === undefined) throw new Error('no /proc');
  const record = {
    sessionId: 'bg-1', conversation: 'a', workspace: '/w', command: 'x', rung: 'namespaces', startedAt: 't', mark: 'm',
    supervisor: { ...own, id: 's' },
  } as const; // prettier-ignore
  writeRecord(folder, record);
  expect(readRecord(folder)).toEqual(record);
  for (const text of ['', '{', '[]', 'null', '{"sessionId":1}', '{"state":"running","supervisor":{}}']) {
    writeFileSync(join(folder, 'job.json'), text);
    writeFileSync(join(folder, 'state.json'), text.replace('running', 'walking'));
    expect([text, readRecord(folder), readState(folder).state]).toEqual([text, undefined, 'lost']);
  }
});

test('a process is told from another one with its number', () => {
  const own = identityOf(process.pid);
  if (own === undefined) throw new Error('no /proc');
  expect(isStillThere(own)).toBe(true);
  expect(isStillThere({ ...own, startTicks: '1' })).toBe(false);
  expect(isStillThere({ ...own, bootId: 'another start of the machine' })).toBe(false);
  expect(isStillThere({ ...own, pid: 2 ** 22 + 1 })).toBe(false);
});

test('the supervisor takes no request that it does not understand, and no path for a name', () => {
  const good = { op: 'kill', conversation: 'c', sessionId: 'bg-1' };
  expect(readRequest(JSON.stringify(good))).toEqual(good);
  const names = ['../x', '.supervisor', '', 'a/b', 'a\0', 'x'.repeat(200)];
  const bad = [
    ...names.map((conversation) => ({ ...good, conversation })),
    ...['bg-0', 'bg-', '../bg-1', 'bg-1/..', 'bg-01', 5].map((sessionId) => ({ ...good, sessionId })),
    { op: 'start', conversation: 'c', command: 'x' },
    {
      op: 'start',
      conversation: 'c',
      conversationId: 'c',
      command: 'x',
      workspace: 'relative',
      env: {},
      rung: 'namespaces',
      sources: {},
    },
    {
      op: 'start',
      conversation: 'c',
      conversationId: 'c',
      command: 'x',
      workspace: '/w',
      env: { A: 1 },
      rung: 'host',
      sources: {},
    },
    { op: 'dance' },
    'text',
    null,
  ];
  for (const each of bad) expect(() => readRequest(JSON.stringify(each)), JSON.stringify(each)).toThrow('understand');
  expect(() => readRequest('{"op":')).toThrow('understand');
  expect(names.filter(isConversationKey).concat(['bg-0', 'bg-x'].filter(isSessionId))).toEqual([]);
});

test('a full disk is told from a fault', () => {
  const full = answerOfFailure(Object.assign(new Error('no room'), { code: 'ENOSPC' }));
  expect(full).toMatchObject({ ok: false, code: 'unavailable', message: expect.stringContaining('disk is full') });
  expect(answerOfFailure(new Error('odd'))).toMatchObject({ ok: false, code: 'failed' });
});

test('the counter of a conversation is written before its number is used', () => {
  const root = makeFolder();
  mkdirSync(join(root, 'a'));
  makeJobFolder(root, 'a');
  expect(readFileSync(join(root, 'a/last-number'), 'utf8')).toBe('1\n');
});

test('what a supervisor keeps of our environment names places, and holds no key and no password', () => {
  const lasting = lastingEnvironment({
    PATH: '/bin', HOME: '/h', LANG: 'de_DE.UTF-8', TZ: 'Europe/Berlin', DOCKER_HOST: 'unix:///d',
    OPENAI_API_KEY: 'Canary', NPM_TOKEN: 'Canary', NPM_CONFIG__AUTH: 'Canary', PIP_PASSWORD: 'Canary', HANDRAIL_HOME: 'Canary',
    npm_config_registry: 'https://packages.example/npm/', PIP_INDEX_URL: 'https://me:Canary@pip.example/simple',
    GOPROXY: 'https://me:Canary@go.example,direct',
  }); // prettier-ignore
  expect(lasting).toMatchObject({
    PATH: '/bin', HOME: '/h', LANG: 'de_DE.UTF-8', TZ: 'Europe/Berlin', DOCKER_HOST: 'unix:///d',
    npm_config_registry: 'https://packages.example/npm/', PIP_INDEX_URL: 'https://pip.example/simple', GOPROXY: 'https://go.example,direct',
  }); // prettier-ignore
  expect(JSON.stringify(lasting)).not.toContain('Canary');
});
