/** One line runs in the conversation's shell, as `!command` does: approved by being typed, hard denials apart. */
import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { RequestFailure } from '../../api/request.ts';
import { useApp, useStore } from '../../app/use-app.ts';
import { readTyped } from '../../chat/read-typed.ts';
import { IconButton } from '../../ui/button.tsx';
import { useWords } from '../../words/use-words.ts';

export function CommandRow({
  conversationId,
  isRunning,
}: {
  readonly conversationId: string;
  readonly isRunning: boolean;
}) {
  const { t } = useWords();
  const { live } = useApp();
  const isBusy = useStore(live.state).running.has(conversationId);
  const { line, problem, setLine, look, run, stop } = useCommandLine(conversationId);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  const press = (event: KeyboardEvent<HTMLInputElement>): void => {
    const hasSelection = event.currentTarget.selectionStart !== event.currentTarget.selectionEnd;
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (event.ctrlKey && event.key === 'c' && !hasSelection && isBusy) stop();
    else if (step === undefined || !look(step)) return;
    event.preventDefault();
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
          placeholder={t(isRunning ? 'terminal.waits' : 'terminal.type-here')}
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

const keptLines = 200;

/** The line, and those that were run before. */
function useCommandLine(conversationId: string) {
  const { t } = useWords();
  const { api } = useApp();
  const [line, setLine] = useState('');
  const [problem, setProblem] = useState('');
  const past = useRef<readonly string[]>([]);
  const at = useRef(0);
  return {
    ...{ line, problem, setLine },
    /** False: there is none. */
    look(step: number): boolean {
      if (past.current.length === 0) return false;
      at.current = Math.max(0, Math.min(past.current.length, at.current + step));
      setLine(past.current[at.current] ?? '');
      return true;
    },
    async run(event: FormEvent): Promise<void> {
      event.preventDefault();
      if (line.trim() === '') return;
      setProblem('');
      try {
        const typed = readTyped(`!${line}`, await api.tools());
        if (typed.kind !== 'call') return setProblem(t('terminal.no-shell'));
        past.current = [...past.current, line].slice(-keptLines);
        at.current = past.current.length;
        setLine('');
        await api.conversations.call(conversationId, { tool: typed.tool, input: typed.input });
      } catch (error) {
        const said = error instanceof RequestFailure ? error.message : '';
        setProblem(said === '' ? t('chat.failed-offline') : said);
      }
    },
    stop(): void {
      // It ended meanwhile.
      api.conversations.stop(conversationId).catch(() => undefined);
    },
  };
}
