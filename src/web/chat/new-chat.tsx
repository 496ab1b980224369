/** A chat that has not begun: what this place is, and where to write. The conversation is made with the first thing said. */
import { useRef, useState, type ReactNode } from 'react';
import type { WebNewConversation } from '../../contract/web-api.ts';
import { useApp, useStore } from '../app/use-app.ts';
import { PendingNotice } from '../settings/pending-notice.tsx';
import { ConnectionLine } from '../shell/connection-line.tsx';
import { RequestFailure } from '../api/request.ts';
import { Icon } from '../ui/icon.tsx';
import { Notice } from '../ui/notice.tsx';
import { useWords } from '../words/use-words.ts';
import { ModeChoice } from '../kai-ui/mode-choice.tsx';
import { Composer } from './composer.tsx';
import { deliver } from './send-typed.ts';
import { WorkspacePicker, type ChosenWorkspace } from './workspace-picker.tsx';

export function NewChat() {
  const { t } = useWords();
  const { api, live, navigation, drafts } = useApp();
  const connection = useStore(live.connection);
  const [problem, setProblem] = useState('');
  const [isInteractive, setInteractive] = useState(false);
  const [workspace, setWorkspace] = useState<ChosenWorkspace>();
  const state = useStore(useApp().serverState);
  const made = useRef<string>(undefined);
  const wanted: WebNewConversation = {
    ...(isInteractive ? { kind: 'interactive' } : {}),
    ...(workspace === undefined ? {} : { workspace }),
  };
  return (
    <div className="chat">
      <div className="scroll">
        <Welcome>
          {state === undefined ? null : <WorkspacePicker state={state} chosen={workspace} choose={setWorkspace} />}
          <ModeChoice isInteractive={isInteractive} choose={setInteractive} />
        </Welcome>
      </div>
      <div className="lines">
        <PendingNotice />
        <ConnectionLine state={connection} retry={live.retry} />
        {problem === '' ? null : (
          <Notice icon="warn" look="bad" role="alert">
            {problem}
          </Notice>
        )}
      </div>
      <Composer
        conversationId={undefined}
        isRunning={false}
        contextTokens={0}
        costUsd={0}
        stop={() => undefined}
        send={async (outgoing) => {
          setProblem('');
          try {
            // Once: what was not taken is sent to the same one again.
            made.current ??= (await api.conversations.create(wanted)).id;
            const id = made.current;
            await deliver(api, id, outgoing);
            drafts.set(undefined, '');
            navigation.go({ page: 'chat', conversationId: id });
            return true;
          } catch (error) {
            setProblem(error instanceof RequestFailure && error.message !== '' ? error.message : t('chat.not-sent'));
            return false;
          }
        }}
      />
    </div>
  );
}

function Welcome({ children }: { readonly children: ReactNode }) {
  const { t } = useWords();
  const state = useStore(useApp().serverState);
  return (
    <div className="welcome">
      <Icon name="logo" className="logo" />
      <h2>{t('welcome.title')}</h2>
      <p className="muted">{t('welcome.text')}</p>
      {state === undefined || state.model !== undefined ? null : (
        <Notice icon="cpu" look="ask">
          {t('welcome.no-model')} <code>handrail secrets set ANTHROPIC_API_KEY</code>
        </Notice>
      )}
      <ul className="hints">
        <li>
          <code>!ls</code> {t('welcome.command')}
        </li>
        <li>
          <code>/</code> {t('welcome.tool')}
        </li>
      </ul>
      {children}
    </div>
  );
}
