/** A question on the rail, where the work stopped: why, the exact bytes, where, how far an answer reaches. */
import { useEffect, useId, useState, type KeyboardEvent } from 'react';
import type { GrantScope, Question } from '../../contract/permission.ts';
import type { WebAnswer } from '../../contract/web-api.ts';
import { Icon } from '../ui/icon.tsx';
import { useApp, useStore } from '../app/use-app.ts';
import { RequestFailure } from '../api/request.ts';
import { useWords } from '../words/use-words.ts';
import { Clock } from './clock.tsx';
import { exactLine } from './exact-text.ts';
import { ExactCount, ExactPieces } from './exact-view.tsx';
import { QuestionActions } from './question-actions.tsx';
import { argumentsOf, questionFacts, questionTitle } from './question-text.ts';
import { useQuietAround } from './use-quiet-around.ts';
import { ViewOf } from './views/view-of.tsx';

export type Verdict = { readonly verdict: 'allow'; readonly scope: GrantScope } | { readonly verdict: 'deny' };

export function QuestionCard({ question, askedAtMs }: { readonly question: Question; readonly askedAtMs: number }) {
  const words = useWords();
  const { t } = words;
  const titleId = useId();
  const { place, isReady } = useQuietAround();
  const { answer, isSending, problem } = useAnswer(question);
  const [scope, setScope] = useState<GrantScope>('once');
  const decide = (verdict: Verdict): void => {
    if (isReady() && !isSending) void answer(verdict);
  };
  const hasLetters = useStore(useApp().letterKeys);
  const press = (event: KeyboardEvent): void => {
    if (!hasLetters) return;
    const verdict = verdictOf(event, question, scope);
    if (verdict === undefined) return;
    event.preventDefault();
    decide(verdict);
  };
  return (
    <section
      ref={place}
      className="ask-card"
      aria-labelledby={titleId}
      tabIndex={-1}
      data-question={question.id}
      onKeyDown={press}
    >
      <header className="ask-head">
        <Icon name={question.isDangerous ? 'warn' : 'exit'} />
        <h3 id={titleId}>{questionTitle(question, words)}</h3>
        <span className="xs num">
          {t('question.waiting')} <Clock sinceMs={askedAtMs} />
        </span>
      </header>
      <div className="ask-body">
        <p>
          {sentence(exactLine(question.reason))}
          {question.isDangerous ? <strong className="warn"> {t('question.dangerous')}</strong> : null}
        </p>
        <Bytes question={question} />
        {question.preview === undefined ? null : <ViewOf view={question.preview} />}
        <QuestionActions question={question} scope={scope} setScope={setScope} decide={decide} isSending={isSending} />
        {problem === '' ? null : (
          <p className="bad" role="alert">
            {problem}
          </p>
        )}
      </div>
    </section>
  );
}

function Bytes({ question }: { readonly question: Question }) {
  const words = useWords();
  const all = argumentsOf(question.input);
  return (
    <div className="bytes">
      {all.map(({ name, text }) => (
        <div key={name ?? ''}>
          {all.length > 1 && name !== undefined ? <p className="byte-name mono">{exactLine(name)}</p> : null}
          <pre tabIndex={0} aria-label={words.t('question.exact', { name: name ?? '' })}>
            <ExactPieces text={text} />
          </pre>
        </div>
      ))}
      <div className="facts">
        <ExactCount text={all.map((each) => each.text).join('')} />
        {questionFacts(question, words).map((fact) => (
          <span key={fact.label + fact.value}>
            {fact.label} <span className="mono">{exactLine(fact.value)}</span>
            {fact.really === undefined ? null : (
              <>
                {' '}
                {words.t('fact.really')} <span className="mono">{exactLine(fact.really)}</span>
              </>
            )}
          </span>
        ))}
        <span>
          {exactLine(question.title)} <span className="mono">({exactLine(question.tool)})</span>
        </span>
      </div>
    </div>
  );
}

/** Single keys act only within the question, and not while a key is held down. */
function verdictOf(event: KeyboardEvent, question: Question, scope: GrantScope): Verdict | undefined {
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const key = event.key.toLowerCase();
  if (key === 'd') return { verdict: 'deny' };
  if (key === 'a') return { verdict: 'allow', scope };
  return key === 'c' && question.scopes.includes('conversation')
    ? { verdict: 'allow', scope: 'conversation' }
    : undefined;
}

function useAnswer(question: Question) {
  const { t } = useWords();
  const { api } = useApp();
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState('');
  // The card goes when the answer's event comes; should another tab answer first, it goes as well.
  useEffect(() => setProblem(''), [question.id]);
  const answer = async (verdict: Verdict): Promise<void> => {
    setSending(true);
    setProblem('');
    const body: WebAnswer = { ...verdict, hash: question.hash };
    try {
      await api.answer(question.id, body);
    } catch (error) {
      setSending(false);
      setProblem(error instanceof RequestFailure && error.message !== '' ? error.message : t('question.not-sent'));
    }
  };
  return { answer, isSending, problem };
}

const sentence = (text: string): string => {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
};
