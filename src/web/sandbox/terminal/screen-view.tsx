/** One real terminal with its state, its buttons, and keys that a phone's keyboard does not have. */
import { useEffect, useRef, useState } from 'react';
import { createTerminalsApi } from '../../api/terminals-api.ts';
import { RequestFailure } from '../../api/request.ts';
import { useApp } from '../../app/use-app.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Bones } from '../../ui/bones.tsx';
import { useWords } from '../../words/use-words.ts';
import { KeyRow } from './key-row.tsx';
import type { Screen } from './open-screen.ts';

type State = 'opening' | 'open' | 'lost' | { readonly exitCode: number | null } | { readonly problem: string };

type ScreenProps = { readonly kind: 'session' | 'temporary'; readonly conversationId: string | undefined };

export function ScreenView(props: ScreenProps) {
  const [round, setRound] = useState(0);
  // After its program has ended, the next one gets a screen of its own.
  return <OneScreen key={round} {...props} again={() => setRound((before) => before + 1)} />;
}

function OneScreen({ kind, conversationId, again }: ScreenProps & { readonly again: () => void }) {
  const { t } = useWords();
  const screen = useRef<Screen>(undefined);
  const [hasControl, setControl] = useState(false);
  const { host, state } = useScreen({
    kind,
    conversationId,
    screen,
    hasControl,
    clearControl: () => setControl(false),
  });
  return (
    <>
      <div className="screen-box">
        {state === 'opening' ? <Bones label={t('terminal.opening')} count={4} /> : null}
        <div ref={host} className="screen" data-state={typeof state === 'string' ? state : 'ended'} />
      </div>
      <div className="screen-foot">
        <span className="sm muted" role="status">
          {stateText(state, t)}
        </span>
        <span className="end row">
          {typeof state === 'object' ? (
            <Button isSmall onClick={again}>
              {t('problem' in state ? 'again' : 'terminal.new-shell')}
            </Button>
          ) : null}
          <CopyButton text={() => screen.current?.text() ?? ''} label={t('terminal.copy-all')} />
        </span>
      </div>
      <KeyRow
        hasControl={hasControl}
        toggleControl={() => {
          setControl(!hasControl);
          screen.current?.focus();
        }}
        press={(key) => screen.current?.press(key)}
      />
    </>
  );
}

function stateText(state: State, t: ReturnType<typeof useWords>['t']): string {
  if (state === 'opening') return t('terminal.opening');
  if (state === 'open') return t('terminal.leave-hint');
  if (state === 'lost') return t('terminal.lost');
  if ('problem' in state) return state.problem;
  return state.exitCode === null ? t('terminal.gone') : t('terminal.ended', { code: state.exitCode });
}

function useScreen({
  kind,
  conversationId,
  screen,
  hasControl,
  clearControl,
}: ScreenProps & {
  readonly screen: { current: Screen | undefined };
  readonly hasControl: boolean;
  readonly clearControl: () => void;
}) {
  const { t } = useWords();
  const { request } = useApp();
  const host = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<State>('opening');
  const control = useRef({ hasControl, clearControl });
  control.current = { hasControl, clearControl };
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    let isClosed = false;
    const open = async (): Promise<void> => {
      const { openScreen } = await import('./open-screen.ts');
      if (isClosed) return;
      const made = await openScreen({
        host: element,
        label: t(kind === 'session' ? 'terminal.session-screen' : 'terminal.temporary-screen'),
        isTouch: matchMedia('(pointer: coarse), (max-width: 599px)').matches,
        open: (size) =>
          createTerminalsApi(request).open({
            ...{ kind, ...size },
            ...(conversationId === undefined ? {} : { conversation: conversationId }),
          }),
        takeControl() {
          const { hasControl: isPressed, clearControl: clear } = control.current;
          if (isPressed) clear();
          return isPressed;
        },
        onState: setState,
        onLeave: () => document.querySelector<HTMLElement>('.sandbox [role="tab"][aria-selected="true"]')?.focus(),
      });
      if (isClosed) return made.close();
      screen.current = made;
      made.focus();
    };
    open().catch((error: unknown) => {
      const said = error instanceof RequestFailure ? error.message : '';
      if (!isClosed) setState({ problem: said === '' ? t('chat.failed-offline') : said });
    });
    return () => {
      isClosed = true;
      screen.current?.close();
      screen.current = undefined;
    };
  }, [conversationId, kind, request, screen, t]);
  return { host, state };
}
