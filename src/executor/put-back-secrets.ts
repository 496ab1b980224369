/** A placeholder that a model or a person writes in the arguments of a call stands for the secret itself. */
import type { Call } from '../contract/call.ts';
import { ToolFailure } from '../contract/failure.ts';
import type { RedactorSource } from '../contract/redaction.ts';

/** Rejects with ToolFailure('invalid_input'): what cannot be put back must not end up in somebody's file. */
export async function putBackSecrets(redactor: RedactorSource | undefined, call: Call): Promise<Call> {
  const active = await redactor?.();
  if (active === undefined) return call;
  const lost = active.findLost(call.input);
  if (lost !== undefined) {
    throw new ToolFailure(
      'invalid_input',
      `${lost} stands for a secret that was hidden, and its value is not known here any more. Nothing was done: leave that part of the text as it is (change only what is around it), or ask the user for the value.`,
    );
  }
  // Arguments as a model writes them are JSON: there a value is written as JSON writes it.
  const { input } = call;
  return { ...call, input: typeof input === 'string' ? active.restore(input, 'json') : active.restoreAll(input) };
}
