/** The bar above a chat: the way to the list, what is open and where it works, the rung, a new chat. */
import type { WebConversation, WebState } from '../../contract/web-api.ts';
import { useApp, useStore } from '../app/use-app.ts';
import { IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import { showPath } from '../words/amounts.ts';
import { useWords } from '../words/use-words.ts';
import { RunButton } from '../run/run-button.tsx';
import { exportItems } from '../export/save-conversation.ts';
import { ReadNewestButton } from '../speech/read-aloud-button.tsx';
import { PageLink } from './page-link.tsx';
import { rungLook, rungWords } from './rung-look.ts';
import { SandboxButton } from './sandbox-button.tsx';
import { SideButton } from './side-button.tsx';

export function Bar({
  conversation,
  isNew,
  state,
}: {
  /** Undefined: a new chat, or not known yet. */
  readonly conversation: WebConversation | undefined;
  readonly isNew: boolean;
  readonly state: WebState | undefined;
}) {
  const words = useWords();
  const { t } = words;
  const { navigation } = useApp();
  const isSandboxOpen = useStore(navigation.isSandboxOpen);
  const workspace = isNew ? state?.workspace : conversation?.workspace;
  const title = isNew ? t('chat.new') : conversation === undefined ? '' : conversation.title || t('chat.untitled');
  return (
    <>
      <header className="bar">
        <SideButton label={t('shell.history')} />
        <div className="title">
          <h1 className="cut" title={title}>
            {title === '' ? '\u00a0' : title}
          </h1>
          {/* Its room is there before it is known. */}
          <p className="xs muted mono cut workspace" title={workspace}>
            {workspace === undefined ? '' : showPath(workspace, state?.home ?? '')}
          </p>
        </div>
        {state === undefined ? null : <Rung rung={state.rung} network={state.settings.sandbox.network.mode} />}
        {isNew || isSandboxOpen ? null : <RunButton />}
        <ReadNewestButton isNew={isNew} />
        {conversation === undefined ? null : (
          <span className="bar-menu">
            <Menu label={t('list.actions', { title })} items={exportItems(conversation.id, words)} />
          </span>
        )}
        <IconButton
          icon="new"
          label={t('chat.new')}
          hint={`${t('chat.new')} (Ctrl Shift O)`}
          onClick={() => navigation.go({ page: 'chat' })}
        />
        <SandboxButton />
        <PageLink to={{ page: 'settings' }} className="btn ghost square" title={t('settings.title')}>
          <Icon name="set" />
          <span className="sr">{t('settings.title')}</span>
        </PageLink>
      </header>
      <div className="strip">
        {state === undefined ? null : <Rung rung={state.rung} network={state.settings.sandbox.network.mode} />}
      </div>
    </>
  );
}

export function Rung({ rung, network }: { readonly rung: string; readonly network: string }) {
  const { t } = useWords();
  const look = rungLook(rung);
  return (
    <span className={`badge ${look}`} title={t('rung.title', { rung, network })}>
      <Icon name={look === 'good' ? 'shield' : 'warn'} isSmall />
      {rungWords(rung, network)}
    </span>
  );
}
