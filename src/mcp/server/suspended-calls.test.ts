import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Answer, Question } from '../../contract/permission.ts';
import type { ToolRequest } from '../../contract/handrail.ts';
import type { CallOutcome } from '../../contract/output.ts';
import { createSuspendedCalls, type CallRequest, type CallStep, type SuspendedCalls } from './suspended-calls.ts';
import { createToolRuns, type ToolRuns } from './tool-runs.ts';

const question: Question = {
  id: 'q1',
  callId: 'c',
  conversationId: 'k',
  tool: 'write_file',
  title: 'Write file',
  summary: 's',
  reason: 'r',
  input: '{}',
  accesses: [],
  isDangerous: false,
  scopes: ['once'],
  hash: 'h',
};
const yes = { action: 'accept', content: { answer: 'allow once' } };
const answers: Answer[] = [];
let runs: ToolRuns;
let calls: SuspendedCalls;

/** Asks once and tells in its text what it was told. */
async function runTool(request: ToolRequest): Promise<CallOutcome> {
  const answer = await request.asker?.ask(question, request.signal ?? new AbortController().signal);
  if (answer) answers.push(answer);
  return { ok: answer?.verdict === 'allow', text: JSON.stringify(answer) };
}

function make(answerTimeoutMs: number): void {
  runs = createToolRuns({ handrail: { runTool }, approve: 'ask', conversationId: 'k', onProblem: () => undefined });
  calls = createSuspendedCalls({ runs, answerTimeoutMs });
}

beforeEach(() => {
  answers.length = 0;
  make(60_000);
});

afterEach(async () => {
  calls.close();
  await runs.end(1_000);
});

const request = (change: Partial<CallRequest> = {}): CallRequest => ({
  tool: 'write_file',
  input: { path: 'a', content: 'b' },
  canAsk: true,
  signal: new AbortController().signal,
  onProgress: () => undefined,
  ...change,
});

async function ask(): Promise<string> {
  const step = await calls.begin(request());
  if (step.kind !== 'questions') throw new Error('it did not ask');
  expect(Object.keys(step.inputRequests)).toEqual(['q1']);
  return step.token;
}

const textOf = (step: CallStep) => (step.kind === 'outcome' ? step.outcome.text : 'questions');

test('the answer reaches the call that asked, whatever the order of its arguments is now', async () => {
  const token = await ask();
  const again = request({ input: { content: 'b', path: 'a' } });
  expect(textOf(await calls.goOn(token, again, { q1: yes }))).toContain('"allow"');
});

test('[A08] a token counts once', async () => {
  const token = await ask();
  await calls.goOn(token, request(), { q1: { action: 'decline' } });
  await expect(calls.goOn(token, request(), { q1: yes })).rejects.toMatchObject({ code: 'invalid_input' });
  expect(answers).toMatchObject([{ verdict: 'deny' }]);
});

test('[A08] other arguments under the same token end the call with a no', async () => {
  const token = await ask();
  const other = request({ input: { path: 'a', content: 'evil' } });
  await expect(calls.goOn(token, other, { q1: yes })).rejects.toMatchObject({ code: 'invalid_input' });
  await runs.end(1_000);
  expect(answers).toMatchObject([{ verdict: 'deny', reason: expect.stringContaining('another call') }]);
});

test('a question that nobody answers in time is a no, and its token is worth nothing afterwards', async () => {
  make(10);
  const token = await ask();
  await expect.poll(() => answers).toMatchObject([{ verdict: 'deny', reason: expect.stringContaining('in time') }]);
  await expect(calls.goOn(token, request(), { q1: yes })).rejects.toMatchObject({ code: 'invalid_input' });
});

test('a client that goes while its question is open leaves no answer and no timer behind', async () => {
  const token = await ask();
  calls.close();
  expect(await runs.end(1_000)).toEqual([]);
  expect(answers).toEqual([]);
  await expect(calls.goOn(token, request(), { q1: yes })).rejects.toMatchObject({ code: 'invalid_input' });
});

test('a call that is cancelled while it runs ends as cancelled', async () => {
  const control = new AbortController();
  control.abort();
  const step = await calls.begin(request({ signal: control.signal }));
  expect(textOf(step)).toMatch(/cancelled/u);
  expect(answers).toEqual([]);
});
