/** Edit and resend, retry, branch: each makes a new conversation, and leaves this one as it is. */
import { useMemo, useRef, useState } from 'react';
import { type App, useApp } from '../app/use-app.ts';
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

type Given = {
  readonly conversationId: string;
  readonly turns: readonly Turn[];
  readonly isIdle: boolean;
  readonly attempt: (action: () => Promise<unknown>) => Promise<boolean>;
} & Pick<TurnActions, 'branchedFrom'>;

export function useBranching(given: Given): Branching {
  const { api, drafts, navigation } = useApp();
  const [editing, setEditing] = useState<Editing>();
  const { branchedFrom, isIdle, conversationId } = given;
  // The actions stay the same while the screen changes: all turns hang on them.
  const latest = useRef(given);
  latest.current = given;
  const acts = useMemo(
    () => createActs({ api, drafts, navigation }, conversationId, { latest: () => latest.current, setEditing }),
    [api, conversationId, drafts, navigation],
  );
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

function createActs(
  { api, drafts, navigation }: Pick<App, 'api' | 'drafts' | 'navigation'>,
  conversationId: string,
  { latest, setEditing }: { latest(): Given; setEditing(editing: Editing | undefined): void },
) {
  /** What was not taken is sent to the same branch again, not to one more. */
  const made = new Map<string, string>();
  async function branchAt(beforeSeq: number, purpose: string): Promise<string> {
    const key = `${beforeSeq} ${purpose}`;
    const id = made.get(key) ?? (await api.conversations.branch(conversationId, beforeSeq)).id;
    made.set(key, id);
    return id;
  }
  async function resend(outgoing: Outgoing, beforeSeq: number): Promise<void> {
    const key = outgoing.typed.kind === 'message' ? outgoing.typed.text : '';
    const id = await branchAt(beforeSeq, key);
    // Should this page or the server end now, the branch is there, and the text in its field.
    drafts.set(id, key);
    await deliver(api, id, outgoing);
    drafts.set(id, '');
    made.clear();
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
      const { attempt, turns } = latest();
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
      void latest().attempt(async () => {
        const id = await branchAt(end.seq + 1, '');
        made.clear();
        navigation.go({ page: 'chat', conversationId: id });
      });
    },
  };
}
