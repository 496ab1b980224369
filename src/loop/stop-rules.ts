/** When a turn must end although the model would go on. */
import type { CallPart } from '../contract/message.ts';

export type StopRule = { readonly reason: 'rounds' | 'repeat'; readonly text: string };

/** How many rounds running the same calls may be asked for. */
const repeatLimit = 3;

export type StopRules = {
  /** For a turn that was cut off when its rounds were used up. */
  beforeFirstRound(): StopRule | undefined;
  /** To be called with each round's calls; `polls` marks calls that only watch a job. Undefined: go on. */
  afterRound(calls: readonly (CallPart & { readonly polls: boolean })[]): StopRule | undefined;
};

/**
 * Ends a turn after `maxRounds` rounds, when the same set of calls came three rounds running, or when two sets alternate
 * (A-B-A-B). A round of nothing but polling counts as no repeat. `roundsBefore`: those of the same turn that are over.
 */
export function createStopRules(maxRounds: number, roundsBefore = 0): StopRules {
  const signatures: string[] = [];
  let rounds = roundsBefore;
  const limit = () =>
    rounds >= maxRounds
      ? ({ reason: 'rounds', text: `the limit of ${maxRounds} rounds was reached` } as const)
      : undefined;
  return {
    beforeFirstRound: () => (roundsBefore > 0 ? limit() : undefined),
    afterRound(calls) {
      rounds += 1;
      const signature = signatureOf(calls);
      if (signature !== undefined) signatures.push(signature);
      if (signature !== undefined && repeats(signatures)) {
        return { reason: 'repeat', text: 'the same calls were made again and again' };
      }
      return limit();
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
