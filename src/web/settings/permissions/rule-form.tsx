/** A rule that is written or changed: its answer, its text, and in a sentence what it will mean. */
import { useEffect, useId, useRef, useState, type FormEvent } from 'react';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useWords } from '../../words/use-words.ts';
import { type RuleList, ruleLists } from './rule-rows.ts';
import { useRuleMeaning } from './use-rule-meaning.ts';

const typingMs = 250;

export function RuleForm({
  list: firstList,
  rule: firstRule,
  save,
  cancel,
}: {
  readonly list: RuleList;
  /** Empty: a new one. */
  readonly rule: string;
  /** Resolves with why it was not taken; undefined: it was. */
  readonly save: Save;
  readonly cancel: () => void;
}) {
  const { t } = useWords();
  const id = useId();
  const { field, list, setList, rule, setRule, isSaving, submit, wrong, meaning } = useRuleDraft(
    firstList,
    firstRule,
    save,
  );
  return (
    <form
      className="rule-form"
      onSubmit={(event) => void submit(event)}
      onKeyDown={(event) => event.key === 'Escape' && cancel()}
    >
      <AnswerPick list={list} choose={setList} />
      <label className={wrong === '' ? 'field grow' : 'field grow invalid'}>
        <span className="sr">{t('rules.rule')}</span>
        <input
          ref={field}
          className="mono"
          value={rule}
          placeholder="bash(git push *)"
          spellCheck={false}
          autoCapitalize="off"
          aria-invalid={wrong !== '' || undefined}
          aria-describedby={`${id}-meaning`}
          onChange={(event) => setRule(event.target.value)}
        />
      </label>
      <span className="actions">
        <Button look="primary" type="submit" isBusy={isSaving}>
          {t('rules.save')}
        </Button>
        <Button onClick={cancel}>{t('rules.cancel')}</Button>
      </span>
      <p id={`${id}-meaning`} className={wrong === '' ? 'hint' : 'hint bad'} role="status">
        {wrong !== '' ? wrong : (meaning ?? t('rules.how'))}
      </p>
    </form>
  );
}

type Save = (list: RuleList, rule: string) => Promise<string | undefined>;

function useRuleDraft(firstList: RuleList, firstRule: string, save: Save) {
  const { t } = useWords();
  const field = useRef<HTMLInputElement>(null);
  const [list, setList] = useState(firstList);
  const [rule, setRule] = useState(firstRule);
  /** Belongs to the text that it was said of. */
  const [problem, setProblem] = useState({ rule: '', text: '' });
  const [isSaving, setSaving] = useState(false);
  const meaning = useRuleMeaning(list, rule, typingMs);
  useEffect(() => field.current?.focus(), []);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const text = rule.trim();
    if (text === '') return setProblem({ rule: text, text: t('rules.empty') });
    setSaving(true);
    const failure = await save(list, text);
    setSaving(false);
    if (failure === undefined) return;
    setProblem({ rule: text, text: failure });
    field.current?.focus();
  };
  const wrong =
    problem.text !== '' && problem.rule === rule.trim() ? problem.text : meaning?.isWrong === true ? meaning.text : '';
  return { field, list, setList, rule, setRule, isSaving, submit, wrong, meaning: meaning?.text };
}

function AnswerPick({ list, choose }: { readonly list: RuleList; readonly choose: (list: RuleList) => void }) {
  const { t } = useWords();
  return (
    <label className="field">
      <span className="sr">{t('rules.answer')}</span>
      <select value={list} onChange={(event) => choose(event.target.value as RuleList)}>
        {ruleLists.map((each) => (
          <option key={each} value={each}>
            {t(`rules.list.${each}`)}
          </option>
        ))}
      </select>
      <Icon name="down" isSmall />
    </label>
  );
}
