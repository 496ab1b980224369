/** What Tab can finish: slash commands, tool names, and the names of a tool's arguments. */
import type { ToolStatus } from '../../contract/handrail.ts';
import { slashCommands } from './slash-commands.ts';

export type Candidate = {
  /** The whole text after choosing it. */
  readonly text: string;
  readonly label: string;
  readonly detail: string;
};

/** Empty when the text is no beginning of a command, or already whole. */
export function candidatesFor(text: string, tools: readonly ToolStatus[]): readonly Candidate[] {
  const beginning = /^\/([A-Za-z0-9_-]*)$/.exec(text)?.[1];
  if (beginning !== undefined) return namesFor(beginning.toLowerCase(), tools);
  const argument = /^\/([A-Za-z0-9_-]+)\s(?:.*\s)?([A-Za-z0-9_]*)$/s.exec(text);
  const tool = tools.find((each) => each.name === argument?.[1] || each.aliases.includes(argument?.[1] ?? ''));
  return argument === null || tool === undefined || text.includes('{')
    ? []
    : argumentsFor(text, argument[2] ?? '', tool);
}

/** As far as all candidates agree; the text itself when they agree on nothing more. */
export function sharedText(candidates: readonly Candidate[], text: string): string {
  const first = candidates[0]?.text ?? text;
  if (candidates.length === 1) return first;
  let length = first.length;
  for (const each of candidates) while (!each.text.startsWith(first.slice(0, length))) length -= 1;
  return length > text.length ? first.slice(0, length).trimEnd() : text;
}

function namesFor(beginning: string, tools: readonly ToolStatus[]): readonly Candidate[] {
  const commands = slashCommands.map(({ name, does }) => ({ text: `/${name}`, label: `/${name}`, detail: does }));
  const enabled = tools
    .filter((tool) => tool.isEnabled)
    .map((tool) => ({ text: `/${tool.name} `, label: `/${tool.name}`, detail: tool.title }));
  return [...commands, ...enabled].filter(
    (each) => each.label.slice(1).startsWith(beginning) && each.label.slice(1) !== beginning,
  );
}

function argumentsFor(text: string, beginning: string, tool: ToolStatus): readonly Candidate[] {
  const properties = tool.inputSchema['properties'];
  if (typeof properties !== 'object' || properties === null) return [];
  const before = text.slice(0, text.length - beginning.length);
  const given = new Set([...text.matchAll(/(?:^|\s)([A-Za-z_][A-Za-z0-9_]*)=/g)].map((match) => match[1]));
  return Object.entries(properties)
    .filter(([name]) => name.startsWith(beginning) && !given.has(name))
    .map(([name, schema]) => ({ text: `${before}${name}=`, label: `${name}=`, detail: descriptionOf(schema) }));
}

function descriptionOf(schema: unknown): string {
  if (typeof schema !== 'object' || schema === null || !('description' in schema)) return '';
  return String(schema.description).split(/(?<=\.)\s/)[0] ?? '';
}
