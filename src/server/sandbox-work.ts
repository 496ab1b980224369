/** One long piece of work on a userland at a time. It belongs to the server: pages follow it, and closing them ends nothing. */
import { randomUUID } from 'node:crypto';
import { ToolFailure } from '../contract/failure.ts';
import type { Userland, UserlandProgress, UserlandWatch } from '../contract/userland.ts';
import type { WebSandboxAction, WebSandboxEnd, WebSandboxNotice, WebSandboxWork } from '../contract/web-sandbox.ts';
import { createBroadcast } from './broadcast.ts';
import type { Follower } from './sse.ts';

export type SandboxWork = {
  /** Resolves when it has begun. Rejects with ToolFailure('busy') while another one runs. */
  begin(userland: Userland, action: WebSandboxAction): Promise<WebSandboxWork>;
  current(): WebSandboxWork | undefined;
  /** False: nothing runs. */
  stop(): boolean;
  /** How it ended was seen. False: there is nothing to forget, or it goes on. */
  forget(): boolean;
  follow(): Follower;
  /** Stops what runs; resolves when nothing of it is left. */
  close(): Promise<void>;
};

export const maxOutputChars = 64_000;

export function createSandboxWork(onProblem: (line: string) => void): SandboxWork {
  let work: WebSandboxWork | undefined;
  let running: { readonly control: AbortController; readonly ended: Promise<void> } | undefined;
  const pages = createBroadcast<WebSandboxNotice>(snapshot);

  function snapshot(): WebSandboxNotice {
    return work === undefined ? { type: 'snapshot' } : { type: 'snapshot', work };
  }

  function change(part: Partial<WebSandboxWork>, notice: WebSandboxNotice): void {
    if (work === undefined) return;
    work = { ...work, ...part };
    pages.publish(notice);
  }

  const watch = (signal: AbortSignal): UserlandWatch => ({
    signal,
    onProgress: (progress) =>
      change({ progress: withProgress(work?.progress ?? [], progress) }, { type: 'progress', progress }),
    onOutput: (text) =>
      change({ output: `${work?.output ?? ''}${text}`.slice(-maxOutputChars) }, { type: 'output', text }),
  });

  async function run(userland: Userland, action: WebSandboxAction, signal: AbortSignal): Promise<void> {
    const end = await carryOut(userland, action, watch(signal)).then(
      (): WebSandboxEnd => ({ at: new Date().toISOString(), isStopped: false }),
      (error: unknown) => {
        if (!(error instanceof ToolFailure)) onProblem(error instanceof Error ? (error.stack ?? '') : String(error));
        return endOf(error, signal.aborted);
      },
    );
    running = undefined;
    change({ end }, { type: 'end', end });
  }

  return {
    async begin(userland, action) {
      const { folder } = await userland.status();
      if (running !== undefined) throw new ToolFailure('busy', busyText);
      const startedAt = new Date().toISOString();
      const begun: WebSandboxWork = { id: randomUUID(), action, folder, startedAt, progress: [], output: '' };
      work = begun;
      pages.publish(snapshot());
      const control = new AbortController();
      running = { control, ended: run(userland, action, control.signal) };
      return begun;
    },
    current: () => work,
    stop() {
      running?.control.abort();
      return running !== undefined;
    },
    forget() {
      if (work?.end === undefined) return false;
      work = undefined;
      pages.publish(snapshot());
      return true;
    },
    follow: () => pages.follow(),
    async close() {
      running?.control.abort();
      await running?.ended;
      pages.close();
    },
  };
}

const busyText = 'Something is being changed there already. Wait until it is done, or stop it, then try again.';

async function carryOut(userland: Userland, action: WebSandboxAction, watch: UserlandWatch): Promise<unknown> {
  switch (action.kind) {
    case 'install': {
      const { kind: _kind, ...request } = action;
      return userland.install(request, watch);
    }
    case 'add-basic':
      return userland.addBasicPackages(watch);
    case 'reset':
      return userland.reset({ withHome: action.withHome === true }, watch);
    case 'uninstall':
      return userland.uninstall();
    case 'install-packages':
      return userland.packages.install(action.names, watch);
    case 'remove-packages':
      return userland.packages.remove(action.names, watch);
  }
}

/** The newest of each step. */
function withProgress(known: readonly UserlandProgress[], progress: UserlandProgress): readonly UserlandProgress[] {
  return [...known.filter((each) => each.step !== progress.step), progress];
}

function endOf(error: unknown, isStopped: boolean): WebSandboxEnd {
  const at = new Date().toISOString();
  if (isStopped && error instanceof ToolFailure && error.code === 'cancelled') return { at, isStopped };
  const problem =
    error instanceof ToolFailure
      ? error.message
      : 'Something failed inside. The terminal of `handrail serve` says what.';
  return { at, isStopped: false, problem };
}
