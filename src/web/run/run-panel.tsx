/** "This run": what is at work, what it changed, ran, reached and was asked, and what it took. Docked on wide pages, else a sheet. */
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useApp, useStore } from '../app/use-app.ts';
import type { ChatScreen } from '../chat/screen.ts';
import { IconButton } from '../ui/button.tsx';
import { useMedia, wideQuery } from '../ui/use-media.ts';
import { useWords } from '../words/use-words.ts';
import './run-panel.css';
import { runPanelId } from './run-panel-id.ts';

const RunLists = lazy(async () => ({ default: (await import('./run-lists.tsx')).RunLists }));

export type RunPanelProps = {
  readonly conversationId: string;
  readonly screen: ChatScreen;
  /** There are turns before those on screen. */
  readonly hasEarlier: boolean;
  readonly isRunning: boolean;
  readonly stop: () => void;
};

export function RunPanel(props: RunPanelProps) {
  const { t } = useWords();
  const { isRunDocked } = useApp();
  const isDocked = useStore(isRunDocked);
  const isWide = useMedia(wideQuery);
  useRunKey(isWide);
  if (!isWide) return <RunSheet {...props} />;
  if (!isDocked) return null;
  return (
    <aside className="panel" aria-label={t('run.title')}>
      <Suspense fallback={null}>
        <RunLists {...props} />
      </Suspense>
    </aside>
  );
}

/** Its lists are only made while it is open. */
function RunSheet(props: RunPanelProps) {
  const { t } = useWords();
  const [isOpen, setOpen] = useState(false);
  const sheet = useRef<HTMLElement>(null);
  return (
    <aside
      ref={sheet}
      id={runPanelId}
      popover="auto"
      className="panel sheet"
      aria-label={t('run.title')}
      // Those of lists inside come by here as well.
      onToggle={(event) => event.target === sheet.current && setOpen(event.newState === 'open')}
    >
      <header className="row">
        <h2 className="grow">{t('run.title')}</h2>
        <IconButton icon="x" label={t('shell.close')} isSmall popoverTarget={runPanelId} popoverTargetAction="hide" />
      </header>
      <Suspense fallback={null}>{isOpen ? <RunLists {...props} /> : null}</Suspense>
    </aside>
  );
}

/** Ctrl . as the button in the bar. */
function useRunKey(isWide: boolean): void {
  const { isRunDocked } = useApp();
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!event.ctrlKey || event.key !== '.') return;
      event.preventDefault();
      if (isWide) isRunDocked.change((isDocked) => !isDocked);
      else document.getElementById(runPanelId)?.togglePopover();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [isRunDocked, isWide]);
}
