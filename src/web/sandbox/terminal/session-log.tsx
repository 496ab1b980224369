/** What ran in the conversation's shell, by the agent and by the user, and a row for the next command. */
import { useLayoutEffect, useRef } from 'react';
import { ExactPieces } from '../../chat/exact-view.tsx';
import { Bones } from '../../ui/bones.tsx';
import { Button } from '../../ui/button.tsx';
import { useWords } from '../../words/use-words.ts';
import { CommandRow } from './command-row.tsx';
import { type Command, plainText } from './fold-transcript.ts';
import { useTranscript } from './use-transcript.ts';

export function SessionLog({ conversationId }: { readonly conversationId: string }) {
  const { t } = useWords();
  const { transcript, load, problem, restoredUntil, reload } = useTranscript(conversationId);
  const box = useRef<HTMLDivElement>(null);
  const sticks = useRef(true);
  useLayoutEffect(() => {
    const element = box.current;
    if (element !== null && sticks.current) element.scrollTop = element.scrollHeight;
  }, [transcript]);
  const isRunning = transcript.some((each) => each.state === 'running');
  if (load === 'failed')
    return (
      <div className="empty">
        <p>{problem}</p>
        <Button isSmall onClick={reload}>
          {t('again')}
        </Button>
      </div>
    );
  return (
    <>
      <div
        ref={box}
        className="term"
        tabIndex={0}
        role="region"
        aria-label={t('terminal.log')}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) =>
          (sticks.current = scrollHeight - scrollTop - clientHeight < 24)
        }
      >
        {load === 'loading' ? <Bones label={t('page.loading')} count={6} /> : null}
        {load === 'ready' && transcript.length === 0 ? <p className="aside">{t('terminal.nothing-yet')}</p> : null}
        {/* Read aloud by what is added, and not all of it anew. */}
        <div role="log" aria-label={t('terminal.output')}>
          {transcript.map((command) => (
            <CommandView key={command.callId} command={command} isRestoredEnd={command.callId === restoredUntil} />
          ))}
        </div>
      </div>
      <CommandRow conversationId={conversationId} isRunning={isRunning} />
    </>
  );
}

function CommandView({ command, isRestoredEnd }: { readonly command: Command; readonly isRestoredEnd: boolean }) {
  const { t, language } = useWords();
  const time = new Date(command.at).toLocaleTimeString(language, { hour: '2-digit', minute: '2-digit' });
  return (
    <div className="ran" data-call={command.callId}>
      <p>
        <span className="ps">$</span>{' '}
        <span className="cmd">
          <ExactPieces text={command.command} />
        </span>
        {'  '}
        <span className="aside">{t(command.isTyped ? 'terminal.by-you' : 'terminal.by-chat', { time })}</span>
      </p>
      {command.pieces.map((piece, at) => (
        <span key={at} className={piece.stream === 'stderr' ? 'err' : undefined}>
          <ExactPieces text={plainText(piece.text)} />
        </span>
      ))}
      <End command={command} />
      {isRestoredEnd ? <p className="aside restored">{t('terminal.restored')}</p> : null}
    </div>
  );
}

function End({ command: { state, exitCode, note } }: { readonly command: Command }) {
  const { t } = useWords();
  const isPlain = exitCode === null || exitCode === 0;
  return (
    <>
      {state === 'running' ? (
        <p className="aside">
          <span className="dot live" /> {t('terminal.running')}
        </p>
      ) : null}
      {isPlain ? null : <p className="aside">{t('terminal.exit', { code: exitCode })}</p>}
      {note === '' ? null : <p className={state === 'refused' ? 'err' : 'aside'}>{note}</p>}
    </>
  );
}
