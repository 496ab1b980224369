/** Calls of tools on one connection: start them, know which run, end them all with the connection. */
import { ToolFailure } from '../../contract/failure.ts';
import type { Handrail } from '../../contract/handrail.ts';
import type { CallOutcome } from '../../contract/output.ts';
import type { ApproveMode, Asker } from '../../contract/permission.ts';

export type RunRequest = {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly asker: Asker;
  onProgress(text: string): void;
};

export type ToolRun = {
  /** Never rejects. */
  readonly outcome: Promise<CallOutcome>;
  cancel(): void;
};

export type ToolRuns = {
  start(request: RunRequest): ToolRun;
  /** Cancels what runs and refuses more. Resolves when nothing runs, at the latest after `maxWaitMs`: then with what still did. */
  end(maxWaitMs: number): Promise<readonly string[]>;
};

export type ToolRunsOptions = {
  readonly handrail: Pick<Handrail, 'runTool'>;
  readonly approve: ApproveMode;
  /** One per connection: shell state and grants belong to it. */
  readonly conversationId: string;
  readonly onProblem: (line: string) => void;
};

export function createToolRuns(options: ToolRunsOptions): ToolRuns {
  const running = new Map<ToolRun, string>();
  let isEnded = false;

  return {
    start(request) {
      const control = new AbortController();
      const outcome = runToEnd(request, control.signal);
      const cancel = () => {
        const why = isEnded ? 'The MCP client has gone.' : 'The MCP client cancelled the call.';
        control.abort(new ToolFailure('cancelled', why));
      };
      const run: ToolRun = { outcome, cancel };
      running.set(run, request.tool);
      void outcome.then(() => running.delete(run));
      if (isEnded) cancel();
      return run;
    },
    async end(maxWaitMs) {
      isEnded = true;
      for (const run of running.keys()) run.cancel();
      const all = Promise.all([...running.keys()].map((run) => run.outcome));
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([all, new Promise((resolve) => (timer = setTimeout(resolve, maxWaitMs)))]);
      clearTimeout(timer);
      return [...running.values()];
    },
  };

  async function runToEnd(request: RunRequest, signal: AbortSignal): Promise<CallOutcome> {
    const { tool, input, asker } = request;
    try {
      return await options.handrail.runTool({
        tool,
        input,
        asker,
        signal,
        approve: options.approve,
        conversationId: options.conversationId,
        origin: 'mcp',
        onEvent: (event) => {
          if (event.type === 'tool-progress') request.onProgress(event.text);
        },
      });
    } catch (error) {
      // Outcomes carry what tools do; what is thrown is about us: a setting, a full disk, a bug.
      const message = error instanceof Error ? error.message : String(error);
      const code = error instanceof ToolFailure ? error.code : 'failed';
      options.onProblem(`${tool} could not be run: ${message}`);
      return { ok: false, text: message, error: { code, message } };
    }
  }
}
