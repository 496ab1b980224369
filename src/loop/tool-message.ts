/** The message that carries outcomes back to the model. */
import type { CallPart, ToolMessage } from '../contract/message.ts';
import type { CallOutcome } from '../contract/output.ts';

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
      const text =
        outcome.error === undefined ? outcome.text : `Error (${outcome.error.code}): ${outcome.error.message}`;
      return {
        callId: call.callId,
        tool: call.tool,
        text: text === '' ? '(no output)' : text,
        isError: !outcome.ok,
        ...(outcome.images === undefined ? {} : { images: outcome.images }),
        ...(outcome.artifact === undefined ? {} : { artifact: outcome.artifact.id }),
      };
    }),
  };
}
