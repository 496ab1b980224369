/** The stage "ask" of a call: what was decided, shown to whoever can be asked, with a preview. */
import type { ResolvedAccess } from '../contract/access.ts';
import { ToolFailure } from '../contract/failure.ts';
import type { View } from '../contract/output.ts';
import type { Decision } from '../contract/permission.ts';
import type { CallScope } from '../contract/services.ts';
import type { Tool, ToolDescriptor } from '../contract/tool.ts';
import { approvalHash, type Attendant, type CallToApprove } from '../permission/approvals.ts';
import type { DecisionWithScopes } from '../permission/decide.ts';
import type { Call, CallContext } from '../contract/call.ts';
import { decideCall } from './decide-call.ts';
import type { ExecutorParts } from './executor-parts.ts';

/** A call that is parsed and resolved. `scope.granted` holds what it would touch. */
export type CallToDecide = {
  readonly call: Call;
  readonly descriptor: ToolDescriptor;
  readonly tool: Tool;
  readonly input: unknown;
  readonly scope: CallScope;
};

/** Allow or deny, after asking whoever can be asked. Rejects with conflict when the world moved while the question was open. */
export async function approveCall(parts: ExecutorParts, each: CallToDecide, context: CallContext): Promise<Decision> {
  const { call } = each;
  const decision = await decideNow(parts, each);
  const preview = decision.verdict === 'ask' ? await previewOf(parts, each) : undefined;
  const question = questionAbout(each, preview);
  const settled = await parts.approvals.settle(decision, question, attendantOf(call, context, context.signal));
  // The world may have moved while the question was open: what was shown must be what will happen.
  if (preview !== undefined && settled.verdict === 'allow') {
    const again = await previewOf(parts, each);
    if (approvalHash({ ...question, preview: again }) !== approvalHash(question)) {
      throw new ToolFailure(
        'conflict',
        'What this call would change was changed by something else while the question was open. Look again and repeat it.',
      );
    }
  }
  return settled;
}

async function decideNow(parts: ExecutorParts, { descriptor, scope }: CallToDecide): Promise<DecisionWithScopes> {
  const { granted: accesses, conversation } = scope;
  const decision = await decideCall(parts, { descriptor, accesses, conversation });
  // A count that cannot be kept is no reason to refuse what was allowed.
  if (decision.used.length > 0) await parts.approvals.used(decision.used).catch(parts.log);
  return decision;
}

const plainAccess = (access: ResolvedAccess): unknown =>
  access.kind === 'url' ? { host: access.host, url: access.url } : access;

function questionAbout(each: CallToDecide, preview: View | undefined): CallToApprove {
  const { call, descriptor } = each;
  return {
    callId: call.callId,
    tool: descriptor.name,
    title: descriptor.title,
    summary: each.tool.summary(each.input),
    input: typeof call.input === 'string' ? call.input : JSON.stringify(call.input),
    conversation: each.scope.conversation,
    preview,
  };
}

function attendantOf(call: Call, context: CallContext, signal: AbortSignal): Attendant {
  return {
    approve: context.approve,
    asker: context.asker,
    isTyped: call.origin === 'user',
    signal,
    onAsk: (asked) => context.record({ type: 'permission-ask', question: asked }),
    onAnswer: (asked, answer, origin) =>
      context.record(
        { type: 'permission-answer', questionId: asked.id, callId: call.callId, answer, origin },
        { durable: true },
      ),
  };
}

/**
 * What a running call wants besides (a new host). Nothing is shown but the access itself: the call's own preview was part of
 * the question before it ran.
 */
export async function approveMore(parts: ExecutorParts, each: CallToDecide, context: CallContext): Promise<Decision> {
  const { call, scope } = each;
  const decision = await decideNow(parts, each);
  // What is asked is the access, not the call around it: the answer is bound to that.
  const question = { ...questionAbout(each, undefined), input: JSON.stringify(scope.granted.map(plainAccess)) };
  return parts.approvals.settle(decision, question, attendantOf(call, context, scope.signal));
}

async function previewOf(parts: ExecutorParts, each: CallToDecide): Promise<View | undefined> {
  if (each.tool.preview === undefined) return undefined;
  // A preview only reads, with the reach the call itself is asking for, and shows it to the person alone.
  return each.tool.preview(each.input, await parts.services.bind(each.tool.needs, each.scope));
}
