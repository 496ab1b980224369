/** `handrail run <tool> [json]`: one call, for scripts. */
import { escapeInvisible } from '../base/escape-invisible.ts';
import { MisuseFailure } from '../contract/failure.ts';
import type { CallOutcome } from '../contract/output.ts';
import { attendanceOf } from './attendance.ts';
import { tellPending } from './confirm-command.ts';
import type { CommandLine, PlaceOptions } from './face.ts';
import { readAllText } from './read-stdin.ts';
import { createStopSignal } from './stop-signal.ts';
import { printAll } from './print-all.ts';

export async function runCommand(
  face: CommandLine,
  tool: string,
  given: string | undefined,
  options: PlaceOptions & { readonly json?: boolean },
): Promise<number> {
  const input = parseArguments(given === '-' ? await readAllText(process.stdin) : (given ?? '{}'));
  const handrail = await face.open(options);
  tellPending(handrail);
  const stop = createStopSignal();
  try {
    const conversation = options.conversation === undefined ? {} : { conversationId: options.conversation };
    const outcome = await handrail.runTool({
      tool,
      input,
      origin: 'library',
      signal: stop.signal,
      ...conversation,
      ...(await attendanceOf(options.approve)),
    });
    await print(outcome, options.json === true);
    if (stop.signal.aborted && outcome.error?.code === 'cancelled') return 130;
    return outcome.ok ? 0 : 1;
  } finally {
    stop.dispose();
    await handrail.close();
  }
}

function parseArguments(text: string): unknown {
  let input: unknown;
  try {
    input = JSON.parse(text);
  } catch (error) {
    throw new MisuseFailure(
      `The arguments are not valid JSON: ${error instanceof Error ? error.message : String(error)}. Give one JSON object in quotes, for example '{"path":"a.txt"}'.`,
      { cause: error },
    );
  }
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input;
  throw new MisuseFailure(`The arguments must be one JSON object, for example '{"path":"a.txt"}'.`);
}

async function print(outcome: CallOutcome, asJson: boolean): Promise<void> {
  if (asJson) {
    // The view is for screens, offers, images and the source of text for models; a script reads text and data.
    const { view: _view, offers: _offers, images: _images, untrusted: _untrusted, ...rest } = outcome;
    await printAll(process.stdout, `${JSON.stringify(rest)}\n`);
  } else if (outcome.ok) {
    const text = process.stdout.isTTY === true ? escapeInvisible(outcome.text) : outcome.text;
    await printAll(process.stdout, text.endsWith('\n') ? text : `${text}\n`);
  } else {
    await printAll(process.stderr, `handrail: ${escapeInvisible(outcome.text)}\n`);
  }
}
