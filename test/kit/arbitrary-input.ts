/** Inputs for a tool, made from its JSON Schema: most fit, some are odd. */
import fc from 'fast-check';

type Schema = Readonly<Record<string, unknown>>;

export function arbitraryOf(schema: Schema): fc.Arbitrary<unknown> {
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]));
  if (schema['const'] !== undefined) return fc.constant(schema['const']);
  const choices = (schema['anyOf'] ?? schema['oneOf']) as readonly Schema[] | undefined;
  if (choices !== undefined) return fc.oneof(...choices.map(arbitraryOf));
  switch (schema['type']) {
    case 'object':
      return arbitraryObject(schema);
    case 'array':
      return fc.array(arbitraryOf((schema['items'] as Schema | undefined) ?? {}), { maxLength: 3 });
    case 'integer':
      return fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer());
    case 'number':
      return fc.oneof(fc.integer({ min: 1, max: 100 }), fc.double({ noNaN: true }));
    case 'boolean':
      return fc.boolean();
    case 'string':
      return fc.oneof(
        fc.string(),
        fc.string({ unit: 'binary' }),
        fc.constantFrom('a.txt', '../x', '/etc/passwd', '~', '', 'a\nb', 'x'.repeat(500)),
      );
    default:
      return fc.jsonValue();
  }
}

function arbitraryObject(schema: Schema): fc.Arbitrary<unknown> {
  const properties = (schema['properties'] as Readonly<Record<string, Schema>> | undefined) ?? {};
  const required = (schema['required'] as string[] | undefined) ?? [];
  if (Object.keys(properties).length === 0) return fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 });
  const fields = Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, arbitraryOf(each)]));
  return fc.record(fields, { requiredKeys: required });
}
