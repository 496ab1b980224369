/** Answers `tools/call`: finds the tool, runs it with progress, cancellation and questions, and shapes the result. */
import type {
  CallToolRequest,
  CallToolResult,
  ClientCapabilities,
  ElicitResult,
  InputRequiredResult,
  ServerContext,
} from '@modelcontextprotocol/server';
import { ToolFailure } from '../../contract/failure.ts';
import type { CallOutcome } from '../../contract/output.ts';
import { createElicitingAsker, type Elicit } from './asker.ts';
import { createProgressReport, type ProgressReport } from './progress-report.ts';
import type { CallStep, SuspendedCalls } from './suspended-calls.ts';
import type { ToolList } from './tool-list.ts';
import { toolResult, type CheckShape } from './tool-result.ts';
import type { ToolRuns } from './tool-runs.ts';

export type CallHandlerParts = {
  readonly tools: ToolList;
  readonly runs: ToolRuns;
  readonly suspended: SuspendedCalls;
  readonly checkShape: CheckShape;
  readonly answerTimeoutMs: number;
  readonly onProblem: (line: string) => void;
  /** The error that becomes a JSON-RPC error with the code for invalid parameters. */
  readonly invalidParams: (message: string) => Error;
};

/** Where the request came from: the protocol's generation and what the client declared. */
export type CallerFacts = { readonly isModern: boolean; readonly capabilities: ClientCapabilities | undefined };

export type CallHandler = (
  params: CallToolRequest['params'],
  context: ServerContext,
  caller: CallerFacts,
) => Promise<CallToolResult | InputRequiredResult>;

export function createCallHandler(parts: CallHandlerParts): CallHandler {
  return async (params, context, caller) => {
    const tool = await parts.tools.find(params.name);
    if (tool === undefined) throw parts.invalidParams(await unknownTool(params.name));
    const finish = (outcome: CallOutcome) => toolResult(outcome, tool, parts.checkShape, parts.onProblem);
    const progress = progressFor(context);
    try {
      if (!caller.isModern) return finish(await runAndElicit(params, context, caller, progress));
      const step = await nextStep(params, context, caller, progress);
      if (step.kind === 'outcome') return finish(step.outcome);
      return { resultType: 'input_required', inputRequests: step.inputRequests, requestState: step.token };
    } finally {
      progress.end();
    }
  };

  async function unknownTool(name: string): Promise<string> {
    return `There is no tool named "${name.slice(0, 200)}". Available: ${(await parts.tools.names()).join(', ')}.`;
  }

  async function runAndElicit(
    params: CallToolRequest['params'],
    context: ServerContext,
    caller: CallerFacts,
    progress: ProgressReport,
  ): Promise<CallOutcome> {
    const { signal } = context.mcpReq;
    const asker = createElicitingAsker(canShowForms(caller.capabilities) ? elicitBy(context, progress) : undefined);
    const run = parts.runs.start({
      tool: params.name,
      input: params.arguments ?? {},
      asker,
      onProgress: progress.tell,
    });
    if (signal.aborted) run.cancel();
    signal.addEventListener('abort', run.cancel, { once: true });
    return run.outcome;
  }

  function elicitBy(context: ServerContext, progress: ProgressReport): Elicit {
    return (form, signal) => {
      // A client that resets its own timeout on progress then knows that the silence is a person thinking.
      progress.tell('waiting for an answer to a question');
      return context.mcpReq.send(
        { method: 'elicitation/create', params: form },
        { signal, timeout: parts.answerTimeoutMs },
      ) as Promise<ElicitResult>;
    };
  }

  async function nextStep(
    params: CallToolRequest['params'],
    context: ServerContext,
    caller: CallerFacts,
    progress: ProgressReport,
  ): Promise<CallStep> {
    const { signal, inputResponses } = context.mcpReq;
    const token = context.mcpReq.requestState<unknown>();
    const request = {
      tool: params.name,
      input: params.arguments ?? {},
      canAsk: canShowForms(caller.capabilities),
      signal,
      onProgress: progress.tell,
    };
    if (token === undefined) return parts.suspended.begin(request);
    try {
      return await parts.suspended.goOn(String(token), request, inputResponses ?? {});
    } catch (error) {
      if (error instanceof ToolFailure) throw parts.invalidParams(error.message);
      throw error;
    }
  }
}

/** An empty `elicitation` means forms, as it did before there was another mode (MCP 2025-11-25, Elicitation). */
export function canShowForms(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  if (elicitation === undefined) return false;
  return elicitation.form !== undefined || Object.keys(elicitation).length === 0;
}

function progressFor(context: ServerContext): ProgressReport {
  const progressToken = context.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return { tell: () => undefined, end: () => undefined };
  return createProgressReport((progress) =>
    context.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...progress } }),
  );
}
