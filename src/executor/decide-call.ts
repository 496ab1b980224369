/** The stage "decide": the facts of one call at this moment, and what they come to. */
import type { ResolvedAccess } from '../contract/access.ts';
import type { ConversationInfo } from '../contract/services.ts';
import type { ToolDescriptor } from '../contract/tool.ts';
import { decide, type DecisionFacts, type DecisionWithScopes } from '../permission/decide.ts';
import { hostsOf } from '../permission/grant-pattern.ts';
import { isOutward } from '../permission/outward.ts';
import { compilePathPattern } from '../permission/match-path.ts';
import { ruleNamesTool } from '../permission/rule.ts';
import { someAccessMatches } from '../permission/rules.ts';
import type { ExecutorParts } from './executor-parts.ts';

type DecideParts = Pick<ExecutorParts, 'policy' | 'closedGate' | 'approvals' | 'untrustedSince'>;

export type DecideRequest = {
  readonly descriptor: ToolDescriptor;
  readonly accesses: readonly ResolvedAccess[];
  readonly conversation: ConversationInfo;
};

export async function decideCall(parts: DecideParts, request: DecideRequest): Promise<DecisionWithScopes> {
  const { descriptor, conversation } = request;
  const facts = await factsOf(parts, request);
  const usual = decide({ ...facts, granted: new Map() });
  // Grants only ever turn a question into a yes, so most calls need not read them.
  if (usual.verdict !== 'ask') return usual;
  return decide({ ...facts, granted: await parts.approvals.granted(descriptor.name, conversation.id) });
}

/** Of the hosts that people allowed to the tool, those that hold now. */
export async function hostsAllowedNow(
  parts: DecideParts,
  { descriptor, conversation }: Omit<DecideRequest, 'accesses'>,
): Promise<readonly string[]> {
  const granted = await parts.approvals.granted(descriptor.name, conversation.id);
  const allowed = await Promise.all(
    hostsOf(granted).map(async (host) => {
      const access = { kind: 'url', url: `https://${host}/`, method: 'CONNECT', host, isAllowedHost: false } as const;
      const facts = await factsOf(parts, { descriptor, accesses: [access], conversation });
      return decide({ ...facts, granted }).verdict === 'allow' ? [host] : [];
    }),
  );
  return allowed.flat();
}

/**
 * What rules keep the tool from below folders that it may read: what they forbid, and what they want a question about that this
 * call did not raise. Undefined when there is no such rule.
 */
export function forbiddenPaths(
  parts: DecideParts,
  { descriptor, accesses, conversation }: DecideRequest,
): ((realPath: string) => boolean) | undefined {
  const { deny, ask, homes } = parts.policy();
  const names = namesOf(descriptor);
  const places = { workspace: conversation.workspace, homes };
  const unasked = ask.filter((rule) => !someAccessMatches(rule, names, accesses, places));
  const patterns = [...deny, ...unasked]
    .filter((rule) => ruleNamesTool(rule, names))
    .flatMap(({ argument }) => (argument === undefined ? [] : [compilePathPattern(argument, places)]));
  return patterns.length === 0 ? undefined : (realPath) => patterns.some((pattern) => pattern.touches(realPath));
}

const namesOf = ({ name, aliases }: ToolDescriptor): readonly string[] => [name, ...aliases];

async function factsOf(
  parts: DecideParts,
  { descriptor, accesses, conversation }: DecideRequest,
): Promise<Omit<DecisionFacts, 'granted'>> {
  const policy = parts.policy();
  // Looked up only where it changes something.
  const mayAskAgain = policy.asksAgain && accesses.some(isOutward);
  return {
    names: namesOf(descriptor),
    closedGate: parts.closedGate(descriptor),
    accesses,
    policy,
    workspace: conversation.workspace,
    untrustedSince: mayAskAgain ? await parts.untrustedSince(conversation.id) : undefined,
  };
}
