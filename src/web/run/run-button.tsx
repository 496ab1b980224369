/** The bar's button for the panel "This run". */
import { useApp, useStore } from '../app/use-app.ts';
import { IconButton } from '../ui/button.tsx';
import { useMedia, wideQuery } from '../ui/use-media.ts';
import { useWords } from '../words/use-words.ts';
import { runPanelId } from './run-panel-id.ts';

export function RunButton() {
  const { t } = useWords();
  const { isRunDocked } = useApp();
  const isDocked = useStore(isRunDocked);
  const isWide = useMedia(wideQuery);
  const hint = `${t('run.title')} (Ctrl .)`;
  if (!isWide) return <IconButton icon="panel" label={t('run.title')} hint={hint} popoverTarget={runPanelId} />;
  return (
    <IconButton
      icon="panel"
      label={t('run.title')}
      hint={hint}
      aria-pressed={isDocked}
      onClick={() => isRunDocked.set(!isDocked)}
    />
  );
}
