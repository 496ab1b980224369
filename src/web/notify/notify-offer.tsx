/** A quiet line where something runs or asks: be told when it does while you look elsewhere. Gone once it was decided. */
import { useState } from 'react';
import { useApp, useStore } from '../app/use-app.ts';
import { IconButton } from '../ui/button.tsx';
import { useWords } from '../words/use-words.ts';
import './notify.css';

const keptNo = 'handrail.no-notices';

/** `isShown`: something runs here. */
export function NotifyOffer({ isShown }: { readonly isShown: boolean }) {
  const { t } = useWords();
  const { notifier } = useApp();
  const { permission } = useStore(notifier.state);
  const [isDeclined, setDeclined] = useState(() => localStorage.getItem(keptNo) !== null);
  if (!isShown || isDeclined || permission !== 'default') return null;
  return (
    <p className="notify-offer">
      <button type="button" className="link" onClick={() => void notifier.ask()}>
        {t('notify.offer')}
      </button>
      <IconButton
        icon="x"
        isSmall
        label={t('notify.decline')}
        onClick={() => {
          localStorage.setItem(keptNo, 'yes');
          setDeclined(true);
        }}
      />
    </p>
  );
}
