/** What can stand after a slash: names of tools, then the names of a tool's arguments. Pure. */
import type { ToolStatus } from '../../contract/handrail.ts';
import { findTool, propertiesOf } from './read-typed.ts';

export type Candidate = {
  /** The whole text after choosing it. */
  readonly text: string;
  readonly label: string;
  readonly detail: string;
};

const most = 8;

export function candidatesFor(text: string, tools: readonly ToolStatus[]): readonly Candidate[] {
  const beginning = /^\/([A-Za-z0-9_-]*)$/.exec(text)?.[1]?.toLowerCase();
  if (beginning !== undefined) {
    return tools
      .filter((tool) => tool.isEnabled && tool.name.includes(beginning))
      .sort((left, right) => Number(right.name.startsWith(beginning)) - Number(left.name.startsWith(beginning)))
      .slice(0, most)
      .map((tool) => ({ text: `/${tool.name} `, label: `/${tool.name}`, detail: tool.title }));
  }
  const argument = /^\/([A-Za-z0-9_-]+)\s(?:.*\s)?([A-Za-z0-9_]*)$/s.exec(text);
  const tool = argument === null ? undefined : findTool(argument[1] ?? '', tools);
  if (argument === null || tool === undefined || text.includes('{')) return [];
  return argumentsFor(text, argument[2] ?? '', tool);
}

function argumentsFor(text: string, beginning: string, tool: ToolStatus): readonly Candidate[] {
  const before = text.slice(0, text.length - beginning.length);
  const given = new Set([...text.matchAll(/(?:^|\s)([A-Za-z_][A-Za-z0-9_]*)=/g)].map((match) => match[1]));
  return Object.entries(propertiesOf(tool.inputSchema))
    .filter(([name]) => name.startsWith(beginning) && !given.has(name))
    .slice(0, most)
    .map(([name, schema]) => ({
      text: `${before}${name}=`,
      label: `${name}=`,
      detail: String(schema['description'] ?? '').split(/(?<=\.)\s/)[0] ?? '',
    }));
}
