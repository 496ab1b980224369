/** Whether a host may be reached, before anybody is asked: a pure function of the host and the rules. */
import { type HostPattern, isExactly, patternForbids, patternMatches } from './host-pattern.ts';
import type { Target } from './read-target.ts';

export type NetworkMode = 'off' | 'allow-list' | 'on';

export type HostRules = {
  readonly mode: NetworkMode;
  readonly allow: readonly HostPattern[];
  readonly deny: readonly HostPattern[];
  /** Where this machine's own package managers download from. */
  readonly packages: readonly HostPattern[];
  /** Private addresses that the settings open, each `host:port`. */
  readonly allowPrivate: readonly string[];
};

export type Refusal = {
  /** Half a sentence that goes on from the host: "it is not on the allow list". */
  readonly reason: string;
  /** A whole sentence: what to do about it. */
  readonly advice: string;
};

/** `isListed`: somebody named the very host, in settings or in the machine's configuration. */
export type HostVerdict =
  | { readonly verdict: 'allow'; readonly isListed: boolean }
  | ({ readonly verdict: 'deny' } & Refusal)
  | { readonly verdict: 'ask' };

export function decideHost(target: Target, rules: HostRules): HostVerdict {
  const { mode, allow, deny, packages, allowPrivate } = rules;
  if (mode === 'off') {
    return refuse('the network is off', 'Set sandbox.network.mode in settings.json to "allow-list" or "on".');
  }
  const forbidding = deny.find((pattern) => patternForbids(pattern, target));
  if (forbidding !== undefined) {
    return refuse(`sandbox.network.deny names ${forbidding.text}`, 'Do without it; only the settings can lift that.');
  }
  if (isLocalName(target) && !isExactly(allowPrivate, target)) return refusePrivate(target, 'this machine itself');
  const isListed = [...allow, ...packages].some((pattern) => patternMatches(pattern, target));
  if (isListed) return { verdict: 'allow', isListed: true };
  return mode === 'on' ? { verdict: 'allow', isListed: false } : { verdict: 'ask' };
}

export function refusePrivate({ host, port }: Target, what: string): { verdict: 'deny' } & Refusal {
  const entry = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return refuse(
    `it is ${what}, which commands may not reach`,
    `If that is wanted, the user can add "${entry}" to net.allowPrivate in settings.json.`,
  );
}

export function notListed({ host }: Target, why: string): { verdict: 'deny' } & Refusal {
  return refuse(
    `it is not on the allow list${why}`,
    `The user can add "${host}" to sandbox.network.allow in settings.json, or allow it when asked.`,
  );
}

/** RFC 6761, 6.3: names that mean the machine itself whatever a resolver says. */
const isLocalName = ({ host }: Target): boolean => host === 'localhost' || host.endsWith('.localhost');

const refuse = (reason: string, advice: string): { verdict: 'deny' } & Refusal => ({ verdict: 'deny', reason, advice });
