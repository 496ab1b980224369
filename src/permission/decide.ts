/**
 * The one place that says yes, no or ask. Pure: the same facts give the same decision. The order is the contract:
 * hard deny > gate > disallowed > allowed > rule deny > rule ask > grant or rule allow > default.
 */
import type { ResolvedAccess } from '../contract/access.ts';
import type { Decision, Grant, GrantScope } from '../contract/permission.ts';
import { coveringGrants } from './grant-pattern.ts';
import { isOutward, namesDestination } from './outward.ts';
import type { Policy } from './policy.ts';
import { defaultAnswer, hardDenial } from './defaults.ts';
import type { RulePlaces } from './match-path.ts';
import { findAllowance, someAccessMatches } from './rules.ts';
import { changesOf, scopesFor } from './scopes.ts';

export type DecisionFacts = {
  /** The tool's name and its aliases. */
  readonly names: readonly string[];
  /** Why the tool is off (permission/gate), undefined when it is on. */
  readonly closedGate: string | undefined;
  readonly accesses: readonly ResolvedAccess[];
  readonly policy: Policy;
  /** Allowances for this tool that hold in this conversation now, by what they cover. */
  readonly granted: ReadonlyMap<string, Grant>;
  /** When text of others first entered the conversation. Omitted: it has not, or nobody minds. */
  readonly untrustedSince?: string | undefined;
  /** Where relative paths of rules begin. Omitted: they match nothing. */
  readonly workspace?: string;
};

export type DecisionWithScopes = Decision & {
  /** The accesses that made it a question. */
  readonly asked: readonly ResolvedAccess[];
  /** What may be offered with an "allow". */
  readonly scopes: readonly GrantScope[];
  /** The allowances that made it a yes. */
  readonly used: readonly Grant[];
};

/** Says something, or leaves it to the next. */
export type DecisionStage = (facts: DecisionFacts) => DecisionWithScopes | undefined;

/** What comes before grants, allow rules and defaults, in this order. A test leaves one out to show what it holds back. */
export const decisionOrder: readonly DecisionStage[] = [denyHard, denyGate, denyByRule, askByRule];

export function decide(facts: DecisionFacts, order = decisionOrder): DecisionWithScopes {
  for (const stage of order) {
    const decision = stage(facts);
    if (decision !== undefined) return decision;
  }
  return byAccess(facts);
}

function denyHard({ accesses }: DecisionFacts): DecisionWithScopes | undefined {
  const reason = accesses.map(hardDenial).find((each) => each !== undefined);
  return reason === undefined ? undefined : denied(reason);
}

function denyGate({ names, closedGate }: DecisionFacts): DecisionWithScopes | undefined {
  return closedGate === undefined ? undefined : denied(`${names[0]} is not available: ${closedGate}`);
}

function denyByRule(facts: DecisionFacts): DecisionWithScopes | undefined {
  const { names, accesses, policy } = facts;
  const rule = policy.deny.find((each) => someAccessMatches(each, names, accesses, placesOf(facts)));
  return rule === undefined ? undefined : denied(`the rule "deny ${rule.text}" forbids it`);
}

function askByRule(facts: DecisionFacts): DecisionWithScopes | undefined {
  const { names, accesses, policy } = facts;
  const rule = policy.ask.find((each) => someAccessMatches(each, names, accesses, placesOf(facts)));
  if (rule === undefined) return undefined;
  const reason = `the rule "ask ${rule.text}" wants a question`;
  return { verdict: 'ask', reason, asked: accesses, scopes: ['once'], used: [] };
}

const placesOf = ({ workspace, policy }: DecisionFacts): RulePlaces => ({ workspace, homes: policy.homes });

/** `reason`: why it is allowed, or why it must be asked. */
type AccessAnswer = { readonly isAllowed: boolean; readonly reason: string; readonly used?: readonly Grant[] };

function byAccess(facts: DecisionFacts): DecisionWithScopes {
  const answers = facts.accesses.map((access) => ({ access, ...answerFor(facts, access) }));
  const open = answers.filter(({ isAllowed }) => !isAllowed);
  const asked = open.map(({ access }) => access);
  if (open.length === 0) {
    const used = answers.flatMap((answer) => answer.used ?? []);
    // What a person or a rule allowed says more than what is allowed anyway.
    const reason = (answers.find((answer) => answer.used !== undefined) ?? answers[0])?.reason;
    return { verdict: 'allow', reason: reason ?? 'it touches nothing that needs a question', asked, scopes: [], used };
  }
  const reason = [...new Set(open.map((answer) => answer.reason))].join('; ');
  return { verdict: 'ask', reason, asked, scopes: scopesFor(asked, facts.untrustedSince !== undefined), used: [] };
}

function answerFor(facts: DecisionFacts, access: ResolvedAccess): AccessAnswer {
  const { names, policy, granted } = facts;
  const usual = defaultAnswer(access);
  if (usual.verdict === 'allow') return { isAllowed: true, reason: usual.reason };
  const changed = changesOf(access);
  // Whatever was allowed before was allowed for what the words meant then.
  if (changed.length > 0)
    return { isAllowed: false, reason: `${usual.reason}, and ${listOf(changed)} may make it something else` };
  const since = isOutward(access) ? facts.untrustedSince : undefined;
  const grants = coveringGrants(granted, access);
  const old = grants?.find((grant) => since !== undefined && grant.createdAt <= since);
  if (grants !== undefined && old === undefined)
    return { isAllowed: true, reason: grants[0] === undefined ? usual.reason : describeGrant(grants[0]), used: grants };
  const rule = usual.needsGrant ? undefined : findAllowance(policy.allow, names, access, placesOf(facts));
  if (rule !== undefined && (since === undefined || namesDestination(rule)))
    return { isAllowed: true, reason: `the rule "allow ${rule.text}" covers it`, used: [] };
  const before = old === undefined ? rule && `the rule "allow ${rule.text}" names no destination` : describeGrant(old);
  const again = before === undefined ? '' : `, and since text of others came into this conversation (${before})`;
  return { isAllowed: false, reason: `${usual.reason}${again}` };
}

/** In words, with the day: "you allowed it on 2026-01-31 at 12:00 UTC for this conversation". */
function describeGrant({ createdAt, scope }: Grant): string {
  const reach = scope === 'always' ? 'always' : 'for this conversation';
  return `you allowed it on ${createdAt.slice(0, 10)} at ${createdAt.slice(11, 16)} UTC ${reach}`;
}

function listOf(names: readonly string[]): string {
  return names.length <= 3 ? names.join(' and ') : `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`;
}

function denied(reason: string): DecisionWithScopes {
  return { verdict: 'deny', reason, isHard: true, asked: [], scopes: [], used: [] };
}
