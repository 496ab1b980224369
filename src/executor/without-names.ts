/** Descriptions without the names of tools that are not there: nobody is to call, or to ask for, what is off. */
import type { ToolDescriptor } from '../contract/tool.ts';

/** A name that is an ordinary word too ("terminal") says nothing by itself, and stays. */
const isUnmistakable = (name: string): boolean => name.includes('_');

/** Of its description and those of its arguments, sentences that name one of `hidden` are left out. */
export function withoutNames(tool: ToolDescriptor, hidden: readonly ToolDescriptor[]): ToolDescriptor {
  const names = hidden
    .filter(({ name }) => name !== tool.name)
    .flatMap(({ name, aliases }) => [name, ...aliases])
    .filter(isUnmistakable);
  const whole = names.length === 0 ? '' : JSON.stringify([tool.description, tool.inputSchema]);
  const named = names.filter((name) => whole.includes(name));
  if (named.length === 0) return tool;
  const namesOne = new RegExp(String.raw`\b(?:${named.join('|')})\b`);
  const clean = (text: string): string =>
    text
      .split(/(?<=[.;:])\s+/)
      .filter((sentence) => !namesOne.test(sentence))
      .join(' ');
  const inputSchema = mapDescriptions(tool.inputSchema, clean) as ToolDescriptor['inputSchema'];
  return { ...tool, description: clean(tool.description), inputSchema };
}

function mapDescriptions(value: unknown, change: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((each) => mapDescriptions(each, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]: [string, unknown]) => [
      key,
      key === 'description' && typeof each === 'string' ? change(each) : mapDescriptions(each, change),
    ]),
  );
}
