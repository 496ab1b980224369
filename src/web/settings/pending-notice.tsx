/** What settings.json asks for and is not in force: told in full, put in force by a person. And why a damaged one is not used. */
import { useState } from 'react';
import { createSettingsApi } from '../api/settings-api.ts';
import { RequestFailure } from '../api/request.ts';
import { useApp, useStore } from '../app/use-app.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { usePatience } from '../ui/use-patience.ts';
import { useWords } from '../words/use-words.ts';
import './pending-notice.css';

export function PendingNotice() {
  const { t } = useWords();
  const state = useStore(useApp().serverState);
  if (state === undefined) return null;
  const { settingsProblem, pendingConfirmations, confirmationHash } = state;
  return (
    <>
      {settingsProblem === undefined ? null : (
        <Notice icon="warn" look="bad" role="alert">
          <b>{t('pending.broken')}</b> {settingsProblem}
        </Notice>
      )}
      {pendingConfirmations.length === 0 ? null : (
        <Waiting key={confirmationHash} sentences={pendingConfirmations} hash={confirmationHash} />
      )}
    </>
  );
}

/** What comes under the pointer must not be confirmed by a click that was meant for something else. */
const settleMs = 400;

/** Made anew for each content: its button confirms exactly these. */
function Waiting({ sentences, hash }: { readonly sentences: readonly string[]; readonly hash: string }) {
  const { t } = useWords();
  const { api, request, serverState } = useApp();
  const isSettled = usePatience(true, settleMs);
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState('');
  const confirm = async (): Promise<void> => {
    if (!isSettled) return;
    setSending(true);
    setProblem('');
    try {
      await createSettingsApi(request).confirm({ hash });
    } catch (error) {
      setProblem(error instanceof RequestFailure && error.message !== '' ? error.message : t('chat.failed-offline'));
    }
    setSending(false);
    await api.state().then(serverState.set, () => undefined);
  };
  return (
    <div className="pending-notice">
      <Notice
        icon="warn"
        look="ask"
        role="status"
        actions={
          <Button isSmall isBusy={isSending} onClick={() => void confirm()}>
            {t('pending.confirm')}
          </Button>
        }
      >
        <b>{t('pending.title')}</b>
        <ul>
          {sentences.map((sentence) => (
            // The rest of it tells what to type in a terminal.
            <li key={sentence}>{sentence.replace(/; that is not in force until you confirm it: .*$/s, '.')}</li>
          ))}
        </ul>
        {problem === '' ? null : <p className="bad">{problem}</p>}
      </Notice>
    </div>
  );
}
