/** One long piece of work on a userland at a time. It belongs to the server: pages follow it, and closing them ends nothing. */
import { randomUUID } from 'node:crypto';
import { ToolFailure } from '../contract/failure.ts';
import type { Userland, UserlandProgress, UserlandWatch } from '../contract/userland.ts';
import type { WebNotice } from '../contract/web-api.ts';
import type { WebSandboxAction, WebSandboxEnd, WebSandboxProgress, WebSandboxWork } from '../contract/web-sandbox.ts';

export type SandboxWork = {
  /** Resolves when it has begun. Rejects with ToolFailure('busy') while another one runs. */
  begin(userland: Userland, action: WebSandboxAction): Promise<WebSandboxWork>;
  progress(): WebSandboxProgress;
  /** False: nothing runs. */
  stop(): boolean;
  /** How it ended was seen. False: there is nothing to forget, or it goes on. */
  forget(): boolean;
  /** Stops what runs; resolves when nothing of it is left. */
  close(): Promise<void>;
};

type WorkNotice = Extract<WebNotice, { readonly type: 'sandbox-work' | 'sandbox-output' }>;

const maxOutputChars = 64_000;

export function createSandboxWork(parts: {
  publish(notice: WorkNotice): void;
  onProblem(line: string): void;
}): SandboxWork {
  let work: WebSandboxWork | undefined;
  let output = '';
  let running: { readonly control: AbortController; readonly ended: Promise<void> } | undefined;

  function put(next: WebSandboxWork | undefined): void {
    work = next;
    parts.publish(next === undefined ? { type: 'sandbox-work' } : { type: 'sandbox-work', work: next });
  }

  const watch = (begun: WebSandboxWork, signal: AbortSignal): UserlandWatch => ({
    signal,
    onProgress: (progress) => put({ ...begun, progress: withProgress(work?.progress ?? [], progress) }),
    onOutput(text) {
      output = `${output}${text}`.slice(-maxOutputChars);
      parts.publish({ type: 'sandbox-output', text });
    },
  });

  async function run(userland: Userland, begun: WebSandboxWork, signal: AbortSignal): Promise<void> {
    const end = await carryOut(userland, begun.action, watch(begun, signal)).then(
      (): WebSandboxEnd => ({ at: new Date().toISOString(), isStopped: false }),
      (error: unknown) => {
        if (!(error instanceof ToolFailure)) parts.onProblem(String(error instanceof Error ? error.stack : error));
        return endOf(error, signal.aborted);
      },
    );
    running = undefined;
    put({ ...begun, progress: work?.progress ?? [], end });
  }

  return {
    async begin(userland, action) {
      const { folder } = await userland.status();
      if (running !== undefined) throw new ToolFailure('busy', busyText);
      const startedAt = new Date().toISOString();
      const begun: WebSandboxWork = { id: randomUUID(), action, folder, startedAt, progress: [] };
      output = '';
      put(begun);
      const control = new AbortController();
      running = { control, ended: run(userland, begun, control.signal) };
      return begun;
    },
    progress: () => (work === undefined ? { output } : { work, output }),
    stop() {
      running?.control.abort();
      return running !== undefined;
    },
    forget() {
      if (work?.end === undefined) return false;
      output = '';
      put(undefined);
      return true;
    },
    async close() {
      running?.control.abort();
      await running?.ended;
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
