/** The rules: added, changed, taken out and brought back; what waits for a yes says so. */
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useWords } from '../../words/use-words.ts';
import type { SettingsEdit } from '../../../contract/settings-file.ts';
import type { PageSettings } from '../use-settings.ts';
import { RuleForm } from './rule-form.tsx';
import { putRule, removeRule, type RuleList, type RuleRow, ruleLists, ruleRows } from './rule-rows.ts';
import { useRuleMeaning } from './use-rule-meaning.ts';

const keyOf = ({ list, rule, state }: RuleRow): string => `${list} ${state} ${rule}`;

export function RulesSection({ settings }: { readonly settings: PageSettings }) {
  const { t } = useWords();
  const [editing, setEditing] = useState<string>();
  const [removed, setRemoved] = useState<{ readonly rule: string; readonly back: readonly SettingsEdit[] }>();
  const [problem, setProblem] = useState('');
  const { file } = settings;
  if (file === undefined) return null;
  const written = {
    deny: settings.list(['permissions', 'deny']),
    ask: settings.list(['permissions', 'ask']),
    allow: settings.list(['permissions', 'allow']),
  };
  const rows = ruleRows(written, file.inForce.permissions);
  const change = async (edits: readonly SettingsEdit[]): Promise<string | undefined> => {
    const isTaken = await settings.change(edits);
    return isTaken ? undefined : (settings.problemNow(edits[0]?.path ?? []) ?? t('chat.failed-offline'));
  };
  const save = (before: RuleRow | undefined) => async (list: RuleList, rule: string) => {
    const failure = await change(putRule(written, { list, rule }, before));
    if (failure !== undefined) return failure;
    setEditing(undefined);
    setRemoved(undefined);
  };
  const remove = async (row: RuleRow): Promise<void> => {
    const back = [{ path: ['permissions', row.list], value: written[row.list] }];
    const failure = await change(removeRule(written, row));
    setProblem(failure ?? '');
    setRemoved(failure === undefined ? { rule: row.rule, back } : undefined);
  };
  const isDamaged = file.problem !== undefined;
  return (
    <section className="sect" aria-labelledby="rules-title">
      <header>
        <h2 id="rules-title">{t('rules.title')}</h2>
        <p>{t('rules.text')}</p>
        <Button isSmall className="end" disabled={isDamaged} onClick={() => setEditing('new')}>
          <Icon name="plus" />
          {t('rules.add')}
        </Button>
      </header>
      {editing === 'new' ? (
        <RuleForm list="ask" rule="" save={save(undefined)} cancel={() => setEditing(undefined)} />
      ) : null}
      {rows.length === 0 && editing === undefined ? <p className="card muted">{t('rules.none')}</p> : null}
      <ul className={rows.length === 0 ? '' : 'list rules'} aria-label={t('rules.title')}>
        {ruleLists.flatMap((list) =>
          rows
            .filter((row) => row.list === list)
            .map((row) =>
              editing === keyOf(row) ? (
                <li key={keyOf(row)}>
                  <RuleForm {...row} save={save(row)} cancel={() => setEditing(undefined)} />
                </li>
              ) : (
                <Row
                  key={keyOf(row)}
                  row={row}
                  isDamaged={isDamaged}
                  edit={() => setEditing(keyOf(row))}
                  remove={() => void remove(row)}
                  keep={() =>
                    void change(putRule(written, row, undefined)).then((failure) => setProblem(failure ?? ''))
                  }
                />
              ),
            ),
        )}
      </ul>
      <div role="status">
        {removed === undefined ? null : (
          <Notice
            icon="trash"
            actions={
              <Button
                isSmall
                onClick={() => {
                  void change(removed.back).then((failure) => setProblem(failure ?? ''));
                  setRemoved(undefined);
                }}
              >
                {t('undo')}
              </Button>
            }
          >
            {t('rules.removed', { rule: removed.rule })}
          </Notice>
        )}
        {problem === '' ? null : (
          <Notice icon="warn" look="bad">
            {problem}
          </Notice>
        )}
      </div>
    </section>
  );
}

const looks = { deny: 'bad', ask: 'ask', allow: 'good' } as const;

function Row({
  row,
  isDamaged,
  edit,
  remove,
  keep,
}: {
  readonly row: RuleRow;
  readonly isDamaged: boolean;
  readonly edit: () => void;
  readonly remove: () => void;
  /** Takes the removal back. */
  readonly keep: () => void;
}) {
  const { t } = useWords();
  const { list, rule, state } = row;
  const meaning = useRuleMeaning(list, rule);
  return (
    <li className="rule">
      <span className={`badge ${looks[list]}`}>{t(`rules.list.${list}`)}</span>
      <div className="grow">
        <code>{rule}</code>
        <p className={meaning?.isWrong === true ? 'hint bad' : 'hint'}>{meaning?.text ?? ' '}</p>
        {state === 'holds' ? null : <p className="hint waits">{t(`rules.waits-${state}`)}</p>}
      </div>
      <span className="actions">
        {state === 'removed' ? (
          <Button isSmall disabled={isDamaged} onClick={keep}>
            {t('rules.keep')}
            <span className="sr"> {rule}</span>
          </Button>
        ) : (
          <>
            <Button look="ghost" isSmall disabled={isDamaged} onClick={edit}>
              {t('rules.edit')}
              <span className="sr"> {rule}</span>
            </Button>
            <Button look="ghost" isSmall disabled={isDamaged} onClick={remove}>
              {t('rules.remove')}
              <span className="sr"> {rule}</span>
            </Button>
          </>
        )}
      </span>
    </li>
  );
}
