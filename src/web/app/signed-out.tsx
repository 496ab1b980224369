/** This browser has no session: how it gets one. */
import { Icon } from '../ui/icon.tsx';
import { useWords } from '../words/use-words.ts';

export function SignedOut() {
  const { t } = useWords();
  return (
    <main className="empty signed-out">
      <Icon name="logo" className="logo" />
      <h1>{t('session.title')}</h1>
      <p>{t('session.text')}</p>
      <code>handrail serve</code>
    </main>
  );
}
