/** Alt Q goes to the next open question. */
import { useEffect } from 'react';

export function useChatKeys(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!event.altKey || event.code !== 'KeyQ') return;
      event.preventDefault();
      goToNextQuestion();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

export function goToNextQuestion(): void {
  const cards = [...document.querySelectorAll<HTMLElement>('[data-question]')];
  const at = cards.findIndex((card) => card.contains(document.activeElement));
  const next = cards[(at + 1) % cards.length];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}
