/** Questions through the MCP client, in both forms that the protocol has had for them. */
import type { ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/server';
import { ToolFailure } from '../../contract/failure.ts';
import type { Answer, Asker, Question } from '../../contract/permission.ts';
import { questionForm, readAnswer, refusal } from './question-form.ts';

/** What may never be allowed this way; a test swaps it to show what it holds back. */
export type Refuse = (question: Question) => string | undefined;

const cannotAsk =
  'it needs a yes, and this MCP client cannot show questions (no form elicitation); allow it with a rule in settings.json, or start the server with --approve all';

export type Elicit = (form: ElicitRequestFormParams, signal: AbortSignal) => Promise<ElicitResult>;

/**
 * Protocol 2025-11-25 and before: a request of the server's own, whose answer the SDK ties to it by an id that it gives out
 * once. `elicit` undefined: the client cannot show forms.
 */
export function createElicitingAsker(elicit: Elicit | undefined, refuse: Refuse = refusal): Asker {
  return createAsker(elicit !== undefined, refuse, async (question, signal) => {
    if (elicit === undefined) return { verdict: 'deny', reason: cannotAsk };
    try {
      return readAnswer(question, await elicit(questionForm(question), signal));
    } catch (error) {
      if (signal.aborted) throw cancelled();
      const why = error instanceof Error ? error.message : String(error);
      return { verdict: 'deny', reason: `the MCP client did not answer the question (${why})` };
    }
  });
}

export type OpenQuestion = { readonly question: Question; settle(answer: Answer): void };

export type WaitingQuestions = {
  readonly open: Map<string, OpenQuestion>;
  /** Whether the client could show forms, as its newest request says. */
  canAsk(): boolean;
  /** Called after each new question. */
  onOpen(): void;
};

/** Protocol 2026-07-28: the question waits in `open` until the client comes back with the answer. */
export function createWaitingAsker(waiting: WaitingQuestions, refuse: Refuse = refusal): Asker {
  return createAsker(true, refuse, (question, signal) => {
    if (!waiting.canAsk()) return Promise.resolve({ verdict: 'deny', reason: cannotAsk });
    return new Promise<Answer>((resolve, reject) => {
      const stop = () => {
        waiting.open.delete(question.id);
        reject(cancelled());
      };
      if (signal.aborted) return stop();
      signal.addEventListener('abort', stop, { once: true });
      waiting.open.set(question.id, {
        question,
        settle(answer) {
          signal.removeEventListener('abort', stop);
          // Deleted first: an answer counts once.
          if (waiting.open.delete(question.id)) resolve(answer);
        },
      });
      waiting.onOpen();
    });
  });
}

/** `origin` is recorded with the answer; without a client that can ask, nobody was asked and the record says so. */
function createAsker(canAsk: boolean, refuse: Refuse, ask: Asker['ask']): Asker {
  return {
    origin: canAsk ? 'mcp-elicitation' : 'mcp-without-elicitation',
    ask(question, signal) {
      const reason = refuse(question);
      return reason === undefined ? ask(question, signal) : Promise.resolve({ verdict: 'deny', reason });
    },
  };
}

function cancelled(): ToolFailure {
  return new ToolFailure('cancelled', 'The call was cancelled before its question was answered.');
}
