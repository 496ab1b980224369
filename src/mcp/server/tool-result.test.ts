import { expect, test } from 'vitest';
import type { ToolStatus } from '../../contract/handrail.ts';
import type { CallOutcome } from '../../contract/output.ts';
import { toolResult } from './tool-result.ts';

const shaped = { name: 'shaped', outputSchema: { type: 'object' } } as unknown as ToolStatus;
const problems: string[] = [];

function resultOf(outcome: CallOutcome, tool?: ToolStatus, problem?: string) {
  problems.length = 0;
  return toolResult(
    outcome,
    tool,
    () => problem,
    (line) => problems.push(line),
  );
}

test('a plain result is its text and nothing else', () => {
  expect(resultOf({ ok: true, text: '' })).toEqual({ content: [{ type: 'text', text: '' }] });
});

test('data goes along as JSON carries it, with or without a promise about its shape', () => {
  const data = { when: new Date(0), gone: undefined, n: 1 };
  const sent = { when: '1970-01-01T00:00:00.000Z', n: 1 };
  expect(resultOf({ ok: true, text: 'x', data }).structuredContent).toEqual(sent);
  expect(resultOf({ ok: true, text: 'x', data }, shaped).structuredContent).toEqual(sent);
});

test('data that breaks the promise is left out and reported', () => {
  expect(resultOf({ ok: true, text: 'x', data: {} }, shaped, 'n is missing')).toEqual({
    content: [{ type: 'text', text: 'x' }],
  });
  expect(problems).toEqual(['the data of shaped does not fit its output schema and was left out: n is missing']);
});

test('a failure carries its code in text and facts', () => {
  const error = { code: 'not_found', message: 'no such file' };
  const artifact = { id: 'a', path: '/a', bytes: 1 };
  expect(resultOf({ ok: false, text: error.message, error, truncated: true, artifact })).toEqual({
    content: [{ type: 'text', text: 'Error (not_found): no such file' }],
    isError: true,
    _meta: { code: 'not_found', truncated: true, artifact },
  });
  expect(resultOf({ ok: false, text: '' }).content).toEqual([
    { type: 'text', text: 'Error (failed): no reason was given' },
  ]);
});
