/** The one rule of a tool as a whole, among all rules of the settings: a name without brackets. Pure. */
import type { SettingsEdit } from '../../../contract/settings-file.ts';
import type { Settings } from '../../../contract/settings.ts';
import type { ToolStatus } from '../../../contract/handrail.ts';

export type ToolRule = 'deny' | 'ask' | 'allow';

type Rules = Pick<Settings['permissions'], ToolRule>;
type Named = Pick<ToolStatus, 'name' | 'aliases'>;

/** As the program reads them: the first that says something. */
const lists: readonly ToolRule[] = ['deny', 'ask', 'allow'];

const isOf =
  ({ name, aliases }: Named) =>
  (rule: string): boolean =>
    [name, ...aliases].includes(rule.trim().toLowerCase());

/** Undefined: no rule about all of its calls. */
export const ruleOf = (rules: Rules, tool: Named): ToolRule | undefined =>
  lists.find((list) => rules[list].some(isOf(tool)));

/** How many rules there are about some of its calls. */
export function countOthers(rules: Rules, { name, aliases }: Named): number {
  const starts = [name, ...aliases].map((each) => `${each}(`);
  return lists.flatMap((list) => rules[list]).filter((rule) => starts.some((start) => rule.trim().startsWith(start)))
    .length;
}

/** `rule` undefined: none any more. Lists that stay as they are are left alone. */
export function changeRule(rules: Rules, tool: Named, rule: ToolRule | undefined): readonly SettingsEdit[] {
  return lists.flatMap((list) => {
    const others = rules[list].filter((each) => !isOf(tool)(each));
    const next = list === rule ? [...others, tool.name] : others;
    if (JSON.stringify(next) === JSON.stringify(rules[list])) return [];
    return [{ path: ['permissions', list], value: next.length === 0 ? null : next }];
  });
}
