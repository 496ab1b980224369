/** Edit and resend, retry, branch: each makes a new conversation, and leaves this one as it is. */
import { useMemo, useRef, useState } from 'react';
import { useApp } from '../app/use-app.ts';
import type { Outgoing } from './outgoing.ts';
import type { Turn, TurnImage } from './screen.ts';
import { deliver } from './send-typed.ts';
import { isWithoutAnswer, type TurnActions } from './turn-actions.ts';

/** A message that is written anew. */
export type Editing = {
  readonly beforeSeq: number;
  readonly text: string;
  readonly images: readonly TurnImage[];
};

export type Branching = {
  readonly editing: Editing | undefined;
  readonly endEditing: () => void;
  readonly editLast: () => void;
  /** Into a branch before the message that is edited. */
  readonly resend: (outgoing: Outgoing, beforeSeq: number) => Promise<void>;
  readonly actions: TurnActions;
};

export function useBranching(
  given: {
    readonly conversationId: string;
    readonly turns: readonly Turn[];
    readonly isIdle: boolean;
    readonly attempt: (action: () => Promise<unknown>) => Promise<boolean>;
  } & Pick<TurnActions, 'branchedFrom'>,
): Branching {
  const { api, drafts, navigation } = useApp();
  const [editing, setEditing] = useState<Editing>();
  const { branchedFrom, isIdle, conversationId } = given;
  // The actions stay the same while the screen changes: all turns hang on them.
  const latest = useRef(given);
  latest.current = given;
  /** What was not taken is sent to the same branch again, not to one more. */
  const made = useRef(new Map<string, string>());
  const acts = useMemo(() => {
    async function branchAt(beforeSeq: number, purpose: string): Promise<string> {
      const key = `${beforeSeq} ${purpose}`;
      const id = made.current.get(key) ?? (await api.conversations.branch(conversationId, beforeSeq)).id;
      made.current.set(key, id);
      return id;
    }
    async function resend(outgoing: Outgoing, beforeSeq: number): Promise<void> {
      const key = outgoing.typed.kind === 'message' ? outgoing.typed.text : '';
      const id = await branchAt(beforeSeq, key);
      // Should this page or the server end now, the branch is there, and the text in its field.
      drafts.set(id, key);
      await deliver(api, id, outgoing);
      drafts.set(id, '');
      made.current.clear();
      setEditing(undefined);
      navigation.go({ page: 'chat', conversationId: id });
    }
    const saidAgain = (turn: Turn): Outgoing => ({
      typed: { kind: 'message', text: turn.said?.text ?? '' },
      ...{ images: turn.said?.images ?? [], files: [], model: undefined },
    });
    return {
      resend,
      edit(turn: Turn) {
        if (turn.said !== undefined) setEditing({ ...turn.said, beforeSeq: turn.said.seq });
      },
      retry(turn: Turn) {
        const { attempt, turns } = latest.current;
        const { said } = turn;
        if (said === undefined) return;
        const isLast = turns.at(-1)?.turnId === turn.turnId;
        void attempt(() =>
          isLast && isWithoutAnswer(turn)
            ? deliver(api, conversationId, saidAgain(turn))
            : resend(saidAgain(turn), said.seq),
        );
      },
      branchBehind(turn: Turn) {
        const { end } = turn;
        if (end === undefined) return;
        void latest.current.attempt(async () => {
          const id = await branchAt(end.seq + 1, '');
          made.current.clear();
          navigation.go({ page: 'chat', conversationId: id });
        });
      },
    };
  }, [api, conversationId, drafts, navigation]);
  const actions = useMemo(() => ({ ...acts, branchedFrom, isIdle }), [acts, branchedFrom, isIdle]);
  return {
    editing,
    endEditing: () => setEditing(undefined),
    editLast() {
      const last = given.turns.findLast((turn) => turn.said !== undefined);
      if (last !== undefined) acts.edit(last);
    },
    resend: acts.resend,
    actions,
  };
}
