/** Tries a model: one short question, and what came of it in words. */
import { MisuseFailure, ModelFailure } from '../contract/failure.ts';
import type { ModelClient, ModelRequest } from '../contract/model.ts';
import type { ModelTrialResult } from '../contract/model-setup.ts';

const limitMs = 30_000;
const shownChars = 200;

const question: ModelRequest = {
  system: 'Answer in one short sentence.',
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'Say hello, so that I know you are there.' }] }],
  tools: [],
  // Models that reason need some before their first word.
  maxOutputTokens: 1_024,
};

/** `open` makes the client; what it throws is a result as well. Never rejects. */
export async function tryModel(open: () => ModelClient, now: () => number = Date.now): Promise<ModelTrialResult> {
  const startedAt = now();
  const signal = AbortSignal.timeout(limitMs);
  let firstWordAt: number | undefined;
  let answer = '';
  try {
    for await (const event of open().stream(question, signal)) {
      if (event.type !== 'text-delta' && event.type !== 'reasoning-delta') continue;
      firstWordAt ??= now();
      if (event.type === 'text-delta') answer += event.text;
    }
  } catch (error) {
    const totalMs = now() - startedAt;
    if (signal.aborted)
      return { isGood: false, kind: 'timeout', message: `No answer came in ${limitMs / 1000} s.`, totalMs };
    return { isGood: false, ...reasonOf(error), totalMs };
  }
  const totalMs = now() - startedAt;
  if (answer.trim() === '')
    return { isGood: false, kind: 'empty', message: 'It was reached, and answered without a word.', totalMs };
  return {
    isGood: true,
    answer: answer.trim().slice(0, shownChars),
    firstWordMs: (firstWordAt ?? now()) - startedAt,
    totalMs,
  };
}

function reasonOf(error: unknown): { readonly kind: string; readonly message: string } {
  if (error instanceof ModelFailure) return { kind: error.kind, message: error.message };
  if (error instanceof MisuseFailure) return { kind: 'misuse', message: error.message };
  return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
}
