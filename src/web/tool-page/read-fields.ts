/** The fields of a form, from the schema of a tool's input; and what was entered, as the input. Pure. */
import type { JsonSchema } from '../../contract/model.ts';

export type Field = {
  readonly name: string;
  readonly hint: string;
  readonly isRequired: boolean;
  /** What stands in for it when it is left out, as text. Empty: nothing that is known. */
  readonly fallback: string;
  readonly kind: 'text' | 'number' | 'flag' | 'choice' | 'list' | 'json';
  /** Of a choice. */
  readonly choices: readonly string[];
};

/** What was entered, by field, as text. Empty: it is left out. */
export type Entered = Readonly<Record<string, string>>;

export type ReadInput =
  | { readonly input: Readonly<Record<string, unknown>> }
  /** The fields that cannot be what they should, each with the reason. */
  | { readonly problems: Readonly<Record<string, 'missing' | 'no-number' | 'no-json'>> };

export function readFields(schema: JsonSchema): readonly Field[] {
  const required = listOf(schema['required']);
  return Object.entries(recordOf(schema['properties'])).map(([name, given]) => {
    const property = recordOf(given);
    const choices = listOf(property['enum']).map(String);
    const fallback = property['default'];
    return {
      name,
      hint: String(property['description'] ?? ''),
      isRequired: required.includes(name),
      fallback: fallback === undefined ? '' : typeof fallback === 'string' ? fallback : JSON.stringify(fallback),
      kind: kindOf(property),
      choices,
    };
  });
}

function kindOf(property: Readonly<Record<string, unknown>>): Field['kind'] {
  const { type } = property;
  if (Array.isArray(property['enum'])) return 'choice';
  if (type === 'string') return 'text';
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'boolean') return 'flag';
  return type === 'array' && recordOf(property['items'])['type'] === 'string' ? 'list' : 'json';
}

/** Whether a number is too large and a text no path says the tool itself, as it does to a model. */
export function readEntered(fields: readonly Field[], entered: Entered): ReadInput {
  const input: Record<string, unknown> = {};
  const problems: Record<string, 'missing' | 'no-number' | 'no-json'> = {};
  for (const field of fields) {
    const text = entered[field.name] ?? '';
    // An empty text can be meant only where there must be one.
    if (text === '' && !(field.isRequired && field.kind === 'text')) {
      if (field.isRequired) problems[field.name] = 'missing';
      continue;
    }
    const value = valueOf(field, text);
    if (value === undefined) problems[field.name] = field.kind === 'number' ? 'no-number' : 'no-json';
    else input[field.name] = value;
  }
  return Object.keys(problems).length > 0 ? { problems } : { input };
}

function valueOf(field: Field, text: string): unknown {
  switch (field.kind) {
    case 'text':
    case 'choice':
      return text;
    case 'flag':
      return text === 'true';
    case 'number': {
      const value = Number(text.trim());
      return text.trim() === '' || !Number.isFinite(value) ? undefined : value;
    }
    case 'list':
      return text.split('\n').filter((line) => line !== '');
    case 'json':
      try {
        return JSON.parse(text) as unknown;
      } catch {
        // Told beside the field.
        return undefined;
      }
  }
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
