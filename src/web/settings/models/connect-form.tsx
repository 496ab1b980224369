/** Connects a model: a provider, or any address that speaks Chat Completions. Saved once it has answered. */
import { useId, useState, type FormEvent } from 'react';
import { useApp } from '../../app/use-app.ts';
import { useFailureWords } from '../../sandbox/userland/use-sandbox.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useWords } from '../../words/use-words.ts';
import type { PageSettings } from '../use-settings.ts';
import { useSetupApi } from '../use-setup.ts';
import { emptyDraft, exampleModels, kinds, newModelOf, trialOf, type Draft, type Kind } from './connect-draft.ts';
import { orderOf, servicesOf, withModel } from './model-order.ts';
import { TrialLine } from './trial-line.tsx';
import { useTrial } from './use-trial.ts';

export function ConnectForm({
  settings,
  saved,
}: {
  readonly settings: PageSettings;
  readonly saved: (model: string) => void;
}) {
  const { t } = useWords();
  const { draft, change, trial, wanted, isGood, isSaving, problem, save, submit } = useConnect(settings, saved);
  return (
    <form className="card stack connect" onSubmit={submit}>
      <DraftFields draft={draft} change={change} />
      <TrialLine state={trial.state} />
      <p className="hint bad" role="alert">
        {problem === '' ? (settings.problem(['models']) ?? settings.problem(['model']) ?? '') : problem}
      </p>
      <div className="actions">
        <Button
          look={isGood ? 'secondary' : 'primary'}
          isBusy={trial.state.isBusy}
          disabled={wanted === undefined}
          onClick={() => wanted !== undefined && void trial.run(trialOf(draft, wanted))}
        >
          {t('models.test-connection')}
        </Button>
        <Button
          look={isGood ? 'primary' : 'secondary'}
          disabled={!isGood}
          isBusy={isSaving}
          onClick={() => void save()}
        >
          {t('models.save')}
        </Button>
        <span className="hint">{t(isGood ? 'models.save-ready' : 'models.save-later')}</span>
      </div>
    </form>
  );
}

/** The form's content, its test, and how it is kept. */
function useConnect(settings: PageSettings, saved: (model: string) => void) {
  const { api: serverApi, serverState } = useApp();
  const api = useSetupApi();
  const failureWords = useFailureWords();
  const trial = useTrial();
  const [draft, setDraft] = useState(emptyDraft);
  const [isSaving, setSaving] = useState(false);
  const [problem, setProblem] = useState('');
  const wanted = newModelOf(draft, servicesOf(settings));
  const isGood = trial.state.said?.isGood === true;
  const change = (part: Partial<Draft>): void => {
    setDraft({ ...draft, ...part });
    setProblem('');
    trial.forget();
  };
  const save = async (): Promise<void> => {
    if (wanted === undefined) return;
    setSaving(true);
    setProblem('');
    try {
      if (draft.key.trim() !== '') await api.keepSecret({ name: wanted.keyName, value: draft.key.trim() });
      const { service, id } = wanted;
      const others = servicesOf(settings).filter((each) => each.service !== service?.service);
      const isTaken = await settings.change([
        ...(service === undefined ? [] : [{ path: ['models'], value: [...others, service] }]),
        ...withModel(orderOf(settings), id),
      ]);
      if (isTaken) {
        setDraft(emptyDraft);
        trial.forget();
        serverState.set(await serverApi.state());
        saved(id);
      }
    } catch (error) {
      setProblem(failureWords(error));
    }
    setSaving(false);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (wanted === undefined || trial.state.isBusy) return;
    if (isGood) void save();
    else void trial.run(trialOf(draft, wanted));
  };
  return { draft, change, trial, wanted, isGood, isSaving, problem, save, submit };
}

function DraftFields({ draft, change }: { readonly draft: Draft; readonly change: (part: Partial<Draft>) => void }) {
  const { t } = useWords();
  const id = useId();
  const isCompatible = draft.kind === 'compatible';
  return (
    <div className="two-up">
      <label className="lab">
        <span>{t('models.service')}</span>
        <span className="field">
          <select value={draft.kind} onChange={(event) => change({ kind: event.target.value as Kind })}>
            {kinds.map((kind) => (
              <option key={kind} value={kind}>
                {t(`models.kind-${kind}`)}
              </option>
            ))}
          </select>
          <Icon name="down" isSmall />
        </span>
      </label>
      <label className="lab">
        <span>{t('models.model')}</span>
        <span className="field">
          <input
            value={draft.model}
            placeholder={exampleModels[draft.kind]}
            spellCheck={false}
            autoCapitalize="none"
            autoComplete="off"
            onChange={(event) => change({ model: event.target.value })}
          />
        </span>
      </label>
      {isCompatible ? (
        <div className="lab">
          <label htmlFor={`${id}-url`}>{t('models.base-url')}</label>
          <span className="field">
            <input
              id={`${id}-url`}
              type="url"
              value={draft.baseUrl}
              placeholder="https://api.example.org/v1"
              spellCheck={false}
              autoComplete="off"
              aria-describedby={`${id}-url-hint`}
              onChange={(event) => change({ baseUrl: event.target.value })}
            />
          </span>
          <span className="hint" id={`${id}-url-hint`}>
            {t('models.base-url-text')}
          </span>
        </div>
      ) : null}
      <KeyField id={`${id}-key`} draft={draft} change={change} />
    </div>
  );
}

function KeyField({
  id,
  draft,
  change,
}: {
  readonly id: string;
  readonly draft: Draft;
  readonly change: (part: Partial<Draft>) => void;
}) {
  const { t } = useWords();
  const [isShown, setShown] = useState(false);
  return (
    <div className="lab">
      <label htmlFor={id}>{t('models.key')}</label>
      <span className="field">
        <Icon name="key" />
        <input
          id={id}
          type={isShown ? 'text' : 'password'}
          value={draft.key}
          spellCheck={false}
          autoComplete="off"
          aria-describedby={`${id}-hint`}
          onChange={(event) => change({ key: event.target.value })}
        />
        <IconButton
          icon="eye"
          label={t(isShown ? 'models.hide-key' : 'models.show-key')}
          isSmall
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        />
      </span>
      <span className="hint" id={`${id}-hint`}>
        {t(draft.kind === 'compatible' ? 'models.key-text-compatible' : 'models.key-text')}
      </span>
    </div>
  );
}
