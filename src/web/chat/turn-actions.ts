/** What a person can do with a turn that is over: edit what was said, try again, go on from there in a branch. */
import { createContext, useContext } from 'react';
import type { WebConversation } from '../../contract/web-api.ts';
import type { Turn } from './screen.ts';

export type TurnActions = {
  /** Puts what was said into the field; sent, it makes a branch. */
  edit(turn: Turn): void;
  retry(turn: Turn): void;
  /** A new conversation with all up to this turn's end. */
  branchBehind(turn: Turn): void;
  /** Undefined: this conversation is no branch. */
  readonly branchedFrom: WebConversation['branchedFrom'];
  /** Nothing runs: the last turn is over, too. */
  readonly isIdle: boolean;
};

export const TurnActionsContext = createContext<TurnActions | undefined>(undefined);

/** Undefined: nothing can be done here. */
export const useTurnActions = (): TurnActions | undefined => useContext(TurnActionsContext);

/** It ended and said nothing: to say the same again is no second answer beside a first one. */
export function isWithoutAnswer(turn: Turn): boolean {
  const hasText = turn.parts.some((part) => part.kind === 'text');
  return turn.end !== undefined && turn.end.reason !== 'answer' && !hasText;
}
