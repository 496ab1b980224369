/** Turns whatever was thrown into the one shape a caller sees. */
import { ToolFailure } from '../contract/failure.ts';
import type { CallOutcome } from '../contract/output.ts';

/** A ToolFailure speaks for itself. Anything else is a bug: logged with the call's id, told in one plain sentence. */
export function outcomeOfFailure(
  error: unknown,
  call: { readonly callId: string; readonly tool: string },
  log: (error: unknown) => void,
): CallOutcome {
  if (error instanceof ToolFailure) return failed(error.code, error.message);
  log(new Error(`call ${call.callId} of ${call.tool} failed inside`, { cause: error }));
  const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error).slice(0, 200);
  return failed(
    'internal',
    `${call.tool} failed inside: ${why || 'no reason given'}. This is a fault of the tool, not of the arguments (call ${call.callId}).`,
  );
}

function failed(code: string, message: string): CallOutcome {
  return { ok: false, text: message, error: { code, message } };
}
