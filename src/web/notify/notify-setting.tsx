/** Whether this browser tells, and how that is changed: for the page of settings. */
import { useApp, useStore } from '../app/use-app.ts';
import { Button } from '../ui/button.tsx';
import { useWords } from '../words/use-words.ts';

export function NotifySetting() {
  const { t } = useWords();
  const { notifier } = useApp();
  const { permission } = useStore(notifier.state);
  return (
    <div className="row wrap">
      <span className="grow">{t(`notify.state-${permission}`)}</span>
      {permission === 'default' ? <Button onClick={() => void notifier.ask()}>{t('notify.allow')}</Button> : null}
    </div>
  );
}
