/** From the arguments as a caller wrote them to the typed input of the tool: secrets put back, and mended where that is certain. */
import type { Call } from '../contract/call.ts';
import type { RedactorSource } from '../contract/redaction.ts';
import type { Tool } from '../contract/tool.ts';
import { parseInput } from './parse-input.ts';
import { putBackSecrets } from './put-back-secrets.ts';

export type ReadArguments = {
  readonly input: unknown;
  /** The call as it was understood: what is asked about and run. */
  readonly exact: Call;
  /** The same for the journal: where a placeholder stood it stands. */
  readonly shown: Call;
  readonly repairs: readonly string[];
};

/** Rejects with ToolFailure('invalid_input'). */
export async function readArguments(
  redactor: RedactorSource | undefined,
  tool: Tool,
  call: Call,
): Promise<ReadArguments> {
  const known = await putBackSecrets(redactor, call);
  const { input, mended } = parseInput(tool, call.tool, known.input);
  const exact = mended === undefined ? known : { ...known, input: mended.written };
  return { input, exact, shown: known.input === call.input ? exact : call, repairs: mended?.repairs ?? [] };
}
