/** The app as one element: the frame and the page that the address names. Pages beside the chat are loaded when opened. */
import { lazy, Suspense } from 'react';
import { useApp, useStore } from './use-app.ts';
import { ChatPage } from '../chat/chat-page.tsx';
import { AppShell } from '../shell/app-shell.tsx';
import { PageBar } from '../shell/page-bar.tsx';
import { PageLink } from '../shell/page-link.tsx';
import { Bones } from '../ui/bones.tsx';
import { useWords } from '../words/use-words.ts';
import { PageGuard } from './page-guard.tsx';
import { pathOf, type Route } from './route.ts';
import { SignedOut } from './signed-out.tsx';
import { useWelcome } from './use-welcome.ts';

const SettingsPage = lazy(async () => ({ default: (await import('../settings/settings-page.tsx')).SettingsPage }));
const ActivityPage = lazy(async () => ({ default: (await import('../activity/activity-page.tsx')).ActivityPage }));
const WelcomePage = lazy(async () => ({ default: (await import('../welcome/welcome-page.tsx')).WelcomePage }));
const ToolPage = lazy(async () => ({ default: (await import('../tool-page/tool-page.tsx')).ToolPage }));

export function AppView() {
  const { t } = useWords();
  const { navigation, live } = useApp();
  const route = useStore(navigation.route);
  const connection = useStore(live.connection);
  useWelcome();
  if (connection.kind === 'refused' && connection.failure.code === 'no_session') return <SignedOut />;
  // The first steps have the page to themselves.
  if (route.page === 'welcome')
    return (
      <Suspense fallback={<Bones label={t('page.loading')} />}>
        <WelcomePage />
      </Suspense>
    );
  return (
    <AppShell>
      <PageGuard page={pathOf(route)}>
        <Suspense fallback={<Bones label={t('page.loading')} />}>
          <Page route={route} />
        </Suspense>
      </PageGuard>
    </AppShell>
  );
}

function Page({ route }: { readonly route: Route }) {
  switch (route.page) {
    case 'chat':
      return <ChatPage conversationId={route.conversationId} />;
    case 'settings':
      return <SettingsPage section={route.section} />;
    case 'activity':
      return <ActivityPage />;
    case 'tool':
      return <ToolPage tool={route.tool} />;
    case 'welcome':
    case 'unknown':
      return <NoSuchPage />;
  }
}

function NoSuchPage() {
  const { t } = useWords();
  return (
    <>
      <PageBar title={t('page.unknown')} />
      <div className="empty">
        <p>{t('page.unknown-text')}</p>
        <PageLink to={{ page: 'chat' }} className="btn">
          {t('chat.new')}
        </PageLink>
      </div>
    </>
  );
}
