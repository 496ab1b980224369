/** For screen readers: that something is asked, that an answer is there. Polite, and never word by word. */
import { useWords } from '../words/use-words.ts';
import { questionTitle } from './question-text.ts';
import type { Turn } from './screen.ts';

export function NowAnnounced({ turn }: { readonly turn: Turn | undefined }) {
  const words = useWords();
  return (
    <p className="sr" aria-live="polite">
      {turn === undefined ? '' : textOf(turn, words)}
    </p>
  );
}

function textOf(turn: Turn, words: ReturnType<typeof useWords>): string {
  const steps = turn.parts.flatMap((part) => (part.kind === 'steps' ? part.steps : []));
  const question = steps.findLast((step) => step.status === 'asking')?.question;
  if (question !== undefined) return words.t('announce.asks', { title: questionTitle(question, words) });
  return turn.end === undefined ? '' : words.t('announce.over');
}
