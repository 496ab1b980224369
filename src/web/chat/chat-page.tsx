/** The chat: one conversation, or a new one until something is said. */
import { lazy, Suspense, useEffect, useState } from 'react';
import type { WebConversation } from '../../contract/web-api.ts';
import { useApp, useStore } from '../app/use-app.ts';
import { Bar } from '../shell/bar.tsx';
import { NewChat } from './new-chat.tsx';
import { OpenChat } from './open-chat.tsx';
import { Bones } from '../ui/bones.tsx';
import { useWords } from '../words/use-words.ts';
import { useChatKeys } from './use-chat-keys.ts';

const SandboxView = lazy(async () => ({ default: (await import('../sandbox/sandbox-view.tsx')).SandboxView }));

export function ChatPage({ conversationId }: { readonly conversationId: string | undefined }) {
  const { t } = useWords();
  const { serverState, navigation } = useApp();
  const isSandboxOpen = useStore(navigation.isSandboxOpen);
  const state = useStore(serverState);
  const conversation = useConversation(conversationId);
  useChatKeys();
  useEffect(() => {
    document.title =
      conversation === undefined || conversation.title === '' ? 'Handrail' : `${conversation.title} · Handrail`;
  }, [conversation]);
  return (
    <>
      <Bar conversation={conversation} isNew={conversationId === undefined} state={state} />
      {isSandboxOpen ? (
        <Suspense fallback={<Bones label={t('page.loading')} />}>
          <SandboxView conversationId={conversationId} />
        </Suspense>
      ) : conversationId === undefined ? (
        <NewChat />
      ) : (
        // Another conversation is another page: nothing of the one before stays.
        <OpenChat
          key={conversationId}
          conversationId={conversationId}
          isInteractive={conversation?.kind === 'interactive'}
          branchedFrom={conversation?.branchedFrom}
        />
      )}
    </>
  );
}

/** From the list where it stands there, else asked for. */
function useConversation(id: string | undefined): WebConversation | undefined {
  const { api, list, live } = useApp();
  const { conversations } = useStore(list.state);
  const { changed } = useStore(live.state);
  const [asked, setAsked] = useState<WebConversation>();
  const known = id === undefined ? undefined : (changed.get(id) ?? conversations.find((each) => each.id === id));
  const isMissing = id !== undefined && known === undefined;
  useEffect(() => {
    // That there is none is told by the page, which asks for its events.
    if (isMissing) void api.conversations.get(id).then(setAsked, () => undefined);
  }, [api, id, isMissing]);
  return known ?? (asked?.id === id ? asked : undefined);
}
