/** What can be done and gone to from everywhere. */
import { type App, useApp, useStore } from '../app/use-app.ts';
import { goToNextQuestion } from '../chat/use-chat-keys.ts';
import { sections } from '../settings/sections.ts';
import { toggleSidebar } from '../shell/sidebar-toggle.ts';
import { showPath } from '../words/amounts.ts';
import { useWords } from '../words/use-words.ts';
import type { Words } from '../words/words.ts';
import type { Actions, Entry } from './match-entries.ts';

export function usePaletteActions(showKeys: () => void): Actions {
  const { t } = useWords();
  const app = useApp();
  const { navigation, isSidebarShown, live, serverState } = app;
  const route = useStore(navigation.route);
  const { questions } = useStore(live.state);
  const home = useStore(serverState)?.home ?? '';
  const asked: readonly Entry[] =
    questions.length === 0
      ? []
      : [
          {
            ...{ id: 'question', icon: 'hand', label: t('keys.question'), detail: 'Alt Q' },
            // The palette gives the focus back first.
            choose: () => void requestAnimationFrame(goToNextQuestion),
          },
        ];
  return {
    entries: [
      {
        ...{ id: 'new', icon: 'new', label: t('chat.new'), detail: 'Ctrl Shift O' },
        choose: () => navigation.go({ page: 'chat' }),
      },
      ...asked,
      ...(route.page === 'chat' ? chatEntries(app, t) : []),
      {
        ...{ id: 'sidebar', icon: 'side', label: t('keys.sidebar'), detail: 'Ctrl B' },
        choose: () => toggleSidebar(isSidebarShown),
      },
      {
        ...{ id: 'activity', icon: 'list', label: t('shell.activity'), detail: t('palette.page') },
        choose: () => navigation.go({ page: 'activity' }),
      },
      {
        ...{ id: 'tool', icon: 'tool', label: t('palette.tool'), detail: t('palette.page') },
        choose: () => navigation.go({ page: 'tool' }),
      },
      ...sections.map(({ id, icon, title }): Entry => ({
        ...{ id: `settings ${id}`, icon, label: t(title), detail: t('settings.title') },
        choose: () => navigation.go({ page: 'settings', section: id }),
      })),
      { ...{ id: 'keys', icon: 'info', label: t('keys.title'), detail: '?' }, choose: showKeys },
    ],
    entryOf: ({ id, title, workspace, isPinned }) => ({
      ...{ id: `chat ${id}`, icon: isPinned ? 'pin' : 'file' },
      ...{ label: title === '' ? t('chat.untitled') : title, detail: showPath(workspace, home) },
      choose: () => navigation.go({ page: 'chat', conversationId: id }),
    }),
  };
}

const chatEntries = ({ navigation, isRunDocked }: App, t: Words['t']): readonly Entry[] => [
  {
    ...{ id: 'sandbox', icon: 'term', label: t('keys.sandbox'), detail: 'Ctrl `' },
    choose: () => navigation.isSandboxOpen.change((isOpen) => !isOpen),
  },
  {
    ...{ id: 'run', icon: 'panel', label: t('keys.run'), detail: 'Ctrl .' },
    choose: () => isRunDocked.change((isDocked) => !isDocked),
  },
];
