/** Where a step waits for an answer: the card, where it can be given here. */
import type { Question } from '../../contract/permission.ts';
import { useApp, useStore } from '../app/use-app.ts';
import { useWords } from '../words/use-words.ts';
import { QuestionCard } from './question-card.tsx';
import { questionTitle } from './question-text.ts';

export function QuestionSlot({ question, askedAtMs }: { readonly question: Question; readonly askedAtMs: number }) {
  const words = useWords();
  const { live } = useApp();
  const { isKnown, questions } = useStore(live.state);
  // What is drawn and answered is the server's question, byte for byte the one that was recorded.
  const open = questions.find((each) => each.id === question.id);
  if (open !== undefined) return <QuestionCard key={open.id} question={open} askedAtMs={askedAtMs} />;
  return (
    <p className="line">
      <b>{questionTitle(question, words)}</b>
      <span className="cut">{isKnown ? words.t('question.elsewhere') : ''}</span>
    </p>
  );
}
