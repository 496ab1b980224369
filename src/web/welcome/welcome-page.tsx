/** The first steps: a model, a folder, the sandbox. Each can be left out, and all of them at once. */
import { useEffect, useRef, useState } from 'react';
import { useApp, useStore } from '../app/use-app.ts';
import { PendingNotice } from '../settings/pending-notice.tsx';
import { useSettings } from '../settings/use-settings.ts';
import { useSetupApi } from '../settings/use-setup.ts';
import { useFailureWords } from '../sandbox/userland/use-sandbox.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Notice } from '../ui/notice.tsx';
import { useWords } from '../words/use-words.ts';
import { ModelStep } from './model-step.tsx';
import { SandboxStep } from './sandbox-step.tsx';
import type { StepNumber } from './step.tsx';
import { WorkspaceStep } from './workspace-step.tsx';
import './welcome.css';

export function WelcomePage() {
  const { t } = useWords();
  const state = useStore(useApp().serverState);
  const settings = useSettings();
  const [step, setStep] = useState<StepNumber>(1);
  const { problem, end } = useEnd();
  const page = useRef<HTMLDivElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = `${t('first.title')} · Handrail`;
  }, [t]);
  // Whoever went on by a key is at the new step; on opening the page, at its start.
  useEffect(() => {
    if (!isFirst.current) page.current?.querySelector<HTMLElement>('[aria-current="step"] h2')?.focus();
    isFirst.current = false;
  }, [step]);
  const place = { step, go: setStep };
  return (
    <main className="page welcome-page" id="main">
      <div className="page-in narrow" ref={page}>
        <header className="stack">
          <p className="first-brand">
            <Icon name="logo" />
            Handrail
          </p>
          <h1>{t('first.heading')}</h1>
          <p className="lede">{t('first.text')}</p>
        </header>
        <PendingNotice />
        {problem === '' ? null : (
          <Notice icon="warn" look="bad" role="alert">
            {problem}
          </Notice>
        )}
        <ol className="wiz" aria-label={t('first.steps')}>
          <ModelStep {...place} settings={settings} state={state} />
          <WorkspaceStep {...place} state={state} />
          <SandboxStep {...place} state={state} end={() => void end()} />
        </ol>
        <p className="row wrap sm muted">
          <Button look="ghost" onClick={() => void end()}>
            {t('first.skip')}
          </Button>
          {t('first.skip-text')}
        </p>
      </div>
    </main>
  );
}

/** Remembers that the first steps are over, and goes to the chat. */
function useEnd() {
  const { navigation, serverState, api: serverApi } = useApp();
  const api = useSetupApi();
  const failureWords = useFailureWords();
  const [problem, setProblem] = useState('');
  const end = async (): Promise<void> => {
    setProblem('');
    try {
      await api.changeWelcome({ isDone: true });
      serverState.set(await serverApi.state());
      navigation.go({ page: 'chat' });
    } catch (error) {
      setProblem(failureWords(error));
    }
  };
  return { problem, end };
}
