/** The rules: added, changed, taken out and brought back; what waits for a yes says so. */
import { useEffect, useRef, useState } from 'react';
import type { WebSettings } from '../../../contract/web-settings.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useWords } from '../../words/use-words.ts';
import type { PageSettings } from '../use-settings.ts';
import { RuleForm } from './rule-form.tsx';
import { RuleRow } from './rule-row.tsx';
import type { RuleList, RuleRow as Row } from './rule-rows.ts';
import { type RuleEdits, useRuleEdits } from './use-rule-edits.ts';

const keyOf = ({ list, rule, state }: Row): string => `${list} ${state} ${rule}`;

export function RulesSection({ settings, file }: { readonly settings: PageSettings; readonly file: WebSettings }) {
  const { t } = useWords();
  const edits = useRuleEdits(settings, file);
  const [editing, setEditing] = useState<string>();
  const add = useRef<HTMLButtonElement>(null);
  const isDamaged = file.problem !== undefined;
  const end = (): void => {
    setEditing(undefined);
    add.current?.focus();
  };
  const save = (before: Row | undefined) => async (list: RuleList, rule: string) => {
    const failure = await edits.save(before, list, rule);
    if (failure === undefined) end();
    return failure;
  };
  return (
    <section className="sect" aria-labelledby="rules-title">
      <header>
        <h2 id="rules-title">{t('rules.title')}</h2>
        <p>{t('rules.text')}</p>
        <Button ref={add} isSmall className="end" disabled={isDamaged} onClick={() => setEditing('new')}>
          <Icon name="plus" />
          {t('rules.add')}
        </Button>
      </header>
      {editing === 'new' ? <RuleForm list="ask" rule="" save={save(undefined)} cancel={end} /> : null}
      {edits.rows.length === 0 && editing === undefined ? <p className="card muted">{t('rules.none')}</p> : null}
      <ul className={edits.rows.length === 0 ? '' : 'list rules'} aria-label={t('rules.title')}>
        {edits.rows.map((row) =>
          editing === keyOf(row) ? (
            <li key={keyOf(row)}>
              <RuleForm {...row} save={save(row)} cancel={end} />
            </li>
          ) : (
            <RuleRow
              key={keyOf(row)}
              {...{ row, isDamaged }}
              edit={() => setEditing(keyOf(row))}
              remove={() => void edits.remove(row)}
              keep={() => void edits.keep(row)}
            />
          ),
        )}
      </ul>
      <Afterwards edits={edits} leave={() => add.current?.focus()} />
    </section>
  );
}

/** What was just removed, with the way back; what could not be done. */
function Afterwards({ edits, leave }: { readonly edits: RuleEdits; readonly leave: () => void }) {
  const { t } = useWords();
  const { removed, problem } = edits;
  const undo = useRef<HTMLButtonElement>(null);
  // The button that was pressed is gone with its row: what comes next is to take it back.
  useEffect(() => undo.current?.focus(), [removed]);
  return (
    <div role="status">
      {removed === undefined ? null : (
        <Notice
          icon="trash"
          actions={
            <Button
              ref={undo}
              isSmall
              onClick={() => {
                leave();
                void edits.undo();
              }}
            >
              {t('undo')}
            </Button>
          }
        >
          {t('rules.removed', { rule: removed })}
        </Notice>
      )}
      {problem === '' ? null : (
        <Notice icon="warn" look="bad">
          {problem}
        </Notice>
      )}
    </div>
  );
}
