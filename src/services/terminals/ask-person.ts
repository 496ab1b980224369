/**
 * The person behind a call that is running: what a terminal's program wants to reach meanwhile is asked on the call's own line,
 * since only the program that made the call can show a question.
 */
import type { Access } from '../../contract/access.ts';
import type { Decision } from '../../contract/permission.ts';
import type { HostAsker } from '../net/host-questions.ts';
import type { HostAnswer, HostQuestion } from './keeper-protocol.ts';

export type Person = {
  readonly asker: HostAsker;
  /** What came on the line after the request. */
  take(line: string): void;
  /** The call is over: what it has not answered is refused. */
  leave(): void;
  /** False when no question is open; else resolves with true once none is. */
  answered(): Promise<boolean>;
};

export function createPerson(say: (question: HostQuestion) => void): Person {
  const open = new Map<number, (decision: Decision) => void>();
  const settled = new Set<Promise<unknown>>();
  let count = 0;
  let hasLeft = false;
  const refusal: Decision = { verdict: 'deny', reason: 'the call ended before somebody answered' };

  function ask(access: Access, holds: boolean): Promise<Decision> {
    if (access.kind !== 'url' || hasLeft) return Promise.resolve(refusal);
    count += 1;
    const id = count;
    const decision = new Promise<Decision>((resolve) => open.set(id, resolve)).finally(() => open.delete(id));
    settled.add(decision);
    void decision.then(() => settled.delete(decision));
    say({ question: id, url: access.url, method: access.method, holds });
    return decision;
  }

  return {
    asker: {
      request: (access) => ask(access, false),
      // Nobody can look it up between calls: what was allowed goes on, as it does for jobs.
      holds: async (access) => hasLeft || (await ask(access, true)).verdict === 'allow',
    },
    take(line) {
      const { answer, isAllowed, reason } = JSON.parse(line) as Partial<HostAnswer>;
      const verdict = isAllowed === true ? 'allow' : 'deny';
      open.get(answer ?? 0)?.({ verdict, reason: typeof reason === 'string' ? reason : '' });
    },
    leave() {
      hasLeft = true;
      for (const resolve of open.values()) resolve(refusal);
    },
    async answered() {
      if (settled.size === 0) return false;
      await Promise.all(settled);
      return true;
    },
  };
}
