/** Which tools the page shows, by group. Pure. */
import type { ToolStatus } from '../../../contract/handrail.ts';

export type ToolFilter = 'all' | 'on' | 'off' | 'ruled';

export type ToolGroup = { readonly group: string; readonly tools: readonly ToolStatus[] };

/** Those with a switch of their own: families with a master switch have it on the page Agent. */
export function groupTools(
  tools: readonly ToolStatus[],
  search: string,
  filter: ToolFilter,
  hasRule: (tool: ToolStatus) => boolean,
): readonly ToolGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = tools.filter(
    (tool) => tool.hasSwitch !== false && matches(tool, words) && passes(tool, filter, hasRule(tool)),
  );
  const groups = [...new Set(shown.map(({ group }) => group))];
  return groups.map((group) => ({ group, tools: shown.filter((tool) => tool.group === group) }));
}

function matches({ name, title, aliases, description, group }: ToolStatus, words: readonly string[]): boolean {
  const text = [name, title, group, ...aliases, description].join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
}

function passes(tool: ToolStatus, filter: ToolFilter, hasRule: boolean): boolean {
  if (filter === 'all') return true;
  return filter === 'ruled' ? hasRule : tool.isEnabled === (filter === 'on');
}

/** What it does, in its first sentence. */
export function shortDescription({ description }: Pick<ToolStatus, 'description'>): string {
  return /^.*?[.:](?=\s|$)/s.exec(description)?.[0]?.replace(/:$/, '.') ?? description;
}
