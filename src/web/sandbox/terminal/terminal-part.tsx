/** The terminal of the sandbox: the session of the open chat, as its log or as a screen, and a temporary one of no chat. */
import './terminal.css';
import { useState } from 'react';
import { useWords } from '../../words/use-words.ts';
import type { SandboxPartProps } from '../sandbox-view.tsx';
import { ScreenView } from './screen-view.tsx';
import { SessionLog } from './session-log.tsx';

type Chip = 'session' | 'temporary';
type Look = 'log' | 'screen';

export function TerminalPart({ conversationId }: SandboxPartProps) {
  // Another chat is another session.
  return conversationId === undefined ? (
    <ScreenView key="temporary" kind="temporary" conversationId={undefined} />
  ) : (
    <ChatTerminals key={conversationId} conversationId={conversationId} />
  );
}

function ChatTerminals({ conversationId }: { readonly conversationId: string }) {
  const { t } = useWords();
  const [chip, setChip] = useState<Chip>('session');
  const [look, setLook] = useState<Look>('log');
  return (
    <>
      <div className="pane-bar">
        <div className="seg" role="group" aria-label={t('terminal.shell')}>
          {(['session', 'temporary'] as const).map((each) => (
            <button key={each} type="button" aria-pressed={chip === each} onClick={() => setChip(each)}>
              {t(`terminal.${each}`)}
            </button>
          ))}
        </div>
        {chip === 'session' ? (
          <div className="seg end" role="group" aria-label={t('terminal.look')}>
            {(['log', 'screen'] as const).map((each) => (
              <button key={each} type="button" aria-pressed={look === each} onClick={() => setLook(each)}>
                {t(`terminal.as-${each}`)}
              </button>
            ))}
          </div>
        ) : null}
      </div>
      {chip === 'temporary' ? (
        <ScreenView key="temporary" kind="temporary" conversationId={undefined} />
      ) : look === 'log' ? (
        <SessionLog conversationId={conversationId} />
      ) : (
        <ScreenView key="session" kind="session" conversationId={conversationId} />
      )}
    </>
  );
}
