/** Which screen of a conversation can be used now, and which waits for its answer. */
import { useMemo } from 'react';
import type { Turn } from '../chat/screen.ts';
import type { KaiUi } from './kai-ui-context.ts';
import { readAnswer } from './screen-answer.ts';

/** `runningTurnId` undefined: nothing runs. */
export function useKaiUi(
  turns: readonly Turn[],
  runningTurnId: string | undefined,
  submit: (message: string) => Promise<boolean>,
): KaiUi {
  const last = turns.at(-1);
  const before = turns.at(-2);
  const isRunning = runningTurnId !== undefined;
  const answer = useMemo(() => readAnswer(last?.said?.text ?? ''), [last?.said?.text]);
  const lastId = last?.turnId;
  const beforeId = before?.turnId;
  return useMemo(
    () => ({
      liveTurnId: isRunning ? undefined : lastId,
      waiting:
        isRunning && runningTurnId === lastId && answer !== undefined && beforeId !== undefined
          ? { turnId: beforeId, event: answer.event, label: answer.label }
          : undefined,
      submit,
    }),
    [isRunning, runningTurnId, lastId, beforeId, answer, submit],
  );
}
