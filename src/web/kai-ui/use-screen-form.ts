/** The state of one screen: what was entered, what is shown or hidden, which button was pressed. */
import { createContext, useContext, useMemo, useState } from 'react';
import { KaiUiContext, TurnIdContext } from './kai-ui-context.ts';
import type { Screen } from './parse-screen.ts';
import { answerMessage } from './screen-answer.ts';
import type { Action, InputNode, InputValue } from './screen-node.ts';

export type ScreenForm = {
  /** Nothing can be entered or pressed. */
  readonly isFrozen: boolean;
  valueOf(input: InputNode): InputValue;
  enter(id: string, value: InputValue): void;
  isToggled(id: string): boolean;
  toggle(id: string): void;
  /** It was pressed, and its answer is not there yet. */
  isWaiting(label: string, action: Action): boolean;
  call(label: string, action: Extract<Action, { type: 'callback' }>): void;
};

export const ScreenFormContext = createContext<ScreenForm | undefined>(undefined);

export function useForm(): ScreenForm {
  const form = useContext(ScreenFormContext);
  if (form === undefined) throw new Error('A part of a screen is drawn outside of one.');
  return form;
}

export function useScreenForm(screen: Screen): ScreenForm {
  const { liveTurnId, waiting, submit } = useContext(KaiUiContext);
  const turnId = useContext(TurnIdContext);
  const [entered, setEntered] = useState<ReadonlyMap<string, InputValue>>(new Map());
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [pressed, setPressed] = useState<{ readonly label: string; readonly event: string }>();
  const isLive = liveTurnId === turnId && turnId !== '';
  const waits = waiting?.turnId === turnId ? waiting : isLive ? pressed : undefined;
  return useMemo(
    () => ({
      isFrozen: !isLive || waits !== undefined,
      valueOf: (input) => entered.get(input.id) ?? input.value,
      enter: (id, value) => setEntered((before) => new Map(before).set(id, value)),
      isToggled: (id) => toggled.has(id),
      toggle: (id) =>
        setToggled((before) => {
          const after = new Set(before);
          if (!after.delete(id)) after.add(id);
          return after;
        }),
      isWaiting: (label, action) =>
        action.type === 'callback' && waits?.event === action.event && waits.label === label,
      call(label, action) {
        if (!isLive || waits !== undefined) return;
        setPressed({ label, event: action.event });
        void submit(answerMessage(screen, action, label, entered)).then((isTaken) => {
          // Taken, it waits until the turn is seen to run: for a moment nobody else says so.
          if (!isTaken) setPressed(undefined);
        });
      },
    }),
    [screen, entered, toggled, isLive, waits, submit],
  );
}
