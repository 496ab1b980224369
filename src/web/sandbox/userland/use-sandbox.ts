/** The sandbox as the server sees it now, the work on it, and how such work is begun, stopped and put away. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { WebSandbox, WebSandboxAction, WebSandboxProgress } from '../../../contract/web-sandbox.ts';
import { RequestFailure } from '../../api/request.ts';
import { createSandboxApi, type SandboxApi } from '../../api/sandbox-api.ts';
import { useApp, useStore } from '../../app/use-app.ts';
import { useWords } from '../../words/use-words.ts';

export type Sandbox = {
  readonly api: SandboxApi;
  /** Undefined until it was read. */
  readonly now: WebSandbox | undefined;
  /** Why it could not be read. Empty: it could. */
  readonly loadProblem: string;
  readonly progress: WebSandboxProgress;
  readonly isWorking: boolean;
  /** Counts what has ended: what was read before may have changed. */
  readonly changes: number;
  /** Why the last wish was not taken. */
  readonly problem: string;
  reload(): void;
  begin(action: WebSandboxAction): Promise<void>;
  stop(): Promise<void>;
  forget(): Promise<void>;
};

export function useSandbox(conversation: string | undefined): Sandbox {
  const { api: serverApi, request, live, serverState } = useApp();
  const attemptWords = useFailureWords();
  const api = useMemo(() => createSandboxApi(request, conversation), [request, conversation]);
  const { sandbox: progress, settingsChanges } = useStore(live.state);
  const [now, setNow] = useState<WebSandbox>();
  const [loadProblem, setLoadProblem] = useState('');
  const [problem, setProblem] = useState('');
  const isWorking = progress.work !== undefined && progress.work.end === undefined;
  const changes = useEnds(progress);

  const reload = useCallback((): void => {
    setLoadProblem('');
    api.look().then(setNow, (error: unknown) => setLoadProblem(attemptWords(error)));
  }, [api, attemptWords]);
  useEffect(() => {
    reload();
    // The rung may be another one by it.
    if (changes > 0) void serverApi.state().then(serverState.set, () => undefined);
    // Also when settings.json was changed, by whomever.
  }, [reload, changes, settingsChanges, serverApi, serverState]);

  const attempt = async (wish: () => Promise<unknown>): Promise<void> => {
    setProblem('');
    await wish().catch((error: unknown) => setProblem(attemptWords(error)));
  };
  return {
    ...{ api, now, loadProblem, progress, isWorking, changes, problem, reload },
    begin: (action) => attempt(() => api.begin(action)),
    stop: () => attempt(api.stop),
    forget: () => attempt(api.forget),
  };
}

/** How many pieces of work have ended since this part of the page is there. */
function useEnds({ work }: WebSandboxProgress): number {
  const [ends, setEnds] = useState(0);
  const before = useRef(work);
  useEffect(() => {
    const wasEnded = before.current?.id === work?.id && before.current?.end !== undefined;
    before.current = work;
    if (work?.end !== undefined && !wasEnded) setEnds((count) => count + 1);
  }, [work]);
  return ends;
}

/** What a request's failure says to a person. */
export function useFailureWords(): (error: unknown) => string {
  const { t } = useWords();
  return useCallback(
    (error) => (error instanceof RequestFailure && error.message !== '' ? error.message : t('userland.offline')),
    [t],
  );
}
