/** This browser has no session: how it gets one. */
import { useId, useState, type FormEvent } from 'react';
import { RequestFailure } from '../api/request.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { useWords } from '../words/use-words.ts';
import { useApp } from './use-app.ts';

export function SignedOut() {
  const { t } = useWords();
  return (
    <main className="empty signed-out">
      <Icon name="logo" className="logo" />
      <h1>{t('session.title')}</h1>
      <p>{t('session.text')}</p>
      <details>
        <summary>{t('session.has-password')}</summary>
        <PasswordForm />
      </details>
    </main>
  );
}

function PasswordForm() {
  const { t } = useWords();
  const { api } = useApp();
  const problemId = useId();
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState('');
  const [isSending, setSending] = useState(false);
  const signIn = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setSending(true);
    setProblem('');
    try {
      await api.signIn({ password });
      // Everything is read anew, with the session.
      window.location.reload();
    } catch (error) {
      setSending(false);
      setProblem(error instanceof RequestFailure && error.message !== '' ? error.message : t('chat.failed-offline'));
    }
  };
  return (
    <form onSubmit={(event) => void signIn(event)}>
      <label className="lab">
        {t('session.password')}
        <span className={problem === '' ? 'field' : 'field invalid'}>
          <input
            type="password"
            autoComplete="current-password"
            value={password}
            aria-describedby={problemId}
            aria-invalid={problem !== '' || undefined}
            onChange={(event) => setPassword(event.target.value)}
          />
        </span>
      </label>
      <p id={problemId} className="hint bad" role="alert">
        {problem}
      </p>
      <Button look="primary" type="submit" isBusy={isSending} disabled={password === ''}>
        {t('session.sign-in')}
      </Button>
    </form>
  );
}
