/** The text in the field: kept as a draft at every change; of a message that is edited only as long as that goes on. */
import { useEffect, useState } from 'react';
import { useApp } from '../app/use-app.ts';
import type { Attachments } from './attach/use-attachments.ts';
import type { Editing } from './use-branching.ts';

export function useMessageText(
  { conversationId, editing }: { readonly conversationId: string | undefined; readonly editing?: Editing | undefined },
  { replace }: Pick<Attachments, 'replace'>,
) {
  const { drafts } = useApp();
  const [text, setText] = useState(() => drafts.get(conversationId));
  // Another conversation is another page; what is edited comes and goes within one.
  useEffect(() => {
    setText(editing?.text ?? drafts.get(conversationId));
    replace(editing?.images ?? []);
  }, [drafts, conversationId, editing, replace]);
  return {
    text,
    setText(next: string): void {
      if (editing === undefined) drafts.set(conversationId, next);
      setText(next);
    },
  };
}
