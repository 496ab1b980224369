/** `handrail run … --json` as a script uses it: whatever happens, its scripting contract must hold. */
import { expect } from 'vitest';
import type { CallOutcome } from '../../src/contract/output.ts';
import type { ProgramWorld, RunEnd, StartOptions } from './program.ts';

export type ToolCall = RunEnd & { readonly outcome: CallOutcome };

export type ToolCallOptions = StartOptions & {
  /** Behind `--json`. */
  readonly flags?: readonly string[];
};

/** `input`: an object, or the text of the argument as it is. */
export async function callTool(
  world: Pick<ProgramWorld, 'run'>,
  tool: string,
  input: unknown = {},
  options: ToolCallOptions = {},
): Promise<ToolCall> {
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  const end = await world.run(['run', tool, text, '--json', ...(options.flags ?? [])], options);
  return { ...end, outcome: expectOutcome(end) };
}

/** The data of a call that must succeed. */
export async function dataOf(
  world: Pick<ProgramWorld, 'run'>,
  tool: string,
  input: unknown = {},
  options: ToolCallOptions = {},
): Promise<Readonly<Record<string, unknown>>> {
  const call = await callTool(world, tool, input, options);
  expect(call.outcome.ok, call.outcome.text).toBe(true);
  return call.outcome.data ?? {};
}

const fields = new Set(['ok', 'text', 'data', 'error', 'truncated', 'artifact']);

/** Exactly one JSON object and a line break on standard output, the exit code that belongs to it, and no stack anywhere. */
export function expectOutcome(end: Pick<RunEnd, 'code' | 'stdout' | 'stderr'>): CallOutcome {
  expectNoStack(end);
  expect(end.stdout, `standard error: ${end.stderr}`).toMatch(/^\{.*\}\n$/u);
  const outcome = JSON.parse(end.stdout) as CallOutcome;
  expect(Object.keys(outcome).filter((key) => !fields.has(key))).toEqual([]);
  expect(typeof outcome.text).toBe('string');
  if (outcome.ok) {
    expect(end.code, end.stderr).toBe(0);
    expect(outcome.error).toBeUndefined();
  } else {
    expect([1, 2]).toContain(end.code);
    expect(outcome.error).toEqual({ code: expect.stringMatching(/^[a-z_]+$/u), message: outcome.text });
    expect(outcome.text).not.toBe('');
  }
  return outcome;
}

/** One line on standard error, nothing on standard output, and the exit code. */
export function expectOneLine(end: Pick<RunEnd, 'code' | 'stdout' | 'stderr'>, code: 1 | 2): string {
  expectNoStack(end);
  expect(end.stderr).toMatch(/^handrail: [^\n]+\n$/u);
  expect({ code: end.code, stdout: end.stdout }).toEqual({ code, stdout: '' });
  return end.stderr;
}

export function expectNoStack(end: Pick<RunEnd, 'stdout' | 'stderr'>): void {
  expect(`${end.stdout}${end.stderr}`).not.toMatch(/^\s+at .*[:(]/mu);
}
