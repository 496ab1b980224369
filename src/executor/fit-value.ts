/** Makes arguments fit a schema that they miss by a type alone, where only one value can be meant: "5" for a number. */
import type { z } from 'zod';

type Issue = { readonly code?: string | undefined; readonly path: readonly PropertyKey[]; readonly expected?: unknown };
type Parsed = { readonly success: boolean; readonly data?: unknown; readonly error?: z.ZodError };

export type FittedValue = { readonly input: unknown; readonly value: unknown; readonly repairs: readonly string[] };

/** What was text may hold arguments of the wrong type in turn. */
const maxPasses = 3;
const numberText = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const booleans: Readonly<Record<string, boolean>> = { true: true, false: false, True: true, False: false };

/** Undefined: it does not fit, whatever is tried. */
export function fitValue(value: unknown, parse: (value: unknown) => Parsed): FittedValue | undefined {
  const repairs: string[] = [];
  let current = value;
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const parsed = parse(current);
    if (parsed.success) return { input: parsed.data, value: current, repairs };
    const issues: readonly Issue[] = parsed.error?.issues ?? [];
    const fits = issues.map((issue) => fitOne(at(current, issue.path), issue));
    if (fits.length === 0 || fits.includes(undefined)) return undefined;
    for (const [index, fit] of fits.entries()) {
      const path = issues[index]?.path ?? [];
      if (fit === undefined) continue;
      current = withAt(current, path, fit.value);
      repairs.push(`${path.map(String).join('.')} was ${fit.what}`);
    }
  }
  return undefined;
}

type Fit = { readonly value: unknown; readonly what: string };

function fitOne(given: unknown, { code, expected }: Issue): Fit | undefined {
  if (code !== 'invalid_type' || typeof given !== 'string') return undefined;
  switch (expected) {
    case 'number':
    case 'int':
      return numberText.test(given) ? { value: Number(given), what: 'text and is taken as a number' } : undefined;
    case 'boolean':
      return Object.hasOwn(booleans, given) ? { value: booleans[given], what: `text and is taken as ${given.toLowerCase()}` } : undefined; // prettier-ignore
    case 'array':
      return fitArray(given);
    case 'object':
    case 'record':
      return fitObject(given);
    default:
      return undefined;
  }
}

/** One entry where many may be given; text with a comma or a line break could be several. */
function fitArray(given: string): Fit | undefined {
  const parsed = parseJson(given);
  if (Array.isArray(parsed)) return { value: parsed, what: 'JSON text and is taken as the array in it' };
  if (given.trim() === '' || /[,\n[\]{}]/.test(given)) return undefined;
  return { value: [given], what: 'a single text and is taken as an array of it' };
}

function fitObject(given: string): Fit | undefined {
  const parsed = parseJson(given);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined;
  return { value: parsed, what: 'JSON text and is taken as the object in it' };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No JSON: then it is taken for what it is.
    return undefined;
  }
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as Record<PropertyKey, unknown>)[key];
  }
  return current;
}

/** A copy: what the caller gave stays as it was. */
function withAt(value: unknown, [key, ...rest]: readonly PropertyKey[], replacement: unknown): unknown {
  if (key === undefined) return replacement;
  if (Array.isArray(value)) {
    return value.map((each: unknown, index) => (index === key ? withAt(each, rest, replacement) : each));
  }
  const entries = Object.entries(value as Readonly<Record<string, unknown>>);
  return Object.fromEntries(
    entries.map(([name, each]) => [name, name === key ? withAt(each, rest, replacement) : each]),
  );
}
