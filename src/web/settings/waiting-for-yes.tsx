/** What a changed setting would weaken waits here for a yes, word for word; or it is taken back. */
import { useState } from 'react';
import type { SettingsEdit } from '../../contract/settings-file.ts';
import { createSettingsApi } from '../api/settings-api.ts';
import { useApp, useStore } from '../app/use-app.ts';
import { useFailureWords } from '../sandbox/userland/use-sandbox.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { useWords } from '../words/use-words.ts';
import { type KeyPath, valueAt } from './create-settings-store.ts';
import type { PageSettings } from './use-settings.ts';

/** `paths`: the keys that the page is about; only those are taken back. */
export function WaitingForYes({
  settings,
  paths,
}: {
  readonly settings: PageSettings;
  readonly paths: readonly KeyPath[];
}) {
  const { t } = useWords();
  const { request, api, serverState } = useApp();
  const state = useStore(serverState);
  const failureWords = useFailureWords();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const undone = editsBack(settings, paths);
  if (state === undefined || state.pendingConfirmations.length === 0 || undone.length === 0) return null;
  const attempt = async (wish: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    setProblem('');
    try {
      await wish();
      serverState.set(await api.state());
      settings.retry();
    } catch (error) {
      setProblem(failureWords(error));
    }
    setBusy(false);
  };
  const isLeaving = undone.some(({ path }) => path.join('.') === 'sandbox.rung') && wantsNoSandbox(settings);
  return (
    <Notice icon="hand" look={isLeaving ? 'bad' : 'ask'}>
      <div className="stack waiting" role="group" aria-label={t('confirm.title')}>
        <p role="status">
          <b>{t(isLeaving ? 'confirm.no-sandbox' : 'confirm.title')}</b>
        </p>
        {isLeaving ? <p>{t('confirm.no-sandbox-text')}</p> : null}
        <ul className="sm">
          {state.pendingConfirmations.map((each) => (
            <li key={each}>{each.replace(/; that is not in force until you confirm it: handrail confirm$/, '.')}</li>
          ))}
        </ul>
        <p className="bad" role="alert">
          {problem}
        </p>
        <div className="actions">
          <Button
            look={isLeaving ? 'danger' : 'primary'}
            isBusy={isBusy}
            onClick={() => void attempt(() => createSettingsApi(request).confirm({ hash: state.confirmationHash }))}
          >
            {t(isLeaving ? 'confirm.leave' : 'confirm.yes')}
          </Button>
          <Button disabled={isBusy} onClick={() => void attempt(() => settings.change(undone))}>
            {t('confirm.take-back')}
          </Button>
        </div>
      </div>
    </Notice>
  );
}

/** What would put the keys back to what holds now. */
function editsBack({ file }: PageSettings, paths: readonly KeyPath[]): readonly SettingsEdit[] {
  if (file === undefined) return [];
  return paths.flatMap((path) => {
    const [wanted, inForce] = [valueAt(file.wanted, path), valueAt(file.inForce, path)];
    return JSON.stringify(wanted) === JSON.stringify(inForce) ? [] : [{ path, value: inForce ?? null }];
  });
}

const wantsNoSandbox = ({ file }: PageSettings): boolean => file?.wanted.sandbox.rung === 'host';
