/** A page of the settings that could not be read: why, and once more. */
import { Button } from '../ui/button.tsx';
import { useWords } from '../words/use-words.ts';

export function SettingsFailed({ reason, retry }: { readonly reason: string; readonly retry: () => void }) {
  const { t } = useWords();
  return (
    <div className="empty" role="alert">
      <h2>{t('settings.failed')}</h2>
      <p>{reason}</p>
      <Button isSmall onClick={retry}>
        {t('again')}
      </Button>
    </div>
  );
}
