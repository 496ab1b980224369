/** Which tools a conversation has found so far: they stay in its requests, in the order in which they were found. */
import type { CallOutcome } from '../contract/output.ts';

const finder = 'find_tools';

/** The names in a result of find_tools; empty for every other call. */
export function namesFound(tool: string, outcome: CallOutcome): readonly string[] {
  if (tool !== finder || !outcome.ok || !Array.isArray(outcome.data?.['tools'])) return [];
  return (outcome.data['tools'] as readonly unknown[]).flatMap((found) =>
    typeof found === 'object' && found !== null && 'name' in found && typeof found.name === 'string'
      ? [found.name]
      : [],
  );
}
