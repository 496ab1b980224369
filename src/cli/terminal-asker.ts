/** Asks on a plain terminal, for `run` and `ask`: the question in full, then a digit and Enter. */
import { createInterface } from 'node:readline/promises';
import { ToolFailure } from '../contract/failure.ts';
import type { Answer, Asker, GrantScope, Question } from '../contract/permission.ts';
import { questionText } from './question-text.ts';

const words: Readonly<Record<GrantScope, string>> = {
  once: 'Allow once',
  conversation: 'Allow in this chat',
  always: 'Allow always',
};

/** Anything but a number that was offered is asked again; the end of input is a no. */
export function createTerminalAsker(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream & { readonly columns?: number },
): Asker {
  let last: Promise<unknown> = Promise.resolve();
  return {
    origin: 'terminal',
    ask(question, signal) {
      // One question at a time: a second one waits until the first is answered.
      const next = last.then(() => askOne(question, signal, input, output));
      last = next.catch(() => undefined);
      return next;
    },
  };
}

async function askOne(
  question: Question,
  signal: AbortSignal,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream & { readonly columns?: number },
): Promise<Answer> {
  const choices: readonly { readonly text: string; readonly answer: Answer }[] = [
    ...question.scopes.map((scope) => ({ text: words[scope], answer: { verdict: 'allow', scope } as const })),
    { text: 'Deny', answer: { verdict: 'deny' } },
  ];
  output.write(`\n${questionText(question, widthOf(output), process.env)}\n`);
  for (const [at, choice] of choices.entries()) output.write(`  ${at + 1}  ${choice.text}\n`);
  const reader = createInterface({ input, output, terminal: false });
  try {
    const closed = new Promise<undefined>((resolve) => reader.once('close', () => resolve(undefined)));
    for (;;) {
      const line = await Promise.race([reader.question('Number and Enter: ', { signal }), closed]);
      if (line === undefined) return { verdict: 'deny', reason: 'the terminal was closed' };
      const chosen = choices[Number(line.trim()) - 1];
      if (chosen !== undefined) return chosen.answer;
      output.write(`Please type a number from 1 to ${choices.length}.\n`);
    }
  } catch (error) {
    if (signal.aborted)
      throw new ToolFailure('cancelled', 'Stopped before the question was answered.', { cause: error });
    throw error;
  } finally {
    reader.close();
  }
}

/** A terminal that was never told its size (a serial line, `script`, a container's) says 0. */
function widthOf(output: { readonly columns?: number }): number {
  return output.columns === undefined || output.columns === 0 ? 80 : Math.max(20, output.columns);
}
