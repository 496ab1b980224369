import { expect, test } from 'vitest';
import type { ToolRequest } from '../../contract/handrail.ts';
import type { CallOutcome } from '../../contract/output.ts';
import { ToolFailure } from '../../contract/failure.ts';
import { createElicitingAsker } from './asker.ts';
import { createToolRuns } from './tool-runs.ts';

const asker = createElicitingAsker(undefined);
const done: CallOutcome = { ok: true, text: 'done' };

function runsOver(runTool: (request: ToolRequest) => Promise<CallOutcome>) {
  const problems: string[] = [];
  const runs = createToolRuns({
    handrail: { runTool },
    approve: 'ask',
    conversationId: 'mcp-1',
    onProblem: (line) => problems.push(line),
  });
  const start = (tool: string) => runs.start({ tool, input: { a: 1 }, asker, onProgress: () => undefined });
  return { runs, start, problems };
}

const untilAborted = (request: ToolRequest) =>
  new Promise<CallOutcome>((resolve) => {
    request.signal?.addEventListener('abort', () => {
      const reason = request.signal?.reason as ToolFailure;
      resolve({ ok: false, text: reason.message, error: { code: reason.code, message: reason.message } });
    });
  });

test('a call goes to the one executor, as MCP, in the conversation of the connection', async () => {
  const seen: ToolRequest[] = [];
  const { start } = runsOver((request) => (seen.push(request), Promise.resolve(done)));
  expect(await start('say').outcome).toEqual(done);
  expect(seen[0]).toMatchObject({
    tool: 'say',
    input: { a: 1 },
    origin: 'mcp',
    approve: 'ask',
    conversationId: 'mcp-1',
    asker,
  });
});

test.each([
  [new ToolFailure('conflict', 'taken'), 'conflict'],
  [new Error('disk full'), 'failed'],
])('what is thrown becomes an outcome and is reported: %s', async (error, code) => {
  const { start, problems } = runsOver(() => Promise.reject(error));
  expect(await start('say').outcome).toEqual({
    ok: false,
    text: error.message,
    error: { code, message: error.message },
  });
  expect(problems).toEqual([`say could not be run: ${error.message}`]);
});

test('cancelling ends one call, the end of the connection all of them, each with its reason', async () => {
  const { runs, start } = runsOver(untilAborted);
  const first = start('a');
  const second = start('b');
  first.cancel();
  expect((await first.outcome).text).toBe('The MCP client cancelled the call.');
  expect(await runs.end(5_000)).toEqual([]);
  expect((await second.outcome).text).toBe('The MCP client has gone.');
});

test('a call that comes after the end is cancelled at once', async () => {
  const { runs, start } = runsOver(untilAborted);
  await runs.end(5_000);
  expect((await start('late').outcome).error?.code).toBe('cancelled');
});

test('a tool that ignores its cancellation is named and does not keep the connection', async () => {
  const { runs, start } = runsOver(() => new Promise(() => undefined));
  void start('stubborn');
  expect(await runs.end(20)).toEqual(['stubborn']);
});
