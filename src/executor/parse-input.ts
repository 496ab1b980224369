/** Turns the arguments a caller gave into the typed input of a tool, or says what is wrong with them. */
import { findJsonProblem, repairJson } from '../base/repair-json.ts';
import { ToolFailure } from '../contract/failure.ts';
import type { Tool } from '../contract/tool.ts';
import { fitValue } from './fit-value.ts';

type Issue = { readonly path: readonly PropertyKey[]; readonly message: string };
type Arguments = Readonly<Record<string, unknown>>;

export type ParsedInput = {
  readonly input: unknown;
  /** What was mended before they were read; undefined: nothing. */
  readonly mended?: {
    /** The arguments that were read, as JSON text. */
    readonly written: string;
    /** In words, for the model and for people. */
    readonly repairs: readonly string[];
  };
};

/** How much of the text is shown on each side of a problem. */
const contextChars = 32;

/**
 * Throws ToolFailure('invalid_input') that names every problem. Text is read as JSON; empty text means no arguments, as
 * several providers send it. What can be meant in one way only is mended, everything else is sent back: nothing is guessed.
 */
export function parseInput(tool: Pick<Tool, 'input'>, name: string, input: unknown): ParsedInput {
  const { value, repairs } = typeof input === 'string' ? readJson(input, name) : { value: input, repairs: [] };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ToolFailure('invalid_input', `The arguments of ${name} must be a JSON object, not ${kindOf(value)}.`);
  }
  const given = withoutNulls(value as Arguments);
  const parsed = tool.input.safeParse(given);
  if (parsed.success) return toParsed(parsed.data, value, repairs);
  const fitted = fitValue(given, (each) => tool.input.safeParse(each));
  if (fitted !== undefined) return toParsed(fitted.input, fitted.value, [...repairs, ...fitted.repairs]);
  const problems = parsed.error.issues.slice(0, 8).map(describeIssue);
  throw new ToolFailure(
    'invalid_input',
    `The arguments of ${name} do not fit its schema: ${problems.join('; ')}. Correct them and call again.`,
  );
}

function toParsed(input: unknown, value: unknown, repairs: readonly string[]): ParsedInput {
  return repairs.length === 0 ? { input } : { input, mended: { written: JSON.stringify(value), repairs } };
}

function readJson(text: string, name: string): { readonly value: unknown; readonly repairs: readonly string[] } {
  if (text.trim() === '') return { value: {}, repairs: [] };
  let value: unknown;
  let failure: Error | undefined;
  try {
    value = JSON.parse(text);
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
  }
  if (failure === undefined && typeof value !== 'string') return { value, repairs: [] };
  const repaired = repairJson(text);
  if (repaired !== undefined) return { value: JSON.parse(repaired.text), repairs: repaired.repairs };
  if (failure === undefined) return { value, repairs: [] };
  throw new ToolFailure(
    'invalid_input',
    `The arguments of ${name} are not valid JSON: ${explain(text)}. Nothing was run; send them again as one JSON object.`,
    { cause: failure },
  );
}

/** Where and what, with a little of the text around it. */
function explain(given: string): string {
  const { at, what, text } = findJsonProblem(given) ?? { at: 0, what: 'they cannot be read', text: given };
  const before = text.slice(Math.max(0, at - contextChars), at);
  if (at >= text.length) {
    return `they end too early, behind ${JSON.stringify(before)}: ${what}. Long content may have to go in several calls`;
  }
  return `${what} at character ${at + 1}, between ${JSON.stringify(before)} and ${JSON.stringify(text.slice(at, at + contextChars))}`;
}

/** An explicit null means "not given": models write it for optional arguments. */
function withoutNulls(value: Arguments): Arguments {
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
