/** What ran in the conversation's shell, by the agent and by the user, and a row for the next command. */
import { useEffect, useLayoutEffect, useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { RequestFailure } from '../../api/request.ts';
import { useApp, useStore } from '../../app/use-app.ts';
import { ExactPieces } from '../../chat/exact-view.tsx';
import { readTyped } from '../../chat/read-typed.ts';
import { Bones } from '../../ui/bones.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { useWords } from '../../words/use-words.ts';
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
  const running = transcript.findLast((each) => each.state === 'running');
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
      <CommandRow conversationId={conversationId} running={running} />
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

/** One line runs in the conversation's shell, as `!command` does: approved by being typed, hard denials apart. */
function CommandRow({
  conversationId,
  running,
}: {
  readonly conversationId: string;
  readonly running: Command | undefined;
}) {
  const { t } = useWords();
  const { api, live } = useApp();
  const isBusy = useStore(live.state).running.has(conversationId);
  const [line, setLine] = useState('');
  const [problem, setProblem] = useState('');
  const past = useRef<string[]>([]);
  const at = useRef(0);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus({ preventScroll: true }), []);

  const run = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (line.trim() === '') return;
    setProblem('');
    try {
      const typed = readTyped(`!${line}`, await api.tools());
      if (typed.kind !== 'call') return setProblem(t('terminal.no-shell'));
      past.current = [...past.current, line].slice(-200);
      at.current = past.current.length;
      setLine('');
      await api.conversations.call(conversationId, { tool: typed.tool, input: typed.input });
    } catch (error) {
      setProblem(error instanceof RequestFailure && error.message !== '' ? error.message : t('chat.failed-offline'));
    }
  };
  const stop = (): void => {
    // It ended meanwhile.
    api.conversations.stop(conversationId).catch(() => undefined);
  };
  const press = (event: KeyboardEvent<HTMLInputElement>): void => {
    const hasSelection = event.currentTarget.selectionStart !== event.currentTarget.selectionEnd;
    if (event.ctrlKey && event.key === 'c' && !hasSelection && isBusy) {
      event.preventDefault();
      return stop();
    }
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (step === undefined || past.current.length === 0) return;
    event.preventDefault();
    at.current = Math.max(0, Math.min(past.current.length, at.current + step));
    setLine(past.current[at.current] ?? '');
  };
  return (
    <>
      {problem === '' ? null : (
        <p className="hint bad term-problem" role="alert">
          {problem}
        </p>
      )}
      <form className="prompt" onSubmit={(event) => void run(event)}>
        <span className="ok mono" aria-hidden="true">
          $
        </span>
        <input
          ref={field}
          className="mono"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          aria-label={t('terminal.command')}
          placeholder={t(running === undefined ? 'terminal.type-here' : 'terminal.waits')}
          value={line}
          onChange={(event) => setLine(event.target.value)}
          onKeyDown={press}
        />
        {isBusy ? (
          <IconButton
            icon="stop"
            isSmall
            label={t('terminal.stop')}
            hint={`${t('terminal.stop')} (Ctrl C)`}
            onClick={stop}
          />
        ) : null}
        <IconButton icon="send" isSmall type="submit" label={t('terminal.run')} disabled={line.trim() === ''} />
      </form>
    </>
  );
}
