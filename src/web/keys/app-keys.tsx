/** The keys of every page, the palette of commands and the list of all keys. */
import { lazy, Suspense, useEffect, useState } from 'react';
import { useApp, useStore } from '../app/use-app.ts';
import { toggleSidebar } from '../shell/sidebar-toggle.ts';
import { isOthersField } from './is-others-field.ts';

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));
const KeyList = lazy(async () => ({ default: (await import('./key-list.tsx')).KeyList }));

type Open = 'palette' | 'keys' | undefined;

export function AppKeys() {
  const { navigation, isSidebarShown, letterKeys } = useApp();
  const hasLetters = useStore(letterKeys);
  const [open, setOpen] = useState<Open>();
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || isOthersField(event.target)) return;
      const act = actionOf(event, hasLetters);
      if (act === undefined) return;
      event.preventDefault();
      if (act === 'new') navigation.go({ page: 'chat' });
      else if (act === 'sidebar') toggleSidebar(isSidebarShown);
      else setOpen((before) => (before === act ? undefined : act));
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [hasLetters, isSidebarShown, navigation]);
  const close = (): void => setOpen(undefined);
  return (
    <Suspense fallback={null}>
      {open === 'palette' ? <Palette close={close} showKeys={() => setOpen('keys')} /> : null}
      {open === 'keys' ? <KeyList close={close} /> : null}
    </Suspense>
  );
}

function actionOf(event: KeyboardEvent, hasLetters: boolean): 'palette' | 'keys' | 'new' | 'sidebar' | undefined {
  const isControl = event.ctrlKey !== event.metaKey && !event.altKey;
  if (isControl && event.shiftKey) return event.code === 'KeyO' ? 'new' : undefined;
  if (isControl)
    return new Map([
      ['k', 'palette'],
      ['b', 'sidebar'],
    ] as const).get(event.key.toLowerCase() as 'k');
  const isWriting = event.target instanceof Element && event.target.matches('input, textarea, select');
  return hasLetters && event.key === '?' && !isWriting && !event.altKey && !event.ctrlKey ? 'keys' : undefined;
}
