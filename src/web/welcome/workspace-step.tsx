/** Second step: the folder that new chats work in. */
import { useId, useState } from 'react';
import type { WebState } from '../../contract/web-api.ts';
import { useApp } from '../app/use-app.ts';
import { useSetupApi } from '../settings/use-setup.ts';
import { useFailureWords } from '../sandbox/userland/use-sandbox.ts';
import { Button } from '../ui/button.tsx';
import { FolderPicker } from '../ui/folder-picker.tsx';
import { showPath } from '../words/amounts.ts';
import { useWords } from '../words/use-words.ts';
import { Step, type StepPlace } from './step.tsx';

export function WorkspaceStep({ state, ...place }: StepPlace & { readonly state: WebState | undefined }) {
  const { t } = useWords();
  const { api: serverApi, serverState } = useApp();
  const api = useSetupApi();
  const failureWords = useFailureWords();
  const [kind, setKind] = useState<Kind>('fresh');
  const [problem, setProblem] = useState('');
  const take = async (workspace: string | null): Promise<void> => {
    setProblem('');
    try {
      await api.changeWelcome({ workspace });
      serverState.set(await serverApi.state());
      place.go(3);
    } catch (error) {
      setProblem(failureWords(error));
    }
  };
  const isDone = place.step > 2;
  const chosen = state?.workspace === undefined ? t('first.fresh') : showPath(state.workspace, state.home);
  return (
    <Step
      number={2}
      place={place}
      title={t(isDone ? 'first.where-done' : 'first.where')}
      text={isDone ? chosen : t('first.where-text')}
    >
      <Kinds
        kind={kind}
        choose={(chosenKind) => {
          setKind(chosenKind);
          setProblem('');
        }}
      />
      {kind === 'yours' ? (
        <FolderPicker start={undefined} choose={(folder) => void take(folder)} problem={problem} />
      ) : (
        <>
          <p className="hint bad" role="alert">
            {problem}
          </p>
          <div className="actions">
            <Button look="primary" onClick={() => void take(null)}>
              {t('first.next')}
            </Button>
            <Button look="ghost" onClick={() => place.go(1)}>
              {t('first.back')}
            </Button>
          </div>
        </>
      )}
    </Step>
  );
}

type Kind = 'fresh' | 'yours';

function Kinds({ kind, choose }: { readonly kind: Kind; readonly choose: (kind: Kind) => void }) {
  const { t } = useWords();
  const id = useId();
  return (
    <fieldset className="stack">
      <legend className="sr">{t('first.where')}</legend>
      {(['fresh', 'yours'] as const).map((each) => (
        <label key={each} className="choice">
          <input type="radio" name={id} checked={kind === each} onChange={() => choose(each)} />
          <b>{t(`first.${each}`)}</b>
          <span className="sm muted">{t(`first.${each}-text`)}</span>
        </label>
      ))}
    </fieldset>
  );
}
