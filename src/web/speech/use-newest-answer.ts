/** Tells the speaker which answer is the newest of the chat that is open; it stays so while the sandbox stands in its place. */
import { useEffect } from 'react';
import { useApp } from '../app/use-app.ts';
import type { Turn } from '../chat/screen.ts';

export function useNewestAnswer(turns: readonly Turn[]): void {
  const { speaker } = useApp();
  const turn = turns.findLast((each) => answerOf(each) !== '');
  useEffect(() => {
    speaker.setNewest(turn === undefined ? undefined : { id: turn.turnId, text: answerOf(turn) });
  }, [speaker, turn]);
}

/** What was written in it, without its steps. */
export const answerOf = (turn: Turn): string =>
  turn.parts
    .flatMap((part) => (part.kind === 'text' ? [part.text] : []))
    .join('\n\n')
    .trim();
