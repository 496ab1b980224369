/** When a turn must end although the model would go on. */
import type { CallPart } from '../contract/message.ts';

export type StopRule = { readonly reason: 'rounds' | 'repeat'; readonly text: string };

/** How many rounds running the same calls may be asked for. */
const repeatLimit = 3;

export type StopRules = {
  /** To be called with each round's calls; `polls` marks calls that only watch a job. Undefined: go on. */
  afterRound(calls: readonly (CallPart & { readonly polls: boolean })[]): StopRule | undefined;
};

/**
 * Ends a turn after `maxRounds` rounds, when the same set of calls came three rounds running, or when two sets alternate
 * (A-B-A-B). A round of nothing but polling counts as no repeat.
 */
export function createStopRules(maxRounds: number): StopRules {
  const signatures: string[] = [];
  let rounds = 0;
  return {
    afterRound(calls) {
      rounds += 1;
      const signature = signatureOf(calls);
      if (signature !== undefined) signatures.push(signature);
      if (signature !== undefined && repeats(signatures)) {
        return { reason: 'repeat', text: 'the same calls were made again and again' };
      }
      if (rounds >= maxRounds) return { reason: 'rounds', text: `the limit of ${maxRounds} rounds was reached` };
      return undefined;
    },
  };
}

/** Undefined when every call of the round polls. */
function signatureOf(calls: readonly (CallPart & { readonly polls: boolean })[]): string | undefined {
  const counted = calls.filter((call) => !call.polls);
  if (counted.length === 0) return undefined;
  return counted
    .map((call) => `${call.tool} ${canonical(call.input)}`)
    .sort()
    .join('\n');
}

/** The same arguments in another order or spacing are the same call. */
function canonical(input: string): string {
  try {
    return JSON.stringify(JSON.parse(input), (_key, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
        : value,
    );
  } catch {
    // Broken JSON has no canonical form; its bytes are its signature.
    return input;
  }
}

function repeats(signatures: readonly string[]): boolean {
  const last = signatures.slice(-repeatLimit);
  if (last.length === repeatLimit && last.every((each) => each === last[0])) return true;
  const [first, second, third, fourth] = signatures.slice(-4);
  return fourth !== undefined && first === third && second === fourth;
}
