/** One call while it is open: what it may do, what else it was allowed meanwhile, and whose text came into its result. */
import type { Access, ResolvedAccess } from '../contract/access.ts';
import type { CallContext } from '../contract/call.ts';
import type { CallOutcome } from '../contract/output.ts';
import type { CallScope } from '../contract/services.ts';
import type { ToolDescriptor } from '../contract/tool.ts';
import { patternsFor } from '../permission/grant-pattern.ts';
import { strangersIn } from '../permission/outward.ts';
import { decideCall, forbiddenPaths, hostsAllowedNow } from './decide-call.ts';
import type { ExecutorParts } from './executor-parts.ts';

export type OpenCall = {
  readonly scope: CallScope;
  /** What a question allowed while it ran counts until it ends. */
  allowOnce(access: ResolvedAccess): void;
  /** Names in its outcome whose text it may hold. */
  withStrangers(outcome: CallOutcome): Promise<CallOutcome>;
};

export type OpenCallRequest = {
  readonly callId: string;
  readonly descriptor: ToolDescriptor;
  readonly accesses: readonly ResolvedAccess[];
  readonly callsTogether: number;
};

/** More would be a list, not a source. */
const maxNamed = 3;

export function openCall(parts: ExecutorParts, request: OpenCallRequest, context: CallContext): OpenCall {
  const { callId, descriptor, accesses, callsTogether } = request;
  const { conversation, signal } = context;
  const strangers = new Set(strangersIn(accesses));
  const allowed = new Set<string>();
  const keyOf = (access: ResolvedAccess): string => JSON.stringify(patternsFor(access));
  const forbids = forbiddenPaths(parts, { descriptor, accesses, conversation });

  async function holds(access: Access): Promise<boolean> {
    const resolved = await parts.resolveAccess(access, conversation);
    if (allowed.has(keyOf(resolved))) return true;
    return (await decideCall(parts, { descriptor, accesses: [resolved], conversation })).verdict === 'allow';
  }

  /** Kept results are not known by where they came from: in a conversation with text of others they may be such. */
  async function isKeptFromStrangers(): Promise<boolean> {
    const readsKept =
      descriptor.needs?.includes('artifacts') === true ||
      accesses.some((access) => access.kind === 'path' && access.zone === 'artifacts');
    return readsKept && (await parts.untrustedSince(conversation.id)) !== undefined;
  }

  return {
    scope: {
      callId,
      conversation,
      granted: accesses,
      signal,
      callsTogether,
      grantedHosts: () => hostsAllowedNow(parts, { descriptor, conversation }),
      holds,
      noteStranger: (source) => void strangers.add(source),
      ...(forbids === undefined ? {} : { forbids }),
    },
    allowOnce: (access) => void allowed.add(keyOf(access)),
    async withStrangers(outcome) {
      if (outcome.untrusted !== undefined) strangers.add(outcome.untrusted);
      if (await isKeptFromStrangers()) strangers.add('a kept result');
      if (strangers.size === 0) return outcome;
      const named = [...strangers].slice(0, maxNamed).join(', ');
      return { ...outcome, untrusted: strangers.size > maxNamed ? `${named} and others` : named };
    },
  };
}
