/** One conversation in the list: its title, whether it runs or asks, and what can be done with it. */
import { useState, type FormEvent } from 'react';
import type { WebConversation } from '../../contract/web-api.ts';
import { useApp, useStore } from '../app/use-app.ts';
import { Icon } from '../ui/icon.tsx';
import { Dot } from '../ui/indicator.tsx';
import { exportItems } from '../export/save-conversation.ts';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { useWords } from '../words/use-words.ts';
import { PageLink } from './page-link.tsx';

export function ConversationRow({ conversation }: { readonly conversation: WebConversation }) {
  const words = useWords();
  const { t } = words;
  const { list, navigation } = useApp();
  const [isRenaming, setRenaming] = useState(false);
  const route = useStore(navigation.route);
  const isCurrent = route.page === 'chat' && route.conversationId === conversation.id;
  const title = conversation.title === '' ? t('chat.untitled') : conversation.title;
  if (isRenaming) return <RenameField conversation={conversation} onEnd={() => setRenaming(false)} />;
  const remove = async (): Promise<void> => {
    await list.remove(conversation);
    if (isCurrent && list.state.get().removed?.conversation.id === conversation.id) navigation.go({ page: 'chat' });
  };
  const items: readonly MenuItem[] = [
    { icon: 'pencil', label: t('list.rename'), choose: () => setRenaming(true) },
    {
      icon: 'pin',
      label: t(conversation.isPinned ? 'list.unpin' : 'list.pin'),
      choose: () => void list.pin(conversation.id, !conversation.isPinned),
    },
    ...exportItems(conversation.id, words),
    { icon: 'trash', label: t('list.delete'), isDanger: true, choose: () => void remove() },
  ];
  return (
    <li className="side-row">
      <PageLink to={{ page: 'chat', conversationId: conversation.id }} isCurrent={isCurrent} title={title}>
        {conversation.isPinned ? <Icon name="pin" isSmall /> : null}
        <span className="cut">{title}</span>
        <State conversation={conversation} />
      </PageLink>
      <Menu label={t('list.actions', { title })} items={items} />
    </li>
  );
}

function State({ conversation }: { readonly conversation: WebConversation }) {
  const { t } = useWords();
  const { live } = useApp();
  const { questions, running } = useStore(live.state);
  if (questions.some((each) => each.conversationId === conversation.id))
    return <Dot look="ask" label={t('list.asks')} />;
  return running.has(conversation.id) ? <Dot label={t('list.runs')} /> : null;
}

function RenameField({ conversation, onEnd }: { readonly conversation: WebConversation; readonly onEnd: () => void }) {
  const { t } = useWords();
  const { list } = useApp();
  const [title, setTitle] = useState(conversation.title);
  const save = (event?: FormEvent): void => {
    event?.preventDefault();
    const wanted = title.trim();
    if (wanted !== '' && wanted !== conversation.title) void list.rename(conversation.id, wanted);
    onEnd();
  };
  return (
    <li className="side-row">
      <form className="field rename" onSubmit={save}>
        <input
          // What was asked for a moment ago is to be typed now.
          autoFocus
          aria-label={t('list.new-title')}
          value={title}
          onChange={(event) => setTitle(event.target.value)}
          onFocus={(event) => event.target.select()}
          onBlur={() => save()}
          onKeyDown={(event) => event.key === 'Escape' && onEnd()}
        />
      </form>
    </li>
  );
}
