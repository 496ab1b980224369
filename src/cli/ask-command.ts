/** `handrail ask "…"`: one turn, its answer on standard output, everything else on standard error. */
import type { TurnSummary } from '../contract/handrail.ts';
import type { ImagePart } from '../contract/message.ts';
import { MisuseFailure } from '../contract/failure.ts';
import type { Handrail } from '../contract/handrail.ts';
import { attendanceOf } from './attendance.ts';
import { tellPending } from './confirm-command.ts';
import type { CommandLine, PlaceOptions } from './face.ts';
import { createEventPrinter } from './print-events.ts';
import { readImage } from './read-image.ts';
import { readPipedInput } from './read-stdin.ts';
import { createStopSignal } from './stop-signal.ts';

export type AskOptions = PlaceOptions & {
  readonly json?: boolean;
  readonly model?: string;
  readonly continue?: boolean;
  readonly maxRounds?: number;
  readonly image?: readonly string[];
};

export async function askCommand(face: CommandLine, words: readonly string[], options: AskOptions): Promise<number> {
  const question = words.join(' ').trim();
  const piped = await readPipedInput(question === '');
  const text = [question, piped].filter((part) => part !== undefined && part !== '').join('\n\n');
  if (text.trim() === '' && options.continue !== true)
    throw new MisuseFailure('There is nothing to ask. Write the question behind `handrail ask`, or pipe it in.');
  const images = await Promise.all((options.image ?? []).map(readImage));
  const handrail = await face.open(options);
  tellPending(handrail);
  const stop = createStopSignal();
  const printer = createEventPrinter(options.json === true ? 'json' : 'text', process.stdout, process.stderr);
  try {
    const summary = await askOnce(handrail, { text, images }, options, { signal: stop.signal, onEvent: printer.show });
    await printer.end();
    return exitCodeOf(summary);
  } finally {
    stop.dispose();
    await handrail.close();
  }
}

async function askOnce(
  handrail: Handrail,
  said: { readonly text: string; readonly images: readonly ImagePart[] },
  options: AskOptions,
  live: { readonly signal: AbortSignal; readonly onEvent: Parameters<typeof handrail.ask>[0]['onEvent'] & {} },
): Promise<TurnSummary> {
  const request = {
    ...(await attendanceOf(options.approve)),
    ...live,
    ...(options.model === undefined ? {} : { model: options.model }),
    ...(options.maxRounds === undefined ? {} : { maxRounds: options.maxRounds }),
  };
  const conversationId =
    options.conversation ?? (options.continue === true ? await latestConversation(handrail) : undefined);
  if (said.text.trim() === '' && conversationId !== undefined) {
    const resumed = await handrail.resume({ ...request, conversationId });
    if (resumed === undefined)
      throw new MisuseFailure('That conversation has no turn that was cut off. Write what you want to ask.');
    return resumed;
  }
  return handrail.ask({ ...request, ...said, ...(conversationId === undefined ? {} : { conversationId }) });
}

/** Rejects with MisuseFailure when there is none. */
export async function latestConversation(handrail: Handrail): Promise<string> {
  const [latest] = await handrail.conversations.list({ limit: 1, workspace: handrail.workspace });
  if (latest === undefined)
    throw new MisuseFailure(`There is no earlier conversation in ${handrail.workspace}. Leave out --continue.`);
  return latest.id;
}

export function exitCodeOf(summary: Pick<TurnSummary, 'reason'>): number {
  if (summary.reason === 'stopped') return 130;
  return summary.reason === 'failed' || summary.reason === 'budget' ? 1 : 0;
}
