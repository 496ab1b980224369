/** The form of one tool: a field for each argument, or the arguments as JSON. */
import { useId, type FormEvent } from 'react';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { useWords } from '../words/use-words.ts';
import type { Field } from './read-fields.ts';
import type { ToolFormState } from './use-tool-form.ts';

export function ToolForm({
  form,
  isRunning,
  run,
  stop,
}: {
  readonly form: ToolFormState;
  readonly isRunning: boolean;
  readonly run: (input: Readonly<Record<string, unknown>>) => void;
  readonly stop: () => void;
}) {
  const { t } = useWords();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const input = form.read();
    if (input !== undefined && !isRunning) run(input);
  };
  return (
    <form className="tool-form" onSubmit={submit} aria-label={t('tool.arguments')}>
      <header className="row">
        <h2>{t('tool.arguments')}</h2>
        <div className="seg end" role="group" aria-label={t('tool.as')}>
          <button type="button" aria-pressed={!form.isJson} onClick={() => form.showJson(false)}>
            {t('tool.as-form')}
          </button>
          <button type="button" aria-pressed={form.isJson} onClick={() => form.showJson(true)}>
            JSON
          </button>
        </div>
      </header>
      {form.isJson ? <JsonField form={form} /> : <Fields form={form} />}
      <WhoAsks form={form} />
      <div className="row">
        {isRunning ? (
          <Button onClick={stop}>
            <Icon name="stop" />
            {t('composer.stop')}
          </Button>
        ) : (
          <Button look="primary" type="submit">
            <Icon name="play" />
            {t('tool.run')}
          </Button>
        )}
      </div>
    </form>
  );
}

function WhoAsks({ form }: { readonly form: ToolFormState }) {
  const { t } = useWords();
  return (
    <fieldset className="who">
      <legend className="sr">{t('tool.who')}</legend>
      {(['asks', 'typed'] as const).map((who) => (
        <label key={who} className="row sm">
          <input
            type="radio"
            name="who"
            checked={form.asks === (who === 'asks')}
            onChange={() => form.setAsks(who === 'asks')}
          />
          {t(`tool.who-${who}`)}
        </label>
      ))}
    </fieldset>
  );
}

function Fields({ form }: { readonly form: ToolFormState }) {
  const { t } = useWords();
  if (form.fields.length === 0) return <p className="muted sm">{t('tool.no-arguments')}</p>;
  return form.fields.map((field) => <FieldView key={field.name} field={field} form={form} />);
}

function FieldView({ field, form }: { readonly field: Field; readonly form: ToolFormState }) {
  const { t } = useWords();
  const id = useId();
  const problem = form.problems[field.name];
  const hint = field.hint === '' ? '' : /[.!?]$/.test(field.hint) ? field.hint : `${field.hint}.`;
  return (
    <div className="lab">
      <label htmlFor={id}>
        <span className="mono">{field.name}</span>
        {field.isRequired ? <span className="xs muted"> {t('tool.required')}</span> : null}
      </label>
      <span className={problem === undefined ? 'field' : 'field invalid'}>
        <FieldControl field={field} form={form} id={id} hasProblem={problem !== undefined} />
      </span>
      <p className="hint" id={`${id}-hint`}>
        {hint}
        {field.fallback === '' ? '' : ` ${t('tool.fallback', { value: field.fallback })}`}
        {field.kind === 'list' ? ` ${t('tool.one-per-line')}` : ''}
        {field.kind === 'json' ? ' JSON.' : ''}
      </p>
      {problem === undefined ? null : (
        <p className="hint bad" role="alert">
          {t(`tool.problem-${problem}`)}
        </p>
      )}
    </div>
  );
}

function FieldControl({
  field,
  form,
  id,
  hasProblem,
}: {
  readonly field: Field;
  readonly form: ToolFormState;
  readonly id: string;
  readonly hasProblem: boolean;
}) {
  const { t } = useWords();
  const shared = {
    id,
    value: form.entered[field.name] ?? '',
    'aria-describedby': `${id}-hint`,
    'aria-invalid': hasProblem || undefined,
    onChange: (event: { target: { value: string } }) => form.enter(field.name, event.target.value),
  };
  if (field.kind === 'choice' || field.kind === 'flag') {
    const choices = field.kind === 'flag' ? ['true', 'false'] : field.choices;
    return (
      <>
        <select {...shared}>
          <option value="">{t('tool.left-out')}</option>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
        <Icon name="down" isSmall />
      </>
    );
  }
  if (field.kind === 'number') return <input type="text" inputMode="decimal" {...shared} />;
  // What is typed is sent byte for byte: nothing is corrected on the way.
  return <textarea rows={1} spellCheck={false} autoCapitalize="off" autoCorrect="off" className="mono" {...shared} />;
}

function JsonField({ form }: { readonly form: ToolFormState }) {
  const { t } = useWords();
  return (
    <div className="lab">
      <span className={form.jsonProblem ? 'field invalid' : 'field'}>
        <textarea
          rows={8}
          spellCheck={false}
          className="mono"
          aria-label={t('tool.json')}
          aria-invalid={form.jsonProblem || undefined}
          value={form.json}
          onChange={(event) => form.enterJson(event.target.value)}
        />
      </span>
      {form.jsonProblem ? (
        <p className="hint bad" role="alert">
          {t('tool.problem-no-json')}
        </p>
      ) : null}
    </div>
  );
}
