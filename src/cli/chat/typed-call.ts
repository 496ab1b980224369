/** Reads what a person types to call a tool: `/name key=value key2="quoted value"`, `/name {json}` or `/name value`. */
import { editDistance } from '../../base/edit-distance.ts';
import type { JsonSchema } from '../../contract/model.ts';
import { readValue, schemaKind } from './typed-value.ts';

export type TypedCall = { readonly name: string; readonly rest: string };

export type TypedInput =
  | { readonly ok: true; readonly input: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problem: string };

/** Undefined when the text is no call: a path such as "/etc/hosts" is a message. */
export function splitTypedCall(text: string): TypedCall | undefined {
  const match = /^\/([A-Za-z][A-Za-z0-9_-]*)(?:\s+([\s\S]*))?$/.exec(text.trim());
  return match === null ? undefined : { name: match[1] ?? '', rest: (match[2] ?? '').trim() };
}

/** Types come from the tool's schema: `5` is a number where one is wanted and text elsewhere. */
export function readTypedInput(rest: string, schema: JsonSchema): TypedInput {
  if (rest.startsWith('{')) return readJson(rest);
  const words = splitWords(rest);
  if (typeof words === 'string') return { ok: false, problem: words };
  const properties = propertiesOf(schema);
  const input: Record<string, unknown> = {};
  for (const word of words) {
    const named = word.name === undefined ? firstFree(schema, input) : word.name;
    if (named === undefined) return { ok: false, problem: `"${word.value}" has no name. Write it as key=value.` };
    const property = properties[named];
    if (property === undefined) return { ok: false, problem: unknownName(named, Object.keys(properties)) };
    const value = readValue(word.value, property);
    if (!value.ok) return { ok: false, problem: `${named}: ${value.problem}` };
    if (!(named in input)) input[named] = value.value;
    else if (Array.isArray(input[named]) && Array.isArray(value.value))
      input[named] = [...input[named], ...value.value];
    else return { ok: false, problem: `${named} is given twice.` };
  }
  return { ok: true, input };
}

function readJson(text: string): TypedInput {
  try {
    const input: unknown = JSON.parse(text);
    if (typeof input === 'object' && input !== null && !Array.isArray(input)) return { ok: true, input: { ...input } };
    return { ok: false, problem: 'the arguments must be a JSON object.' };
  } catch (error) {
    return {
      ok: false,
      problem: `the arguments are no valid JSON (${error instanceof Error ? error.message : 'unknown'}).`,
    };
  }
}

type Word = { readonly name: string | undefined; readonly value: string };

/** Words of `name=value`, with quotes as in a shell; a text when a quote is missing. */
function splitWords(text: string): readonly Word[] | string {
  const words: Word[] = [];
  for (let at = 0; at < text.length;) {
    if (/\s/.test(text[at] ?? '')) {
      at += 1;
      continue;
    }
    const name = /^[A-Za-z_][A-Za-z0-9_.-]*(?==)/.exec(text.slice(at, at + 200))?.[0];
    if (name !== undefined) at += name.length + 1;
    const read = readWord(text, at);
    if (read === undefined) return `a quote is missing at the end of ${name === undefined ? 'the text' : name}.`;
    words.push({ name, value: read.value });
    at = read.end;
  }
  return words;
}

/** Quoted and bare pieces joined up to the next space; brackets of JSON hold spaces too. Undefined: no closing quote. */
function readWord(text: string, from: number): { readonly value: string; readonly end: number } | undefined {
  const json = jsonAt(text, from);
  if (json !== undefined) return { value: json, end: from + json.length };
  let value = '';
  let at = from;
  while (at < text.length && !/\s/.test(text[at] ?? '')) {
    const quote = text[at];
    if (quote !== '"' && quote !== "'") {
      value += quote;
      at += 1;
      continue;
    }
    const quoted = quote === '"' ? /"((?:[^"\\]|\\[\s\S])*)"/y : /'([^']*)'/y;
    quoted.lastIndex = at;
    const match = quoted.exec(text);
    if (match === null) return undefined;
    value += quote === '"' ? unescaped(match[1] ?? '') : (match[1] ?? '');
    at = quoted.lastIndex;
  }
  return { value, end: at };
}

/** Each try reads the text once more: pasted text full of brackets must not take for ever. */
const mostTries = 50;

/** The JSON array or object that begins here and ends at a space or the end, if there is one. */
function jsonAt(text: string, from: number): string | undefined {
  if (text[from] !== '[' && text[from] !== '{') return undefined;
  let tries = 0;
  for (let end = text.length; end > from + 1 && tries < mostTries; end -= 1) {
    const last = text[end - 1];
    if ((last !== ']' && last !== '}') || (end < text.length && !/\s/.test(text[end] ?? ''))) continue;
    tries += 1;
    try {
      JSON.parse(text.slice(from, end));
      return text.slice(from, end);
    } catch {
      // Not whole or not JSON up to here: a shorter piece may be.
    }
  }
  return undefined;
}

const named: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

const unescaped = (text: string): string =>
  text.replace(/\\([\s\S])/g, (whole, letter: string) => named[letter] ?? ('"\\$`'.includes(letter) ? letter : whole));

function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const properties = schema['properties'];
  return typeof properties === 'object' && properties !== null ? { ...properties } : {};
}

/** A value without a name goes to the first required argument that has none yet. */
function firstFree(schema: JsonSchema, input: Readonly<Record<string, unknown>>): string | undefined {
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
  const properties = propertiesOf(schema);
  const free = required.find((name) => !(name in input));
  return free !== undefined && schemaKind(properties[free] ?? {}) === 'string' ? free : undefined;
}

function unknownName(name: string, names: readonly string[]): string {
  const near = names.filter((each) => editDistance(each.toLowerCase(), name.toLowerCase()) <= 2);
  const hint =
    near.length > 0
      ? `Did you mean ${near.join(' or ')}?`
      : names.length > 0
        ? `It takes ${names.join(', ')}.`
        : 'It takes none.';
  return `there is no argument "${name}". ${hint}`;
}
