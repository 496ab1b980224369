/** The answers to a permission question and the keys for them. No key allows by default: the first selection is Deny. */
import type { Answer, GrantScope, Question } from '../../contract/permission.ts';

export type Choice = {
  readonly label: string;
  readonly digit: string;
  readonly letters: string;
  readonly answer: Answer;
};

/** Digits stay with their meaning whatever is offered, so that a habit never allows more than it used to. */
const allowances: Readonly<Record<GrantScope, Choice>> = {
  once: { label: 'Allow once', digit: '1', letters: 'ay', answer: { verdict: 'allow', scope: 'once' } },
  conversation: {
    label: 'Allow in this chat',
    digit: '2',
    letters: 'c',
    answer: { verdict: 'allow', scope: 'conversation' },
  },
  always: { label: 'Allow always', digit: '4', letters: 'w', answer: { verdict: 'allow', scope: 'always' } },
};

const deny: Choice = { label: 'Deny', digit: '3', letters: 'dn', answer: { verdict: 'deny' } };

export function choicesOf(question: Question): readonly Choice[] {
  const offered = (['once', 'conversation'] as const).filter((scope) => question.scopes.includes(scope));
  const always = question.scopes.includes('always') ? [allowances.always] : [];
  return [...offered.map((scope) => allowances[scope]), deny, ...always];
}

export function denyIndex(question: Question): number {
  return choicesOf(question).indexOf(deny);
}

export function choiceByKey(question: Question, typed: string): Choice | undefined {
  const letter = typed.toLowerCase();
  if (letter.length !== 1) return undefined;
  return choicesOf(question).find((choice) => choice.digit === letter || choice.letters.includes(letter));
}
