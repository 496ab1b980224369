/** Keys of the whole page: a new chat, the next open question. */
import { useEffect } from 'react';
import { useApp } from '../app/use-app.ts';

export function useChatKeys(): void {
  const { navigation } = useApp();
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey && event.shiftKey && event.code === 'KeyO') {
        event.preventDefault();
        navigation.go({ page: 'chat' });
      } else if (event.altKey && event.code === 'KeyQ') {
        event.preventDefault();
        goToNextQuestion();
      }
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [navigation]);
}

function goToNextQuestion(): void {
  const cards = [...document.querySelectorAll<HTMLElement>('[data-question]')];
  const at = cards.findIndex((card) => card.contains(document.activeElement));
  const next = cards[(at + 1) % cards.length];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}
