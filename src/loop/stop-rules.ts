/** When a turn must end although the model would go on. */
import type { CallPart } from '../contract/message.ts';

export type StopRule = { readonly reason: 'rounds' | 'repeat'; readonly text: string };

/** A call of one round: `polls` marks those that only watch a job, `failure` is why it failed. */
export type RoundCall = CallPart & { readonly polls: boolean; readonly failure?: string | undefined };

/** How often a cycle of so many rounds (the place in the list, from 1) may come before it is one. */
const cycleLimits = [3, 2, 3, 3, 3] as const;
/** So many rounds running in which all calls failed in the very same way. */
const failureLimit = 5;

export type StopRules = {
  /** For a turn that was cut off when its rounds were used up. */
  beforeFirstRound(): StopRule | undefined;
  /** To be called with each round's calls. Undefined: go on. */
  afterRound(calls: readonly RoundCall[]): StopRule | undefined;
};

/**
 * Ends a turn after `maxRounds` rounds; when the same set of calls came three rounds running, when two sets alternate
 * (A-B-A-B) or when up to five come again for the third time; when nothing but one and the same failure came of five rounds.
 * A round of nothing but polling counts as no repeat. `roundsBefore`: those of the same turn that are over.
 */
export function createStopRules(maxRounds: number, roundsBefore = 0): StopRules {
  const signatures: string[] = [];
  const failures: (string | undefined)[] = [];
  let rounds = roundsBefore;
  const limit = () =>
    rounds >= maxRounds
      ? ({ reason: 'rounds', text: `the limit of ${maxRounds} rounds was reached` } as const)
      : undefined;
  return {
    beforeFirstRound: () => (roundsBefore > 0 ? limit() : undefined),
    afterRound(calls) {
      rounds += 1;
      const counted = calls.filter((call) => !call.polls);
      if (counted.length > 0) {
        signatures.push(signatureOf(counted));
        failures.push(failureOf(counted));
        if (isCycle(signatures)) return { reason: 'repeat', text: 'the same calls were made again and again' };
        if (isStuck(failures)) return { reason: 'repeat', text: 'the calls failed in the same way again and again' };
      }
      return limit();
    },
  };
}

function signatureOf(calls: readonly CallPart[]): string {
  return calls
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

/** Undefined when a call succeeded: an equal result may be progress (a command that prints nothing), an equal failure is none. */
function failureOf(calls: readonly RoundCall[]): string | undefined {
  if (calls.some((call) => call.failure === undefined)) return undefined;
  const failures = calls.map((call) => `${call.tool} ${call.failure}`).sort();
  return [...new Set(failures)].join('\n');
}

function isCycle(signatures: readonly string[]): boolean {
  return cycleLimits.some((times, at) => {
    const length = at + 1;
    const last = signatures.slice(-length * times);
    return last.length === length * times && last.every((each, place) => each === last[place % length]);
  });
}

function isStuck(failures: readonly (string | undefined)[]): boolean {
  const last = failures.slice(-failureLimit);
  return last.length === failureLimit && last[0] !== undefined && last.every((each) => each === last[0]);
}
