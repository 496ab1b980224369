/** The rules as they are written and as they hold, and what a person does with them. */
import { useState } from 'react';
import type { SettingsEdit } from '../../../contract/settings-file.ts';
import type { WebSettings } from '../../../contract/web-settings.ts';
import { useWords } from '../../words/use-words.ts';
import type { PageSettings } from '../use-settings.ts';
import { putRule, removeRule, type RuleList, type RuleRow, ruleRows } from './rule-rows.ts';

export type RuleEdits = {
  readonly rows: readonly RuleRow[];
  /** What was removed last, until something else is done. */
  readonly removed: string | undefined;
  /** Why the last step was not taken; empty when it was. */
  readonly problem: string;
  /** `before` undefined: a new one. Resolves with why it was not taken. */
  save(before: RuleRow | undefined, list: RuleList, rule: string): Promise<string | undefined>;
  remove(row: RuleRow): Promise<void>;
  /** Takes the last removal back. */
  undo(): Promise<void>;
  /** Takes a removal back that waits for a yes. */
  keep(row: RuleRow): Promise<void>;
};

export function useRuleEdits(settings: PageSettings, file: WebSettings): RuleEdits {
  const { t } = useWords();
  const [removed, setRemoved] = useState<{ readonly rule: string; readonly back: readonly SettingsEdit[] }>();
  const [problem, setProblem] = useState('');
  const written = {
    deny: settings.list(['permissions', 'deny']),
    ask: settings.list(['permissions', 'ask']),
    allow: settings.list(['permissions', 'allow']),
  };
  const change = async (edits: readonly SettingsEdit[]): Promise<string | undefined> => {
    setProblem('');
    if (await settings.change(edits)) return undefined;
    return settings.problemNow(edits[0]?.path ?? []) ?? t('chat.failed-offline');
  };
  return {
    rows: ruleRows(written, file.inForce.permissions),
    removed: removed?.rule,
    problem,
    async save(before, list, rule) {
      const failure = await change(putRule(written, { list, rule }, before));
      if (failure === undefined) setRemoved(undefined);
      return failure;
    },
    async remove(row) {
      const back = [{ path: ['permissions', row.list], value: written[row.list] }];
      const failure = await change(removeRule(written, row));
      setProblem(failure ?? '');
      setRemoved(failure === undefined ? { rule: row.rule, back } : undefined);
    },
    async undo() {
      setRemoved(undefined);
      setProblem((await change(removed?.back ?? [])) ?? '');
    },
    async keep(row) {
      setProblem((await change(putRule(written, row, undefined))) ?? '');
    },
  };
}
