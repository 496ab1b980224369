/** Where a person writes: a message, `!command` or `/tool`. Enter sends, what is not sent is kept. */
import { useCallback, useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import type { ToolStatus } from '../../contract/handrail.ts';
import { useApp } from '../app/use-app.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { useWords } from '../words/use-words.ts';
import { candidatesFor, type Candidate } from './complete.ts';
import { Completion } from './completion.tsx';
import { ModelPicker } from './model-picker.tsx';
import { readTyped, type Typed } from './read-typed.ts';
import { UsageMeter } from './usage-meter.tsx';

export type ComposerProps = {
  /** Undefined: a new chat. */
  readonly conversationId: string | undefined;
  readonly isRunning: boolean;
  readonly contextTokens: number;
  readonly costUsd: number;
  /** False: it was not taken, and the text stays. */
  readonly send: (typed: Exclude<Typed, { kind: 'problem' }>, model: string | undefined) => Promise<boolean>;
  readonly stop: () => void;
  /** What to put in its place when an empty field asks for the last thing said. */
  readonly lastSaid: string;
};

export function Composer(props: ComposerProps) {
  const { t } = useWords();
  const { text, setText } = useDraft(props.conversationId);
  const [model, setModel] = useState<string>();
  const { tools, readTools } = useTools(text.startsWith('/'));
  const [problem, setProblem] = useState('');
  const completion = useCompletion(text, tools, setText);
  const isBusy = useRef(false);
  const send = async (): Promise<void> => {
    if (text.trim() === '' || props.isRunning || isBusy.current) return;
    isBusy.current = true;
    const typed = readTyped(text, /^\s*[!/]/.test(text) ? await readTools() : []);
    if (typed.kind === 'problem') {
      isBusy.current = false;
      return setProblem(t(`typed.${typed.problem}`, { what: typed.what }));
    }
    setProblem('');
    setText('');
    if (!(await props.send(typed, model))) setText(text);
    isBusy.current = false;
  };
  const press = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || completion.press(event)) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      void send();
    } else if (event.key === 'ArrowUp' && text === '' && props.lastSaid !== '') {
      event.preventDefault();
      setText(props.lastSaid);
    }
  };
  return (
    <div className="composer">
      <Completion {...completion} />
      <form
        aria-label={t('composer.label')}
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <MessageField text={text} setText={setText} press={press} completion={completion} problem={problem} />
        <div className="tools">
          <ModelPicker chosen={model} choose={setModel} />
          <span className="grow" />
          <UsageMeter contextTokens={props.contextTokens} costUsd={props.costUsd} />
          {props.isRunning ? <StopButton stop={props.stop} /> : <SendButton isEmpty={text.trim() === ''} />}
        </div>
      </form>
      <p className="hintline">{t(props.isRunning ? 'composer.hint-running' : 'composer.hint')}</p>
    </div>
  );
}

function MessageField({
  text,
  setText,
  press,
  completion,
  problem,
}: {
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly press: (event: KeyboardEvent) => void;
  readonly completion: ReturnType<typeof useCompletion>;
  readonly problem: string;
}) {
  const { t } = useWords();
  const problemId = useId();
  return (
    <>
      <textarea
        id="message"
        rows={1}
        autoFocus={matchMedia('(min-width: 720px)').matches}
        aria-label={t('composer.field')}
        aria-describedby={problem === '' ? undefined : problemId}
        aria-invalid={problem !== '' || undefined}
        aria-controls={completion.candidates.length > 0 ? completion.id : undefined}
        aria-activedescendant={completion.candidates.length > 0 ? `${completion.id}-${completion.at}` : undefined}
        placeholder={t('composer.placeholder')}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={press}
      />
      <p className="composer-problem" id={problemId} role="alert" hidden={problem === ''}>
        {problem}
      </p>
    </>
  );
}

function StopButton({ stop }: { readonly stop: () => void }) {
  const { t } = useWords();
  return (
    <Button isSmall className="stop" title={t('composer.stop-key')} onClick={stop}>
      <Icon name="stop" />
      {t('composer.stop')}
    </Button>
  );
}

function SendButton({ isEmpty }: { readonly isEmpty: boolean }) {
  const { t } = useWords();
  return (
    <IconButton
      className="send"
      look="primary"
      icon="send"
      label={t('composer.send')}
      type="submit"
      isSmall
      disabled={isEmpty}
    />
  );
}

/** Kept at every change, and another one when another conversation is opened. */
function useDraft(conversationId: string | undefined) {
  const { drafts } = useApp();
  const [text, setText] = useState(() => drafts.get(conversationId));
  useEffect(() => setText(drafts.get(conversationId)), [drafts, conversationId]);
  return {
    text,
    setText(next: string): void {
      drafts.set(conversationId, next);
      setText(next);
    },
  };
}

/** Read when they are first needed. None: the server did not answer, which the connection line says. */
function useTools(isNeeded: boolean): {
  readonly tools: readonly ToolStatus[];
  readonly readTools: () => Promise<readonly ToolStatus[]>;
} {
  const { api } = useApp();
  const [tools, setTools] = useState<readonly ToolStatus[]>([]);
  const readTools = useCallback(async () => {
    const read = await api.tools().catch(() => []);
    setTools(read);
    return read;
  }, [api]);
  useEffect(() => {
    if (isNeeded) void readTools();
  }, [readTools, isNeeded]);
  return { tools, readTools };
}

function useCompletion(text: string, tools: readonly ToolStatus[], setText: (text: string) => void) {
  const id = useId();
  const [selected, setSelected] = useState(0);
  const [closedFor, setClosedFor] = useState<string>();
  const candidates: readonly Candidate[] = closedFor === text ? [] : candidatesFor(text, tools);
  const at = Math.min(selected, Math.max(0, candidates.length - 1));
  const choose = (candidate: Candidate): void => {
    setSelected(0);
    setText(candidate.text);
  };
  const press = (event: KeyboardEvent): boolean => {
    const candidate = candidates[at];
    if (candidate === undefined) return false;
    if (event.key === 'Tab' && !event.shiftKey) choose(candidate);
    else if (event.key === 'Enter' && candidate.text.trim() !== text.trim() && /^\/\S*$/.test(text)) choose(candidate);
    else if (event.key === 'ArrowDown') setSelected((at + 1) % candidates.length);
    else if (event.key === 'ArrowUp') setSelected((at + candidates.length - 1) % candidates.length);
    else if (event.key === 'Escape') setClosedFor(text);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  return { id, candidates, at, choose, press };
}
