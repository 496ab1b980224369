/** Opens and closes the sandbox in the place of the chat, also by Ctrl `; flashes once at each command of an agent. */
import { useEffect, useRef } from 'react';
import { useApp, useStore } from '../app/use-app.ts';
import { IconButton } from '../ui/button.tsx';
import { useWords } from '../words/use-words.ts';

export function SandboxButton() {
  const { t } = useWords();
  const { navigation } = useApp();
  const isOpen = useStore(navigation.isSandboxOpen);
  const button = useFlash();
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!event.ctrlKey || event.altKey || event.metaKey || (event.key !== '`' && event.code !== 'Backquote')) return;
      event.preventDefault();
      const { isSandboxOpen } = navigation;
      // What had the focus goes away.
      if (isSandboxOpen.get()) button.current?.focus();
      isSandboxOpen.change((before) => !before);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [button, navigation]);
  const label = t(isOpen ? 'sandbox.close' : 'sandbox.open');
  return (
    <IconButton
      ref={button}
      icon="term"
      label={label}
      hint={`${label} (Ctrl \`)`}
      aria-pressed={isOpen}
      onClick={() => navigation.isSandboxOpen.set(!isOpen)}
    />
  );
}

/** At once in the accent, fading: a command while it fades begins it anew. */
function useFlash() {
  const { live } = useApp();
  const { commands } = useStore(live.state);
  const button = useRef<HTMLButtonElement>(null);
  const shown = useRef(commands);
  useEffect(() => {
    const element = button.current;
    if (element === null || commands === shown.current) return;
    shown.current = commands;
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    element.classList.remove('flash');
    // Without a look at the layout the class would not have been away.
    void element.offsetWidth;
    element.classList.add('flash');
    element.addEventListener('animationend', () => element.classList.remove('flash'), { once: true });
  }, [commands]);
  return button;
}
