/** The message that carries outcomes back to the model. */
import type { CallPart, ToolMessage } from '../contract/message.ts';
import type { CallOutcome } from '../contract/output.ts';
import { quoteStrangers } from './quote-strangers.ts';

/** `outcomes` in the order of `calls`. A failure's code stands before its text, so that the model can tell it from a result. */
export function toolMessage(
  calls: readonly Pick<CallPart, 'callId' | 'tool'>[],
  outcomes: readonly CallOutcome[],
): ToolMessage {
  return {
    role: 'tool',
    results: calls.map((call, at) => {
      const outcome = outcomes[at];
      if (outcome === undefined)
        return { callId: call.callId, tool: call.tool, text: 'No result was recorded.', isError: true };
      return {
        callId: call.callId,
        tool: call.tool,
        text: outcomeText(outcome),
        isError: !outcome.ok,
        ...(outcome.images === undefined ? {} : { images: outcome.images }),
        ...(outcome.artifact === undefined ? {} : { artifact: outcome.artifact.id }),
      };
    }),
  };
}

/** What a model reads of an outcome; text of others is marked as such. */
export function outcomeText({ text, error, untrusted }: CallOutcome): string {
  const said = (error === undefined ? text : error.message) || '(no output)';
  const marked = untrusted === undefined ? said : quoteStrangers(said, untrusted);
  return error === undefined ? marked : `Error (${error.code}): ${marked}`;
}
