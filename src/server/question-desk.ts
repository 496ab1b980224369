/** Questions that wait for a person at a page. Whoever answers first, on whichever page, has answered. */
import { ToolFailure } from '../contract/failure.ts';
import type { Answer, Asker, Question } from '../contract/permission.ts';
import type { WebAnswer } from '../contract/web-api.ts';
import { RequestFailure } from './request-failure.ts';
import { isSame } from './sessions.ts';

export type QuestionDesk = {
  readonly asker: Asker;
  open(): readonly Question[];
  /** Throws RequestFailure: not_found, conflict (another question than the one shown), invalid_input (a scope that was not offered). */
  answer(id: string, given: WebAnswer): void;
};

type Watcher = { opened(question: Question): void; closed(question: Question): void };

export function createQuestionDesk(watcher: Watcher): QuestionDesk {
  const waiting = new Map<string, { readonly question: Question; readonly resolve: (answer: Answer) => void }>();
  return {
    open: () => [...waiting.values()].map(({ question }) => question),
    answer(id, given) {
      const entry = waiting.get(id);
      if (entry === undefined)
        throw new RequestFailure(
          'not_found',
          'This question is not open any more: it was answered, or its turn has ended.',
        );
      entry.resolve(answerTo(entry.question, given));
    },
    asker: {
      origin: 'web',
      ask: (question, signal) =>
        new Promise<Answer>((resolve, reject) => {
          const close = (): void => {
            signal.removeEventListener('abort', withdraw);
            waiting.delete(question.id);
            watcher.closed(question);
          };
          const withdraw = (): void => {
            close();
            reject(new ToolFailure('cancelled', 'Stopped before the question was answered.'));
          };
          if (signal.aborted) return withdraw();
          signal.addEventListener('abort', withdraw, { once: true });
          const answered = (answer: Answer): void => {
            close();
            resolve(answer);
          };
          waiting.set(question.id, { question, resolve: answered });
          watcher.opened(question);
        }),
    },
  };
}

function answerTo(question: Question, { verdict, scope = 'once', reason, hash }: WebAnswer): Answer {
  if (!isSame(hash, question.hash))
    throw new RequestFailure(
      'conflict',
      'This answer belongs to another question than the one that is open. Look at it again.',
    );
  if (verdict === 'deny') return reason === undefined ? { verdict } : { verdict, reason };
  if (!question.scopes.includes(scope))
    throw new RequestFailure('invalid_input', `This can be allowed for: ${question.scopes.join(', ')}.`);
  return { verdict, scope };
}
