/** Asks about new hosts: one question per host at a time, however many connections wait for it, and never the same one twice. */
import type { Access } from '../../contract/access.ts';
import type { Decision } from '../../contract/permission.ts';
import { questionUrl } from './host-pattern.ts';
import type { Target } from './read-target.ts';

/** Somebody who can be asked while a call of the conversation runs. */
export type HostAsker = {
  request(access: Access): Promise<Decision>;
  /** Whether what was allowed before still is. Omitted: it is. */
  holds?(access: Access): Promise<boolean>;
  /** A question of it opens or closes: a clock that runs for the call stands still in between. */
  onQuestion?(isOpen: boolean): void;
};

export type HostAnswer = { readonly isAllowed: boolean; readonly reason: string };

export type HostQuestions = {
  /** Undefined: nobody is there to ask. `last`: who was there last; a yes that was taken back since counts no more. */
  ask(target: Target, asker: HostAsker | undefined, last?: HostAsker): Promise<HostAnswer | undefined>;
  /** What was answered before and still holds, without asking. */
  answered(target: Target, last?: HostAsker): Promise<HostAnswer | undefined>;
};

/** So long a "no" holds by itself: nobody is asked the same over and over, and anybody may change their mind. */
const denialHoldsMs = 10 * 60_000;
/** More different hosts than a person would answer about: a program that makes names up. */
const maxOpenQuestions = 20;
const maxKept = 1000;

export function createHostQuestions(now: () => number = () => performance.now()): HostQuestions {
  const kept = new Map<string, HostAnswer & { readonly untilMs: number }>();
  const open = new Map<string, Promise<HostAnswer>>();
  // One after the other: a person reads one question at a time.
  let queue: Promise<unknown> = Promise.resolve();

  async function answered(target: Target, last?: HostAsker): Promise<HostAnswer | undefined> {
    const known = kept.get(target.host);
    if (known === undefined) return undefined;
    const holds = known.isAllowed && last?.holds !== undefined ? await last.holds(accessOf(target)) : true;
    if (holds && known.untilMs > now()) return known;
    kept.delete(target.host);
    return undefined;
  }

  async function put(target: Target, asker: HostAsker): Promise<HostAnswer> {
    const answer = await askOne(target, asker);
    const first = kept.keys().next().value;
    if (kept.size >= maxKept && first !== undefined) kept.delete(first);
    kept.set(target.host, { ...answer, untilMs: answer.isAllowed ? Infinity : now() + denialHoldsMs });
    return answer;
  }

  return {
    answered,
    async ask(target, asker, last = asker) {
      const known = await answered(target, last);
      if (known !== undefined) return known;
      const waiting = open.get(target.host);
      if (waiting !== undefined) return waiting;
      if (asker === undefined) return undefined;
      if (open.size >= maxOpenQuestions) return { isAllowed: false, reason: 'too many hosts are being asked about' };
      const answer = queue.then(() => put(target, asker));
      queue = answer.catch(() => undefined);
      open.set(target.host, answer);
      try {
        return await answer;
      } finally {
        open.delete(target.host);
      }
    },
  };
}

async function askOne(target: Target, asker: HostAsker): Promise<HostAnswer> {
  asker.onQuestion?.(true);
  try {
    const decision = await asker.request(accessOf(target));
    return { isAllowed: decision.verdict === 'allow', reason: decision.reason };
  } finally {
    asker.onQuestion?.(false);
  }
}

const accessOf = (target: Target): Access => ({ kind: 'url', url: questionUrl(target), method: 'CONNECT' });
