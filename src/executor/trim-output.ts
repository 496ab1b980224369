/** Keeps a result within its length: head and tail stay, the true length is named, the whole goes to an artifact. */
import { truncateMiddle } from '../base/truncate-middle.ts';
import type { CallOutcome, ToolOutput } from '../contract/output.ts';
import type { Artifacts } from '../contract/services.ts';

export async function trimOutput(output: ToolOutput, maxChars: number, keep: Artifacts['keep']): Promise<CallOutcome> {
  const rest = {
    ...(output.data === undefined ? {} : { data: output.data }),
    ...(output.view === undefined ? {} : { view: output.view }),
    ...(output.artifact === undefined ? {} : { artifact: output.artifact }),
    ...(output.truncated === true ? { truncated: true } : {}),
    ...(output.offers === undefined ? {} : { offers: output.offers }),
    ...(output.untrusted === undefined ? {} : { untrusted: output.untrusted }),
    ...(output.images === undefined ? {} : { images: output.images }),
  };
  if (output.text.length <= maxChars) return { ...verdict(output, output.text), ...rest };
  // What was done is done: a full disk must not take its result away.
  const artifact = output.artifact ?? (await keep(output.text).catch(() => undefined));
  const hint = artifact === undefined ? ' The whole could not be kept.' : ` The whole is artifact ${artifact.id}.`;
  const text = truncateMiddle(
    output.text,
    maxChars,
    (cut) => `\n[... ${cut} of ${output.text.length} characters left out.${hint} ...]\n`,
  );
  return { ...verdict(output, text), ...rest, truncated: true, ...(artifact === undefined ? {} : { artifact }) };
}

function verdict({ failure }: ToolOutput, text: string): Pick<CallOutcome, 'ok' | 'text' | 'error'> {
  return failure === undefined ? { ok: true, text } : { ok: false, text, error: { code: failure, message: text } };
}
