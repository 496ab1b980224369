/** Background jobs of this conversation that still run, each with its end. */
import { useEffect, useMemo, useState } from 'react';
import type { WebJob } from '../../contract/web-api.ts';
import { RequestFailure } from '../api/request.ts';
import { useApp } from '../app/use-app.ts';
import { Clock } from '../chat/clock.tsx';
import { exactLine } from '../chat/exact-text.ts';
import { IconButton } from '../ui/button.tsx';
import { Dot } from '../ui/indicator.tsx';
import { useWords } from '../words/use-words.ts';
import { createJobsApi } from './jobs-api.ts';
import { Section } from './run-section.tsx';

const lookMs = 4_000;

type Running = {
  readonly jobs: readonly WebJob[];
  readonly problem: string;
  readonly kill: (job: WebJob) => Promise<void>;
};

/** `isRunning`: a run that begins or ends may have begun or ended some. */
function useJobs(conversationId: string, isRunning: boolean): Running {
  const { t } = useWords();
  const { request } = useApp();
  const api = useMemo(() => createJobsApi(request), [request]);
  const [jobs, setJobs] = useState<readonly WebJob[]>([]);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    let isOver = false;
    const look = (): void => {
      if (document.hidden) return;
      // What cannot be read now is read the next time; the connection line says that nothing answers.
      void api.running(conversationId).then(
        (found) => isOver || setJobs(found),
        () => undefined,
      );
    };
    look();
    const timer = window.setInterval(look, lookMs);
    return () => {
      isOver = true;
      window.clearInterval(timer);
    };
  }, [api, conversationId, isRunning]);
  const kill = async (job: WebJob): Promise<void> => {
    setProblem('');
    try {
      await api.kill(job);
      setJobs((before) => before.filter(({ sessionId }) => sessionId !== job.sessionId));
    } catch (error) {
      setProblem(error instanceof RequestFailure && error.message !== '' ? error.message : t('chat.not-stopped'));
    }
  };
  return { jobs, problem, kill };
}

export function RunJobs({
  conversationId,
  isRunning,
}: {
  readonly conversationId: string;
  readonly isRunning: boolean;
}) {
  const { t } = useWords();
  const { jobs, problem, kill } = useJobs(conversationId, isRunning);
  if (jobs.length === 0) return null;
  return (
    <Section title={t('run.jobs')}>
      <ul>
        {jobs.map((job) => (
          <li key={job.sessionId}>
            <Dot />
            <code className="grow cut" title={exactLine(job.command)}>
              {exactLine(job.command)}
            </code>
            <span className="xs muted">
              <Clock sinceMs={Date.parse(job.startedAt)} />
            </span>
            <IconButton
              icon="stop"
              isSmall
              label={t('run.stop-job', { command: exactLine(job.command) })}
              onClick={() => void kill(job)}
            />
          </li>
        ))}
      </ul>
      {problem === '' ? null : (
        <p className="xs bad" role="alert">
          {problem}
        </p>
      )}
    </Section>
  );
}
