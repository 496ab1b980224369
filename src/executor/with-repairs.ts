/** Tells the model that its arguments had to be mended, so that it writes them well the next time. */
import type { CallOutcome } from '../contract/output.ts';

export function withRepairs(outcome: CallOutcome, repairs: readonly string[]): CallOutcome {
  if (repairs.length === 0) return outcome;
  const remark = `\n[The arguments were mended: ${repairs.join('; ')}. Write them as strict JSON that fits the schema.]`;
  const { text, error } = outcome;
  return {
    ...outcome,
    text: text + remark,
    ...(error === undefined ? {} : { error: { ...error, message: error.message + remark } }),
  };
}
