/**
 * An interactive conversation: one screen at a time, those before it folded away. A screen stays, with its pressed button
 * waiting, until the next one is there; what the hands do meanwhile hangs below it.
 */
import type { ReactNode } from 'react';
import type { Turn } from '../chat/screen.ts';
import { TurnView } from '../chat/turn-view.tsx';
import { Icon } from '../ui/icon.tsx';
import { StatusChip } from '../ui/indicator.tsx';
import { useWords } from '../words/use-words.ts';
import { parseScreen } from './parse-screen.ts';
import { lastScreenText, readAnswer } from './screen-answer.ts';
import './kai-ui.css';

export function InteractiveLog({
  turns,
  runningTurnId,
  earlier,
  children,
}: {
  readonly turns: readonly Turn[];
  readonly runningTurnId: string | undefined;
  readonly earlier: ReactNode;
  readonly children: ReactNode;
}) {
  const { t } = useWords();
  const shownAt = shownTurn(turns, runningTurnId);
  const shown = turns[shownAt];
  const behind = turns.slice(shownAt + 1);
  const isFirstAwaited = shown === undefined && runningTurnId !== undefined;
  return (
    <div className="scroll-box">
      <div className="scroll" tabIndex={0} role="region" aria-label={t('chat.conversation')}>
        <p className="sr" role="status">
          {runningTurnId === undefined ? '' : t('kai.awaited')}
        </p>
        <ol className="log">
          {earlier}
          {turns.slice(0, Math.max(0, shownAt)).map((turn, at) => (
            <PastScreen key={turn.turnId} turn={turn} answer={turns[at + 1]} />
          ))}
          {shown === undefined ? null : (
            <TurnView turn={withoutWords(shown)} isRunning={shown.turnId === runningTurnId} />
          )}
          {isFirstAwaited && behind.every((turn) => !hasSteps(turn)) ? (
            <li className="waiting-row">
              <StatusChip tools={[]} />
            </li>
          ) : (
            behind.map((turn) => (
              <TurnView key={turn.turnId} turn={onlySteps(turn)} isRunning={turn.turnId === runningTurnId} />
            ))
          )}
          {children}
        </ol>
      </div>
    </div>
  );
}

/** The last turn that has something to show: a whole screen, or its end. -1: none has. */
function shownTurn(turns: readonly Turn[], runningTurnId: string | undefined): number {
  return turns.findLastIndex((turn) => turn.turnId !== runningTurnId || lastScreenText(textOf(turn))?.isWhole === true);
}

const textOf = (turn: Turn): string => turn.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('\n\n');

const hasSteps = (turn: Turn): boolean => turn.parts.some((part) => part.kind === 'steps');

/** What a person said stands folded in the screen before. */
const withoutWords = ({ said: _said, ...turn }: Turn): Turn => turn;

const onlySteps = ({ said: _said, ...turn }: Turn): Turn => ({
  ...turn,
  parts: turn.parts.filter((part) => part.kind !== 'text' && part.kind !== 'thought'),
});

/** `answer`: the turn that answered it. */
function PastScreen({ turn, answer }: { readonly turn: Turn; readonly answer: Turn | undefined }) {
  const { t } = useWords();
  const said = answer?.said?.text ?? '';
  const pressed = readAnswer(said)?.label ?? said;
  const screen = lastScreenText(textOf(turn));
  const title = (screen === undefined ? undefined : parseScreen(screen.text)?.title) ?? t('kai.screen');
  return (
    <li>
      <details className="frozen">
        <summary>
          <Icon name="check" isSmall />
          <span className="grow cut">{pressed === '' ? title : `${title}: ${pressed}`}</span>
          <span className="xs">{t('kai.answered')}</span>
          <Icon name="right" isSmall className="fold" />
        </summary>
        <ol>
          <TurnView turn={turn} isRunning={false} />
        </ol>
      </details>
    </li>
  );
}
