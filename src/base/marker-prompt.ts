/** What a model is told of its tools when it calls them by text: how to write a marker, and each tool with its parameters. */

type Described = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
};
type Schema = Readonly<Record<string, unknown>>;

/** Empty when there are no tools. */
export function markerPrompt(tools: readonly Described[]): string {
  if (tools.length === 0) return '';
  return [
    'You call a tool by writing [TOOL: name {"argument": "value"}] at the beginning of a line, the arguments as one JSON object. Several calls may stand below each other. Then stop: their results come in the next message; never make one up. A marker in a code block is only shown and calls nothing. Tools (? marks what may be left out):',
    ...tools.map(describe),
  ].join('\n');
}

function describe({ name, description, inputSchema }: Described): string {
  const properties = Object.entries((inputSchema['properties'] ?? {}) as Readonly<Record<string, Schema>>);
  const required = new Set((inputSchema['required'] as readonly string[] | undefined) ?? []);
  const names = properties.map(([parameter]) => (required.has(parameter) ? parameter : `${parameter}?`));
  const lines = properties.map(([parameter, schema]) => {
    const text = typeof schema['description'] === 'string' ? `, ${oneLine(schema['description'])}` : '';
    const usual = schema['default'];
    const otherwise = ['string', 'number', 'boolean'].includes(typeof usual) ? ` = ${JSON.stringify(usual)}` : '';
    return `  ${parameter}: ${typeOf(schema)}${otherwise}${text}`;
  });
  return [`- ${name}(${names.join(', ')}): ${oneLine(description)}`, ...lines].join('\n');
}

/** In a few words; a model needs no more to write a value of it. */
function typeOf(schema: Schema): string {
  const { type, items, anyOf, oneOf } = schema;
  const values = schema['enum'] ?? ('const' in schema ? [schema['const']] : undefined);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join('|');
  const choices = anyOf ?? oneOf;
  if (Array.isArray(choices)) return [...new Set(choices.map((each) => typeOf(each as Schema)))].join('|');
  if (type === 'array') return `${isSchema(items) ? typeOf(items) : 'any'}[]`;
  if (type === 'object') return objectType(schema);
  if (Array.isArray(type)) return type.join('|');
  return typeof type === 'string' ? type : 'any';
}

function objectType(schema: Schema): string {
  const properties = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, Schema>>);
  return properties.length === 0
    ? 'object'
    : `{${properties.map(([name, each]) => `${name}: ${typeOf(each)}`).join(', ')}}`;
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
