/** What a sent line means: a message, `!command`, or `/tool key=value` and `/tool {json}`. Pure. */
import type { ToolStatus } from '../../contract/handrail.ts';
import type { JsonSchema } from '../../contract/model.ts';

export type Typed =
  | { readonly kind: 'message'; readonly text: string }
  | { readonly kind: 'call'; readonly tool: string; readonly input: Readonly<Record<string, unknown>> }
  /** `hint`: what stands in the way, as a key of the table and its gaps. */
  | {
      readonly kind: 'problem';
      readonly problem: 'no-command' | 'no-shell' | 'no-tool' | 'no-json' | 'no-name' | 'no-quote';
      readonly what: string;
    };

/** A text that begins with two slashes or with a backslash before "!" or "/" is a message that begins with one. */
export function readTyped(text: string, tools: readonly ToolStatus[]): Typed {
  const line = text.trim();
  if (line.startsWith('//') || /^\\[!/]/.test(line)) return { kind: 'message', text: line.slice(1) };
  if (line.startsWith('!')) return readCommand(line.slice(1).trim(), tools);
  const match = /^\/([A-Za-z][A-Za-z0-9_-]*)(?:\s+([\s\S]*))?$/.exec(line);
  if (match === null) return { kind: 'message', text: line };
  const [, name = '', rest = ''] = match;
  const tool = findTool(name, tools);
  if (tool === undefined) return { kind: 'problem', problem: 'no-tool', what: name };
  return readCall(tool, rest.trim());
}

/** The tool that runs shell commands goes by this name as well, whatever it is called here. */
const shellAlias = 'bash';

function readCommand(command: string, tools: readonly ToolStatus[]): Typed {
  if (command === '') return { kind: 'problem', problem: 'no-command', what: '' };
  const shell = findTool(shellAlias, tools);
  return shell === undefined
    ? { kind: 'problem', problem: 'no-shell', what: '' }
    : { kind: 'call', tool: shell.name, input: { command } };
}

export function findTool(name: string, tools: readonly ToolStatus[]): ToolStatus | undefined {
  const wanted = name.toLowerCase().replaceAll('-', '_');
  return tools.find((each) => each.name === wanted || each.aliases.includes(wanted));
}

function readCall(tool: ToolStatus, rest: string): Typed {
  if (rest.startsWith('{')) return readJson(tool, rest);
  const properties = propertiesOf(tool.inputSchema);
  const input: Record<string, unknown> = {};
  for (const { name, value, isOpen } of words(rest)) {
    if (isOpen) return { kind: 'problem', problem: 'no-quote', what: name ?? value };
    const key = name ?? firstFree(tool.inputSchema, input);
    if (key === undefined) return { kind: 'problem', problem: 'no-name', what: value };
    const given = typedValue(value, properties[key]);
    // A repeated argument adds items.
    input[key] = Array.isArray(input[key]) ? [...input[key], ...(Array.isArray(given) ? given : [given])] : given;
  }
  return { kind: 'call', tool: tool.name, input };
}

function readJson(tool: ToolStatus, text: string): Typed {
  try {
    const input: unknown = JSON.parse(text);
    if (typeof input === 'object' && input !== null) return { kind: 'call', tool: tool.name, input: { ...input } };
  } catch {
    // Told below, with the tool's name.
  }
  return { kind: 'problem', problem: 'no-json', what: tool.name };
}

type Word = { readonly name: string | undefined; readonly value: string; readonly isOpen: boolean };

/** `name=value` and values alone, with quotes as in a shell. */
function words(text: string): readonly Word[] {
  const found: Word[] = [];
  const pattern =
    /(?:([A-Za-z_][\w.-]*)=)?([[{]\S*[\]}](?=\s|$)|(?:"(?:[^"\\]|\\[\s\S])*"|'[^']*'|[^\s"'])+|["'][\s\S]*)/g;
  for (const [, name, raw = ''] of text.matchAll(pattern)) {
    const isOpen = /^["']/.test(raw) && !/^("(?:[^"\\]|\\[\s\S])*"|'[^']*')/.test(raw);
    // Quotes within JSON are its own.
    found.push({ name, value: isOpen || /^[[{]/.test(raw) ? raw : unquoted(raw), isOpen });
  }
  return found;
}

const unquoted = (raw: string): string =>
  raw.replace(/"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'/g, (_, double: string | undefined, single: string | undefined) =>
    double === undefined ? (single ?? '') : double.replace(/\\(["\\$`])/g, '$1').replaceAll('\\n', '\n'),
  );

/** As its schema wants it, where the text can be that; else the text, and the tool says what is wrong with it. */
function typedValue(text: string, schema: JsonSchema | undefined): unknown {
  const kinds = kindsOf(schema);
  if (kinds.includes('boolean') && /^(true|false)$/.test(text)) return text === 'true';
  if (kinds.some((kind) => kind === 'number' || kind === 'integer') && /^-?\d+(\.\d+)?$/.test(text))
    return Number(text);
  if (kinds.includes('array')) {
    const list = parsed(text);
    return Array.isArray(list) ? list : [text];
  }
  if (kinds.includes('object')) return parsed(text) ?? text;
  return text;
}

function kindsOf(schema: JsonSchema | undefined): readonly string[] {
  const type = schema?.['type'];
  if (Array.isArray(type)) return type.map(String);
  const choices = schema?.['anyOf'] ?? schema?.['oneOf'];
  if (Array.isArray(choices)) return choices.flatMap((each: JsonSchema) => kindsOf(each));
  return typeof type === 'string' ? [type] : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: the caller has another reading for it.
    return undefined;
  }
}

export function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const properties = schema['properties'];
  return typeof properties === 'object' && properties !== null ? { ...properties } : {};
}

/** A value without a name goes to the first required argument that has none yet. */
function firstFree(schema: JsonSchema, input: Readonly<Record<string, unknown>>): string | undefined {
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
  return required.find((name) => !(name in input));
}
