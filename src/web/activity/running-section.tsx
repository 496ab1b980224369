/** What runs now, in every chat: turns, background jobs, shells, terminals; each is ended by its button. */
import { useCallback, useEffect, useState, type ReactNode } from 'react';
import type { WebRunning } from '../../contract/web-activity.ts';
import type { ActivityApi } from '../api/activity-api.ts';
import { useApp, useStore } from '../app/use-app.ts';
import { Clock } from '../chat/clock.tsx';
import { exactLine } from '../chat/exact-text.ts';
import { useFailureWords } from '../sandbox/userland/use-sandbox.ts';
import { PageLink } from '../shell/page-link.tsx';
import { Bones } from '../ui/bones.tsx';
import { Button } from '../ui/button.tsx';
import { Dot } from '../ui/indicator.tsx';
import { Notice } from '../ui/notice.tsx';
import { showBytes } from '../words/amounts.ts';
import { useWords } from '../words/use-words.ts';
import { usePolling } from './use-polling.ts';

const nothingRuns: WebRunning = { jobs: [], shells: [], terminals: [] };

export function RunningSection({ api }: { readonly api: ActivityApi }) {
  const { t, counted } = useWords();
  const failureWords = useFailureWords();
  const { api: serverApi, live } = useApp();
  const { running: turns, questions } = useStore(live.state);
  const [known, setKnown] = useState<WebRunning>();
  const [problem, setProblem] = useState('');
  const look = useCallback(async () => setKnown(await api.running()), [api]);
  usePolling(look);
  const end: End = async (wish) => {
    setProblem('');
    await wish().catch((error: unknown) => setProblem(failureWords(error)));
    await look().catch(() => undefined);
  };
  const { jobs, shells, terminals } = known ?? nothingRuns;
  const kinds = (
    [
      ['activity.turns', turns.size],
      ['activity.jobs', jobs.length],
      ['activity.terminals', terminals.length],
      ['activity.shells', shells.length],
    ] as const
  ).flatMap(([key, number]) => (number === 0 ? [] : [counted(key, number)]));
  const count = turns.size + jobs.length + shells.length + terminals.length;
  return (
    <section className="sect activity-running" aria-labelledby="running-title">
      <header>
        <h2 id="running-title">{t('activity.running')}</h2>
        <p className="num">{known === undefined ? '\u00a0' : kinds.join(', ')}</p>
      </header>
      {problem === '' ? null : (
        <Notice icon="warn" look="bad" role="alert">
          {problem}
        </Notice>
      )}
      {known === undefined && count === 0 ? <Bones label={t('activity.loading')} count={2} /> : null}
      {known !== undefined && count === 0 ? <p className="hint">{t('activity.nothing-runs')}</p> : null}
      {count === 0 ? null : (
        <ul className="list sm">
          {[...turns].map((id) => (
            <TurnLine
              key={id}
              id={id}
              isAsking={questions.some((each) => each.conversationId === id)}
              stop={() => end(() => serverApi.conversations.stop(id))}
            />
          ))}
          <Programs running={known ?? nothingRuns} api={api} end={end} />
        </ul>
      )}
    </section>
  );
}

/** Ends something, says why not, and looks again. */
type End = (wish: () => Promise<unknown>) => Promise<void>;

function Programs({
  running: { jobs, terminals, shells },
  api,
  end,
}: {
  readonly running: WebRunning;
  readonly api: ActivityApi;
  readonly end: End;
}) {
  const { t } = useWords();
  return (
    <>
      {jobs.map((job) => (
        <Line
          key={`job ${job.conversation} ${job.sessionId}`}
          name={job.command}
          place={job}
          facts={
            <>
              {t('activity.job')} · <Clock sinceMs={Date.parse(job.startedAt)} /> · {showBytes(job.logBytes)}
            </>
          }
          word={t('activity.stop')}
          end={() => end(() => api.killJob(job.conversation, job.sessionId))}
        />
      ))}
      {terminals.map((terminal) => (
        <Line
          key={`terminal ${terminal.conversation} ${terminal.name}`}
          name={`${terminal.name}: ${terminal.command}`}
          place={terminal}
          facts={t('activity.terminal')}
          word={t('activity.close')}
          end={() => end(() => api.closeTerminal(terminal.conversation, terminal.name))}
        />
      ))}
      {shells.map((shell) => (
        <Line
          key={`shell ${shell.conversation}`}
          name={t(shell.isBusy || shell.hasBackground ? 'activity.shell-busy' : 'activity.shell-idle')}
          isIdle={!shell.isBusy && !shell.hasBackground}
          place={shell}
          facts={t(`rung.${shell.rung}`)}
          word={t('activity.close')}
          end={() => end(() => api.closeShell(shell.conversation))}
        />
      ))}
    </>
  );
}

function TurnLine({
  id,
  isAsking,
  stop,
}: {
  readonly id: string;
  readonly isAsking: boolean;
  readonly stop: () => Promise<void>;
}) {
  const { t } = useWords();
  const { list } = useApp();
  const { conversations } = useStore(list.state);
  const known = conversations.find((each) => each.id === id);
  return (
    <Line
      name={known === undefined || known.title === '' ? t('chat.untitled') : known.title}
      place={{ conversation: id, workspace: known?.workspace ?? '', title: t('activity.open-chat') }}
      look={isAsking ? 'ask' : 'live'}
      facts={t(isAsking ? 'activity.unended.asking' : 'activity.turn')}
      word={t('activity.stop')}
      end={stop}
    />
  );
}

function Line({
  name,
  place,
  facts,
  word,
  look = 'live',
  isIdle = false,
  end,
}: {
  readonly name: string;
  readonly place: { readonly conversation: string; readonly workspace: string; readonly title?: string };
  readonly facts: ReactNode;
  readonly word: string;
  readonly look?: 'live' | 'ask';
  readonly isIdle?: boolean;
  readonly end: () => Promise<void>;
}) {
  const { t } = useWords();
  const [isEnding, setEnding] = useState(false);
  useEffect(() => () => setEnding(false), []);
  const press = async (): Promise<void> => {
    setEnding(true);
    await end();
    setEnding(false);
  };
  const shown = exactLine(name);
  return (
    <li>
      <Dot look={isIdle ? 'off' : look} />
      <span className="grow">
        <span className="cut line" title={name}>
          {shown}
        </span>
        <span className="cut line xs muted num">
          {place.title === undefined ? (
            <span title={place.workspace}>{exactLine(place.workspace)}</span>
          ) : (
            <PageLink to={{ page: 'chat', conversationId: place.conversation }} className="quiet cut block">
              {place.title === '' ? t('chat.untitled') : exactLine(place.title)}
            </PageLink>
          )}
          {' · '}
          {facts}
        </span>
      </span>
      <Button isSmall isBusy={isEnding} onClick={() => void press()}>
        {word}
        <span className="sr"> {shown}</span>
      </Button>
    </li>
  );
}
