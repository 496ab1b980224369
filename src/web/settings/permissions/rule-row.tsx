/** One rule: its answer, its text, what it means, and whether it waits for a yes. */
import { Button } from '../../ui/button.tsx';
import { useWords } from '../../words/use-words.ts';
import type { RuleRow as Row } from './rule-rows.ts';
import { useRuleMeaning } from './use-rule-meaning.ts';

const looks = { deny: 'bad', ask: 'ask', allow: 'good' } as const;

export function RuleRow({
  row,
  isDamaged,
  edit,
  remove,
  keep,
}: {
  readonly row: Row;
  /** The file cannot be written: nothing can be changed here. */
  readonly isDamaged: boolean;
  readonly edit: () => void;
  readonly remove: () => void;
  /** Takes the removal back. */
  readonly keep: () => void;
}) {
  const { t } = useWords();
  const { list, rule, state } = row;
  const meaning = useRuleMeaning(list, rule);
  const actions =
    state === 'removed'
      ? ([['keep', keep]] as const)
      : ([
          ['edit', edit],
          ['remove', remove],
        ] as const);
  return (
    <li className="rule">
      <span className={`badge ${looks[list]}`}>{t(`rules.list.${list}`)}</span>
      <div className="grow">
        <code>{rule}</code>
        <p className={meaning?.isWrong === true ? 'hint bad' : 'hint'}>{meaning?.text ?? ' '}</p>
        {state === 'holds' ? null : <p className="hint waits">{t(`rules.waits-${state}`)}</p>}
      </div>
      <span className="actions">
        {actions.map(([name, act]) => (
          <Button key={name} look={name === 'keep' ? 'secondary' : 'ghost'} isSmall disabled={isDamaged} onClick={act}>
            {t(`rules.${name}`)}
            <span className="sr"> {rule}</span>
          </Button>
        ))}
      </span>
    </li>
  );
}
