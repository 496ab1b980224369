/** One conversation, followed live. */
import { useCallback, useState } from 'react';
import { useApp, useStore } from '../app/use-app.ts';
import { RequestFailure } from '../api/request.ts';
import { InteractiveLog } from '../kai-ui/interactive-log.tsx';
import { KaiUiContext } from '../kai-ui/kai-ui-context.ts';
import { useKaiUi } from '../kai-ui/use-kai-ui.ts';
import { useConversationFeed } from '../live/use-conversation-feed.ts';
import { RunPanel } from '../run/run-panel.tsx';
import { NotifyOffer } from '../notify/notify-offer.tsx';
import { PendingNotice } from '../settings/pending-notice.tsx';
import { ConnectionLine } from '../shell/connection-line.tsx';
import { useNewestAnswer } from '../speech/use-newest-answer.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { usePatience } from '../ui/use-patience.ts';
import { useWords } from '../words/use-words.ts';
import { ConversationContext } from './conversation-context.ts';
import { Composer } from './composer.tsx';
import type { ConversationFeed, FeedState } from '../live/create-conversation-feed.ts';
import { Earlier } from './earlier.tsx';
import { Log } from './log.tsx';
import { NowAnnounced } from './now-announced.tsx';
import { QueueList } from './queue/queue-list.tsx';
import { deliver } from './send-typed.ts';
import { TurnActionsContext, type TurnActions } from './turn-actions.ts';
import { type Branching, useBranching } from './use-branching.ts';
import { openTurnOf } from './open-turn.ts';
import type { ChatScreen, Turn } from './screen.ts';
import { useStop } from './use-stop.ts';

export function OpenChat({
  conversationId,
  isInteractive,
  branchedFrom,
}: {
  readonly conversationId: string;
  readonly isInteractive: boolean;
} & Pick<TurnActions, 'branchedFrom'>) {
  const { api, live } = useApp();
  const feed = useConversationFeed(conversationId);
  const feedState = useStore(feed.state);
  const { screen } = feedState;
  const { isKnown, running } = useStore(live.state);
  const isServerBusy = running.has(conversationId);
  useNewestAnswer(screen.turns);
  const open = openTurnOf(screen.turns, isServerBusy);
  const { stop, problem: stopProblem } = useStop(conversationId, isServerBusy);
  const { attempt, problem } = useAttempt();
  const runningTurnId = open?.isRunning === true ? open.turnId : undefined;
  const say = useSay(conversationId, attempt);
  const branching = useBranching({
    ...{ conversationId, turns: screen.turns, attempt, branchedFrom },
    isIdle: !isServerBusy && open === undefined,
  });
  const kaiUi = useKaiUi(screen.turns, runningTurnId, say);
  const ConversationLog = isInteractive ? InteractiveLog : Log;
  return (
    <div className="body">
      <ConversationContext value={conversationId}>
        <div className="chat">
          <NowAnnounced turn={screen.turns.at(-1)} />
          <TurnActionsContext value={branching.actions}>
            <KaiUiContext value={kaiUi}>
              <ConversationLog
                turns={screen.turns}
                runningTurnId={runningTurnId}
                earlier={<Earlier feed={feed} state={feedState} />}
              >
                <CutOff
                  isSo={isKnown && open?.isRunning === false}
                  goOn={() => void attempt(() => api.conversations.resume(conversationId))}
                />
              </ConversationLog>
            </KaiUiContext>
          </TurnActionsContext>
          <Lines {...{ feed, isServerBusy }} state={feedState} problem={problem || stopProblem} />
          <ChatComposer {...{ conversationId, screen, branchedFrom, isServerBusy, stop, branching, attempt }} />
        </div>
        <RunPanel
          conversationId={conversationId}
          screen={screen}
          hasEarlier={feedState.hasEarlier}
          isRunning={runningTurnId !== undefined}
          stop={stop}
        />
      </ConversationContext>
    </div>
  );
}

/** Between the conversation and the field: what stands in the way, and what is offered. */
function Lines({
  feed,
  state,
  isServerBusy,
  problem,
}: {
  readonly feed: ConversationFeed;
  readonly state: FeedState;
  readonly isServerBusy: boolean;
  readonly problem: string;
}) {
  return (
    <div className="lines">
      <NotifyOffer isShown={isServerBusy} />
      <PendingNotice />
      <ConnectionLine state={state.connection} retry={feed.retry} />
      <Problem text={problem} />
    </div>
  );
}

/** For what is no field: a button of a screen, for example. */
function useSay(conversationId: string, attempt: Attempt): (text: string) => Promise<boolean> {
  const { api } = useApp();
  return useCallback(
    (text) => attempt(() => api.conversations.say(conversationId, { text })),
    [api, attempt, conversationId],
  );
}

type Attempt = ReturnType<typeof useAttempt>['attempt'];

/** Does something, and says what stood in the way. */
function useAttempt() {
  const { t } = useWords();
  const [problem, setProblem] = useState('');
  const attempt = useCallback(
    async (action: () => Promise<unknown>): Promise<boolean> => {
      setProblem('');
      try {
        await action();
        return true;
      } catch (error) {
        setProblem(error instanceof RequestFailure && error.message !== '' ? error.message : t('chat.not-sent'));
        return false;
      }
    },
    [t],
  );
  return { attempt, problem };
}

function ChatComposer({
  conversationId,
  screen,
  branchedFrom,
  isServerBusy,
  stop,
  branching: { editing, resend, endEditing, editLast },
  attempt,
}: {
  readonly conversationId: string;
  readonly screen: ChatScreen;
  readonly isServerBusy: boolean;
  readonly stop: () => void;
  readonly branching: Branching;
  readonly attempt: Attempt;
} & Pick<TurnActions, 'branchedFrom'>) {
  const { api } = useApp();
  return (
    <Composer
      conversationId={conversationId}
      isRunning={isServerBusy}
      contextTokens={screen.contextTokens}
      costUsd={costSince(screen.turns, branchedFrom?.beforeSeq ?? 0)}
      stop={stop}
      editing={editing}
      endEditing={endEditing}
      editLast={editLast}
      send={(outgoing) =>
        attempt(() =>
          editing !== undefined && outgoing.typed.kind === 'message'
            ? resend(outgoing, editing.beforeSeq)
            : deliver(api, conversationId, outgoing, { isQueued: isServerBusy }),
        )
      }
    >
      <QueueList conversationId={conversationId} attempt={attempt} />
    </Composer>
  );
}

function Problem({ text }: { readonly text: string }) {
  return text === '' ? null : (
    <Notice icon="warn" look="bad" role="alert">
      {text}
    </Notice>
  );
}

/** What a branch has copied was paid for by the other conversation. */
const costSince = (turns: readonly Turn[], seq: number): number =>
  turns.reduce((sum, { end }) => sum + (end !== undefined && end.seq >= seq ? (end.costUsd ?? 0) : 0), 0);

/** Events and notices come by two streams: what the one says, the other may say a moment later. */
const patienceMs = 1_500;

/** A turn without an end that nobody here works on. */
function CutOff({ isSo, goOn }: { readonly isSo: boolean; readonly goOn: () => void }) {
  const { t } = useWords();
  if (!usePatience(isSo, patienceMs)) return null;
  return (
    <li>
      <Notice
        icon="again"
        actions={
          <Button isSmall onClick={goOn}>
            {t('turn.go-on')}
          </Button>
        }
      >
        {t('turn.cut-off')}
      </Notice>
    </li>
  );
}
