/** A userland that is there while commands see the machine's own system: says so, and offers to run them in it. */
import { useState } from 'react';
import type { UserlandStatus } from '../../../contract/userland.ts';
import type { WebSettings, WebSettingsChange } from '../../../contract/web-settings.ts';
import { useApp } from '../../app/use-app.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useWords } from '../../words/use-words.ts';
import { useFailureWords } from './use-sandbox.ts';

export function InForce({
  userland,
  whenChanged,
}: {
  readonly userland: UserlandStatus;
  readonly whenChanged: () => void;
}) {
  const { t } = useWords();
  const { request, api, serverState } = useApp();
  const failureWords = useFailureWords();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  if (userland.isInForce || userland.state !== 'ready') return null;
  const use = async (): Promise<void> => {
    setBusy(true);
    setProblem('');
    try {
      const { hash } = await request<WebSettings>('GET', '/api/settings');
      const edits = [{ path: ['sandbox', 'root'], value: 'userland' }];
      await request('PATCH', '/api/settings', { edits, hash } satisfies WebSettingsChange);
      serverState.set(await api.state());
      whenChanged();
    } catch (error) {
      setProblem(failureWords(error));
    }
    setBusy(false);
  };
  return (
    <Notice
      icon="info"
      look="ask"
      actions={
        <Button isSmall isBusy={isBusy} onClick={() => void use()}>
          {t('userland.use')}
        </Button>
      }
    >
      <p>{t('userland.not-in-force', { name: userland.prettyName ?? '' })}</p>
      <p className="bad" role="alert">
        {problem}
      </p>
    </Notice>
  );
}
