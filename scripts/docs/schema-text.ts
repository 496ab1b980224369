/** A JSON Schema in a few words. */
import type { JsonSchema } from '../../src/contract/model.ts';

export function describeType(schema: JsonSchema): string {
  const { type, items, minimum, exclusiveMinimum, maximum } = schema;
  const choices = schema['enum'] as readonly unknown[] | undefined;
  if (choices !== undefined) return choices.map((choice) => `\`${String(choice)}\``).join(', ');
  if ('const' in schema) return `\`${String(schema['const'])}\``;
  const parts = (schema['anyOf'] ?? schema['oneOf']) as readonly JsonSchema[] | undefined;
  if (parts !== undefined) return parts.map(describeType).join(' or ');
  if (type === 'array') return `list of ${describeType((items ?? {}) as JsonSchema)}`;
  if (Array.isArray(type)) return type.join(' or ');
  const bounds = [
    ...boundText('from', minimum, Number.MIN_SAFE_INTEGER),
    ...boundText('above', exclusiveMinimum, Number.NEGATIVE_INFINITY),
    ...boundText('to', maximum, Number.MAX_SAFE_INTEGER),
  ];
  return [typeof type === 'string' ? type : 'anything', ...bounds].join(' ');
}

/** What a double can hold exactly is no bound that anybody set. */
function boundText(word: string, bound: unknown, natural: number): readonly string[] {
  return bound === undefined || bound === natural ? [] : [`${word} ${String(bound)}`];
}
