/** Turns the arguments a caller gave into the typed input of a tool, or says what is wrong with them. */
import { ToolFailure } from '../contract/failure.ts';
import type { Tool } from '../contract/tool.ts';

type Issue = { readonly path: readonly PropertyKey[]; readonly message: string };

/**
 * Throws ToolFailure('invalid_input') that names every problem. Text is read as JSON; empty text means no arguments, as
 * several providers send it.
 */
export function parseInput(tool: Pick<Tool, 'input'>, name: string, input: unknown): unknown {
  const value = typeof input === 'string' ? parseJson(input, name) : input;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ToolFailure('invalid_input', `The arguments of ${name} must be a JSON object, not ${kindOf(value)}.`);
  }
  const parsed = tool.input.safeParse(withoutNulls(value as Record<string, unknown>));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.slice(0, 8).map(describeIssue);
  throw new ToolFailure(
    'invalid_input',
    `The arguments of ${name} do not fit its schema: ${problems.join('; ')}. Correct them and call again.`,
  );
}

function parseJson(text: string, name: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ToolFailure(
      'invalid_input',
      `The arguments of ${name} are not valid JSON (${why}). Nothing was run; send them again as one JSON object.`,
      { cause: error },
    );
  }
}

/** An explicit null means "not given": models write it for optional arguments. */
function withoutNulls(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null));
}

function describeIssue(issue: Issue): string {
  const place = issue.path.map(String).join('.');
  return place === '' ? issue.message : `${place}: ${issue.message}`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}
