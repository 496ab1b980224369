/** Copies a text and says for a moment that it did. A function is asked when it is pressed. */
import { useEffect, useState } from 'react';
import { useWords } from '../words/use-words.ts';
import { IconButton } from './button.tsx';

const shownMs = 1_500;

export function CopyButton({ text, label }: { readonly text: string | (() => string); readonly label: string }) {
  const { t } = useWords();
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = window.setTimeout(() => setState('idle'), shownMs);
    return () => window.clearTimeout(timer);
  }, [state]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text());
      setState('copied');
    } catch {
      // The browser may refuse it, for example without https on another address.
      setState('failed');
    }
  };
  return (
    <>
      <IconButton
        icon={state === 'copied' ? 'check' : state === 'failed' ? 'warn' : 'copy'}
        label={state === 'failed' ? t('copy.failed') : label}
        isSmall
        onClick={() => void copy()}
      />
      <span className="sr" role="status">
        {state === 'copied' ? t('copy.done') : state === 'failed' ? t('copy.failed') : ''}
      </span>
    </>
  );
}
