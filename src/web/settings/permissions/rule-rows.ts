/** The rules of the settings as rows: those that are written, and those that still hold although they were taken out. Pure. */
import type { SettingsEdit } from '../../../contract/settings-file.ts';
import type { Settings } from '../../../contract/settings.ts';

export type RuleList = 'deny' | 'ask' | 'allow';

/** In the order in which they count. */
export const ruleLists: readonly RuleList[] = ['deny', 'ask', 'allow'];

export type RuleRow = {
  readonly list: RuleList;
  readonly rule: string;
  /** `added`, `removed`: not before a person confirms it. */
  readonly state: 'holds' | 'added' | 'removed';
};

type Rules = Readonly<Record<RuleList, readonly string[]>>;

export function ruleRows(written: Rules, inForce: Pick<Settings['permissions'], RuleList>): readonly RuleRow[] {
  return ruleLists.flatMap((list) => [
    ...written[list].map((rule): RuleRow => ({ list, rule, state: inForce[list].includes(rule) ? 'holds' : 'added' })),
    ...inForce[list]
      .filter((rule) => !written[list].includes(rule))
      .map((rule): RuleRow => ({ list, rule, state: 'removed' })),
  ]);
}

const edit = (list: RuleList, rules: readonly string[]): SettingsEdit => ({
  path: ['permissions', list],
  value: rules.length === 0 ? null : rules,
});

/** `before`: the rule whose place it takes. Undefined: it is a new one. */
export function putRule(
  written: Rules,
  next: Pick<RuleRow, 'list' | 'rule'>,
  before: Pick<RuleRow, 'list' | 'rule'> | undefined,
): readonly SettingsEdit[] {
  if (before?.list === next.list) {
    const changed = written[next.list].map((rule) => (rule === before.rule ? next.rule : rule));
    return [edit(next.list, [...new Set(changed)])];
  }
  const added = edit(next.list, [...new Set([...written[next.list], next.rule])]);
  return before === undefined ? [added] : [added, ...removeRule(written, before)];
}

export const removeRule = (written: Rules, { list, rule }: Pick<RuleRow, 'list' | 'rule'>): readonly SettingsEdit[] => [
  edit(
    list,
    written[list].filter((each) => each !== rule),
  ),
];
