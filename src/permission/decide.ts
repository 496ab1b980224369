/**
 * The one place that says yes, no or ask. Pure: the same facts give the same decision. The order is the contract:
 * hard deny > gate > disallowed > allowed > rule deny > rule ask > grant or rule allow > default.
 */
import type { ResolvedAccess } from '../contract/access.ts';
import type { Decision, GrantScope } from '../contract/permission.ts';
import { patternsCover, patternsFor } from './grant-pattern.ts';
import type { Policy } from './policy.ts';
import { defaultAnswer, hardDenial } from './defaults.ts';
import { findAllowance, someAccessMatches } from './rules.ts';

export type DecisionFacts = {
  /** The tool's name and its aliases. */
  readonly names: readonly string[];
  /** Why the tool is off (permission/gate), undefined when it is on. */
  readonly closedGate: string | undefined;
  readonly accesses: readonly ResolvedAccess[];
  readonly policy: Policy;
  /** Patterns granted to this tool that hold in this conversation. */
  readonly granted: ReadonlySet<string>;
};

export type DecisionWithScopes = Decision & {
  /** The accesses that made it a question. */
  readonly asked: readonly ResolvedAccess[];
  /** What may be offered with an "allow". */
  readonly scopes: readonly GrantScope[];
};

export function decide(facts: DecisionFacts): DecisionWithScopes {
  const { names, accesses, policy } = facts;
  for (const access of accesses) {
    const reason = hardDenial(access);
    if (reason !== undefined) return { ...denied(reason), isHard: true };
  }
  if (facts.closedGate !== undefined)
    return { ...denied(`${names[0]} is not available: ${facts.closedGate}`), isHard: true };
  const forbidding = policy.deny.find((rule) => someAccessMatches(rule, names, accesses));
  if (forbidding !== undefined) return { ...denied(`the rule "deny ${forbidding.text}" forbids it`), isHard: true };
  const asking = policy.ask.find((rule) => someAccessMatches(rule, names, accesses));
  if (asking !== undefined) {
    return {
      verdict: 'ask',
      reason: `the rule "ask ${asking.text}" wants a question`,
      asked: accesses,
      scopes: ['once'],
    };
  }
  return byAccess(facts);
}

function byAccess(facts: DecisionFacts): DecisionWithScopes {
  const { names, accesses, policy, granted } = facts;
  const reasons: string[] = [];
  const asked: ResolvedAccess[] = [];
  let allowance = '';
  let hasChangedShell = false;
  for (const access of accesses) {
    const usual = defaultAnswer(access);
    const changed = access.kind === 'command' ? (access.changedShell ?? []) : [];
    if (usual.verdict === 'allow') {
      allowance ||= usual.reason;
    } else if (changed.length > 0) {
      // Whatever was allowed before was allowed for what the words meant then.
      reasons.push(`${usual.reason}, and ${listOf(changed)} may make it something else`);
      asked.push(access);
      hasChangedShell = true;
    } else if (patternsCover(granted, access)) {
      allowance = 'you allowed it earlier';
    } else {
      const rule = usual.needsGrant ? undefined : findAllowance(policy.allow, names, access);
      if (rule !== undefined) {
        allowance = `the rule "allow ${rule.text}" covers it`;
      } else {
        reasons.push(usual.reason);
        asked.push(access);
      }
    }
  }
  if (asked.length === 0)
    return { verdict: 'allow', reason: allowance || 'it touches nothing that needs a question', asked, scopes: [] };
  const isDangerous = asked.some((access) => access.kind === 'command' && access.isDangerous);
  return {
    verdict: 'ask',
    reason: [...new Set(reasons)].join('; '),
    asked,
    scopes: isDangerous || hasChangedShell || asked.every(isForOnce) ? ['once'] : ['once', 'conversation'],
  };
}

/** Nothing that could be kept would cover it. */
function isForOnce(access: ResolvedAccess): boolean {
  return patternsFor(access).length === 0;
}

function listOf(names: readonly string[]): string {
  return names.length <= 3 ? names.join(' and ') : `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`;
}

function denied(reason: string): DecisionWithScopes {
  return { verdict: 'deny', reason, asked: [], scopes: [] };
}
