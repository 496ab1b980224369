/** The app as one element: the frame and the page that the address names. */
import { useApp, useStore } from './use-app.ts';
import { ChatPage } from '../chat/chat-page.tsx';
import { AppShell } from '../shell/app-shell.tsx';
import { PageLink } from '../shell/page-link.tsx';
import { useWords } from '../words/use-words.ts';
import { SignedOut } from './signed-out.tsx';

export function AppView() {
  const { navigation, live } = useApp();
  const route = useStore(navigation.route);
  const connection = useStore(live.connection);
  if (connection.kind === 'refused' && connection.failure.code === 'no_session') return <SignedOut />;
  return (
    <AppShell>{route.page === 'chat' ? <ChatPage conversationId={route.conversationId} /> : <NoSuchPage />}</AppShell>
  );
}

function NoSuchPage() {
  const { t } = useWords();
  return (
    <div className="empty">
      <h1>{t('page.unknown')}</h1>
      <p>{t('page.unknown-text')}</p>
      <PageLink to={{ page: 'chat' }} className="btn">
        {t('chat.new')}
      </PageLink>
    </div>
  );
}
