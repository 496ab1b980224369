/** How a turn ended, and in which words when it did not end well. */
import type { TurnEndReason } from '../contract/event.ts';
import type { ModelFailure } from '../contract/failure.ts';
import type { Usage } from '../contract/model.ts';
import type { StepResult } from './step.ts';
import type { StopRule } from './stop-rules.ts';

/** What a turn has taken so far. */
export type Spent = { readonly rounds: number; readonly usage: Usage; readonly costUsd?: number };

export type TurnEnd = Spent & {
  readonly reason: TurnEndReason;
  readonly answer: string;
  readonly error?: { readonly kind: string; readonly message: string };
};

type Ending = Omit<TurnEnd, keyof Spent>;

const failed = (answer: string, kind: string, message: string): Ending => ({
  reason: 'failed',
  answer,
  error: { kind, message },
});

/** For a response without calls. */
export function endOf({ finish, message }: StepResult): Ending {
  const answer = textOf(message);
  if (finish === 'stopped') return { reason: 'stopped', answer };
  if (finish === 'refused') return failed(answer, 'refused', 'The model refused to answer this.');
  if (finish === 'length') {
    return failed(answer, 'length', "The answer was cut at the model's output limit. Ask it to go on.");
  }
  if (isBlank(answer)) {
    return failed(answer, 'empty', 'The model ended its turn without an answer. Ask again, or say "go on".');
  }
  return { reason: 'answer', answer };
}

/** White space, or characters that nobody sees. */
const isBlank = (text: string): boolean => !/[^\s\p{C}]/u.test(text);

/** For the request without tools that follows a stop rule. `textBefore`: what the model had said last. */
export function endOfStopped(stop: StopRule, { message }: StepResult, textBefore: string): Ending {
  const answer = isBlank(textOf(message)) ? textBefore : textOf(message);
  if (!isBlank(answer)) return { reason: stop.reason, answer };
  const text = `The turn was stopped (${stop.text}), and the model gave no answer then. Ask again in other words, or say "go on".`;
  return { reason: stop.reason, answer: '', error: { kind: 'empty', message: text } };
}

export function endOfFailure({ kind, message }: ModelFailure, answer: string): Ending {
  return { reason: kind === 'budget' ? 'budget' : 'failed', answer, error: { kind, message } };
}

export const textOf = (message: StepResult['message']): string =>
  message.parts
    .filter((part) => part.type === 'text')
    .map((part) => part.text)
    .join('');
