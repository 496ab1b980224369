/** Stops what runs here, also by Escape. */
import { useEffect, useState } from 'react';
import { useApp } from '../app/use-app.ts';
import { RequestFailure } from '../api/request.ts';
import { useWords } from '../words/use-words.ts';

export function useStop(
  conversationId: string,
  isRunning: boolean,
): { readonly stop: () => void; readonly problem: string } {
  const { t } = useWords();
  const { api } = useApp();
  const [problem, setProblem] = useState('');
  const stop = (): void => {
    setProblem('');
    api.conversations.stop(conversationId).catch((error: unknown) => {
      setProblem(error instanceof RequestFailure && error.message !== '' ? error.message : t('chat.not-stopped'));
    });
  };
  useEffect(() => {
    if (!isRunning) return;
    const press = (event: KeyboardEvent): void => {
      // Menus, sheets and the completion close first.
      if (
        event.key !== 'Escape' ||
        event.defaultPrevented ||
        document.querySelector(':popover-open, dialog[open]') !== null
      )
        return;
      stop();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  });
  return { stop, problem };
}
