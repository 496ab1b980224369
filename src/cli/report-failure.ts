/** How a command that could not be carried out says so: one clear line, no stack, the right exit code. */
import { escapeInvisible } from '../base/escape-invisible.ts';
import { MisuseFailure, ModelFailure, SetupFailure, ToolFailure } from '../contract/failure.ts';

/** Prints the failure (as an object too, when JSON was asked for) and gives the exit code: 2 for misuse, else 1. */
export function reportFailure(error: unknown, asJson: boolean): number {
  const { code, message } = describe(error);
  if (asJson) process.stdout.write(`${JSON.stringify({ ok: false, text: message, error: { code, message } })}\n`);
  else process.stderr.write(`handrail: ${escapeInvisible(message)}\n`);
  return error instanceof MisuseFailure ? 2 : 1;
}

function describe(error: unknown): { readonly code: string; readonly message: string } {
  if (error instanceof MisuseFailure) return { code: 'invalid_input', message: error.message };
  if (error instanceof ToolFailure) return { code: error.code, message: error.message };
  if (error instanceof SetupFailure || error instanceof ModelFailure)
    return { code: 'unavailable', message: error.message };
  const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
  return {
    code: 'internal',
    message: `Something failed inside: ${why ?? 'no reason given'}. \`handrail doctor\` may tell more.`,
  };
}
