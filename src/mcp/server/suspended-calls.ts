/**
 * Protocol 2026-07-28 has no requests from the server: a call that must ask ends with `input_required`, and the client sends
 * the call again with the answer. Between the two the call itself waits here, on its connection, under a token that counts once.
 */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { InputRequests } from '@modelcontextprotocol/server';
import { ToolFailure } from '../../contract/failure.ts';
import type { CallOutcome } from '../../contract/output.ts';
import type { OpenQuestion } from './asker.ts';
import { createWaitingAsker, type Refuse } from './asker.ts';
import { questionForm, readAnswer } from './question-form.ts';
import type { ToolRun, ToolRuns } from './tool-runs.ts';

/** One request of the client, first or repeated, as far as it matters here. */
export type CallRequest = {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Whether this request declares that the client can show forms. */
  readonly canAsk: boolean;
  /** Fires when the client cancels this request. */
  readonly signal: AbortSignal;
  onProgress(text: string): void;
};

export type CallStep =
  | { readonly kind: 'outcome'; readonly outcome: CallOutcome }
  | { readonly kind: 'questions'; readonly inputRequests: InputRequests; readonly token: string };

export type SuspendedCalls = {
  begin(request: CallRequest): Promise<CallStep>;
  /** Rejects with ToolFailure('invalid_input') for a token that is unknown, used, expired or of another call. */
  goOn(token: string, request: CallRequest, responses: Readonly<Record<string, unknown>>): Promise<CallStep>;
  /** Forgets all tokens and timers; the calls themselves are ended by their owner. */
  close(): void;
};

type Call = {
  readonly run: ToolRun;
  readonly open: Map<string, OpenQuestion>;
  /** The newest request: whose progress token and capabilities count. */
  request: CallRequest;
  wake: () => void;
};

type Suspension = { readonly call: Call; readonly asked: readonly OpenQuestion[]; readonly timer: NodeJS.Timeout };

export type SuspendedCallsOptions = {
  readonly runs: ToolRuns;
  /** How long a question may stay open. */
  readonly answerTimeoutMs: number;
  readonly refuse?: Refuse | undefined;
};

export function createSuspendedCalls(options: SuspendedCallsOptions): SuspendedCalls {
  const suspended = new Map<string, Suspension>();

  return {
    begin(request) {
      return advance(start(request));
    },
    async goOn(token, request, responses) {
      const suspension = suspended.get(token);
      if (suspension === undefined) {
        throw new ToolFailure(
          'invalid_input',
          'The request state is unknown, used or expired on this connection; send the call anew.',
        );
      }
      const { call, asked } = suspension;
      forget(token);
      if (!isSameCall(call.request, request)) {
        denyAll(asked, 'the MCP client came back with another call than the one that was asked about');
        throw new ToolFailure(
          'invalid_input',
          'The request state belongs to a call with other arguments; nothing was run. Send the call anew.',
        );
      }
      call.request = request;
      for (const each of asked) each.settle(readAnswer(each.question, responses[each.question.id]));
      return advance(call);
    },
    close() {
      for (const token of suspended.keys()) forget(token);
    },
  };

  function start(request: CallRequest): Call {
    const open = new Map<string, OpenQuestion>();
    // The run begins inside this statement, so what it calls back must not need the finished record.
    const state = { request, wake: () => undefined as void };
    const asker = createWaitingAsker(
      { open, canAsk: () => state.request.canAsk, onOpen: () => state.wake() },
      options.refuse,
    );
    const onProgress = (text: string) => state.request.onProgress(text);
    const run = options.runs.start({ tool: request.tool, input: request.input, asker, onProgress });
    return Object.assign(state, { run, open });
  }

  /** Waits for the end or for questions, whichever comes first. */
  async function advance(call: Call): Promise<CallStep> {
    const { signal } = call.request;
    const cancel = () => call.run.cancel();
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel, { once: true });
    const asked = call.open.size > 0 ? Promise.resolve() : new Promise<void>((resolve) => (call.wake = resolve));
    const outcome = await Promise.race([call.run.outcome, asked]);
    signal.removeEventListener('abort', cancel);
    call.wake = () => undefined;
    return outcome === undefined ? suspend(call) : { kind: 'outcome', outcome };
  }

  function suspend(call: Call): CallStep {
    const token = randomUUID();
    const asked = [...call.open.values()];
    const timer = setTimeout(() => {
      forget(token);
      denyAll(asked, 'nobody answered the question in the MCP client in time');
    }, options.answerTimeoutMs);
    suspended.set(token, { call, asked, timer });
    const requests = asked.map(({ question }) => [
      question.id,
      { method: 'elicitation/create' as const, params: questionForm(question) },
    ]);
    return { kind: 'questions', token, inputRequests: Object.fromEntries(requests) as InputRequests };
  }

  function forget(token: string): void {
    clearTimeout(suspended.get(token)?.timer);
    suspended.delete(token);
  }
}

function isSameCall(left: CallRequest, right: CallRequest): boolean {
  return left.tool === right.tool && isDeepStrictEqual(left.input, right.input);
}

function denyAll(questions: readonly OpenQuestion[], reason: string): void {
  for (const each of questions) each.settle({ verdict: 'deny', reason });
}
