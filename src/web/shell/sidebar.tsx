/** The sidebar: a new chat, the search, and all conversations by day; in the settings their pages. */
import { lazy, Suspense, useEffect, useRef } from 'react';
import { useApp, useStore } from '../app/use-app.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { useWords } from '../words/use-words.ts';
import { ConversationRow } from './conversation-row.tsx';
import { groupByDay } from './group-by-day.ts';
import { PageLink } from './page-link.tsx';
import { sidebarId } from './sidebar-id.ts';
import { UndoLine } from './undo-line.tsx';

const SettingsSidebar = lazy(async () => ({
  default: (await import('../settings/settings-sidebar.tsx')).SettingsSidebar,
}));

export function Sidebar() {
  const { t } = useWords();
  const { navigation } = useApp();
  const route = useStore(navigation.route);
  const isSettings = route.page === 'settings';
  return (
    <>
      <div className="side-head">
        <div className="brand">
          <Icon name="logo" className="logo" />
          <span className="grow">Handrail</span>
          <IconButton
            className="close"
            icon="x"
            label={t('shell.close')}
            isSmall
            popoverTarget={sidebarId}
            popoverTargetAction="hide"
          />
        </div>
        {isSettings ? <WayBack /> : <ChatHead />}
      </div>
      {isSettings ? (
        <Suspense fallback={<div className="side-list" />}>
          <SettingsSidebar />
        </Suspense>
      ) : (
        <>
          <Conversations />
          <UndoLine />
        </>
      )}
    </>
  );
}

function WayBack() {
  const { t } = useWords();
  return (
    <PageLink to={{ page: 'chat' }}>
      <Icon name="left" />
      <span className="cut">{t('settings.back')}</span>
    </PageLink>
  );
}

function ChatHead() {
  const { t } = useWords();
  const { list, navigation } = useApp();
  const { search } = useStore(list.state);
  const route = useStore(navigation.route);
  const field = useSlashKey();
  return (
    <>
      <PageLink to={{ page: 'chat' }} isCurrent={route.page === 'chat' && route.conversationId === undefined}>
        <Icon name="new" />
        <span className="cut">{t('chat.new')}</span>
      </PageLink>
      <PageLink to={{ page: 'activity' }} isCurrent={route.page === 'activity'}>
        <Icon name="list" />
        <span className="cut">{t('shell.activity')}</span>
      </PageLink>
      <label className="field">
        <span className="sr">{t('list.search')}</span>
        <Icon name="search" />
        <input
          ref={field}
          type="search"
          value={search}
          placeholder={t('list.search-short')}
          onChange={(event) => list.search(event.target.value)}
        />
        <kbd aria-hidden="true">/</kbd>
      </label>
    </>
  );
}

function Conversations() {
  const words = useWords();
  const { t } = words;
  const { list } = useApp();
  const { conversations, load, nextOffset, search } = useStore(list.state);
  return (
    <nav className="side-list" aria-label={t('shell.conversations')} aria-busy={load === 'loading'}>
      {groupByDay(conversations, Date.now(), words).map((group) => (
        <section key={group.title}>
          <h2>{group.title}</h2>
          <ul>
            {group.conversations.map((each) => (
              <ConversationRow key={each.id} conversation={each} />
            ))}
          </ul>
        </section>
      ))}
      {load === 'ready' && conversations.length === 0 ? (
        <p className="side-empty">{search === '' ? t('list.empty') : t('list.nothing-found')}</p>
      ) : null}
      {load === 'failed' ? (
        <div className="side-empty">
          <p>{t('list.failed')}</p>
          <Button isSmall onClick={() => void list.reload()}>
            {t('again')}
          </Button>
        </div>
      ) : null}
      {nextOffset === undefined ? null : (
        <Button look="ghost" isSmall onClick={() => void list.more()}>
          {t('list.more')}
        </Button>
      )}
    </nav>
  );
}

/** "/" goes to the search, unless something is being written. */
function useSlashKey() {
  const hasLetters = useStore(useApp().letterKeys);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const isWriting = event.target instanceof Element && event.target.matches('input, textarea, select');
      if (!hasLetters || event.key !== '/' || isWriting || event.ctrlKey || event.metaKey || event.altKey) return;
      // Only where the sidebar is in view.
      if (field.current === null || field.current.offsetParent === null) return;
      event.preventDefault();
      field.current.focus();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [hasLetters]);
  return field;
}
