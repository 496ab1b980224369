/** One typed argument as the value its JSON Schema wants. */
import type { JsonSchema } from '../../contract/model.ts';

export type TypedValue =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string };

export type SchemaKind = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'null' | 'any';

/** The first kind in this order that the text can be; text is always possible where it is allowed. */
export function readValue(text: string, schema: JsonSchema): TypedValue {
  const kinds = kindsOf(schema);
  if (kinds.length === 0 || kinds.includes('any')) return { ok: true, value: looseValue(text) };
  for (const kind of order) {
    if (!kinds.includes(kind)) continue;
    const value = readAs(kind, text, schema);
    if (value !== undefined) return { ok: true, value };
  }
  const wanted = kinds.map((kind) => words[kind]).join(' or ');
  return { ok: false, problem: `"${text}" is not ${wanted}.` };
}

/** The kind when there is only one (null apart), else 'any'. */
export function schemaKind(schema: JsonSchema): SchemaKind {
  const kinds = kindsOf(schema).filter((kind) => kind !== 'null');
  return kinds.length === 1 ? (kinds[0] ?? 'any') : 'any';
}

const order: readonly SchemaKind[] = ['null', 'boolean', 'integer', 'number', 'array', 'object', 'string'];

const words: Readonly<Record<SchemaKind, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a JSON object',
  null: 'null',
  any: 'anything',
};

function readAs(kind: SchemaKind, text: string, schema: JsonSchema): unknown {
  switch (kind) {
    case 'null':
      return text === 'null' ? null : undefined;
    case 'boolean':
      return /^(true|yes)$/i.test(text) ? true : /^(false|no)$/i.test(text) ? false : undefined;
    case 'integer':
    case 'number': {
      const value = text.trim() === '' ? Number.NaN : Number(text);
      return Number.isFinite(value) && (kind === 'number' || Number.isInteger(value)) ? value : undefined;
    }
    case 'array':
      return arrayValue(text, schema);
    case 'object': {
      const value = jsonValue(text);
      return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
    }
    default:
      return text;
  }
}

/** JSON, or one item; a repeated argument adds items. */
function arrayValue(text: string, schema: JsonSchema): unknown {
  const value = jsonValue(text);
  if (Array.isArray(value)) return value;
  const items = schema['items'];
  const item = readValue(text, isSchema(items) ? items : {});
  return item.ok ? [item.value] : undefined;
}

/** Where nothing is said about the kind: JSON if it is some, else the text. */
function looseValue(text: string): unknown {
  const value = jsonValue(text);
  return value === undefined ? text : value;
}

function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No JSON: the caller has another reading for it.
    return undefined;
  }
}

function kindsOf(schema: JsonSchema): readonly SchemaKind[] {
  const type = schema['type'];
  if (typeof type === 'string') return [asKind(type)];
  if (Array.isArray(type)) return type.map((each) => asKind(String(each)));
  const choices = [schema['anyOf'], schema['oneOf'], schema['allOf']].find(Array.isArray);
  if (choices !== undefined) return choices.flatMap((each: unknown) => (isSchema(each) ? kindsOf(each) : []));
  const values = Array.isArray(schema['enum']) ? schema['enum'] : 'const' in schema ? [schema['const']] : undefined;
  return values === undefined
    ? ['any']
    : [...new Set(values.map((value: unknown) => (value === null ? 'null' : asKind(typeof value))))];
}

const asKind = (name: string): SchemaKind => order.find((kind) => kind === name) ?? 'any';

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
