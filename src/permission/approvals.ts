/**
 * The approval store: the only thing that turns a question into a yes. An answer is bound to the hash of tool, arguments,
 * preview, folder and conversation, counts once, and counts only for a question that was opened here.
 */
import { createHash, randomUUID } from 'node:crypto';
import { ToolFailure } from '../contract/failure.ts';
import type { View } from '../contract/output.ts';
import type { Answer, ApproveMode, Asker, Decision, Grant, Question } from '../contract/permission.ts';
import type { ConversationInfo } from '../contract/services.ts';
import type { GrantStore } from '../contract/storage.ts';
import type { DecisionWithScopes } from './decide.ts';
import { patternsFor } from './grant-pattern.ts';

export type CallToApprove = {
  readonly callId: string;
  readonly tool: string;
  readonly title: string;
  readonly summary: string;
  /** The exact arguments as JSON text. */
  readonly input: string;
  readonly conversation: ConversationInfo;
  readonly preview: View | undefined;
};

/** Who can be asked, and what a face said about questions in general. */
export type Attendant = {
  readonly approve: ApproveMode;
  readonly asker: Asker | undefined;
  /** True when a person typed this very call. */
  readonly isTyped: boolean;
  readonly signal: AbortSignal;
  onAsk(question: Question): Promise<void>;
  onAnswer(question: Question, answer: Answer, origin: string): Promise<void>;
};

export type GrantsKept = Pick<GrantStore, 'list' | 'add' | 'used'>;

export type ApprovalOptions = {
  /** Hours after which allowances end by themselves. Omitted: they hold as long as their scope says. */
  readonly grantHours?: number | undefined;
  readonly newId?: () => string;
  readonly now?: () => Date;
};

export type Approvals = {
  /** What holds for the tool in the conversation now, by what it covers. Looked up anew each time: others revoke too. */
  granted(tool: string, conversationId: string): Promise<ReadonlyMap<string, Grant>>;
  /** Counts a use of each. */
  used(grants: readonly Grant[]): Promise<void>;
  /** Turns a decision into allow or deny. Rejects with ToolFailure('cancelled') when the signal fires meanwhile. */
  settle(decision: DecisionWithScopes, call: CallToApprove, attendant: Attendant): Promise<Decision>;
};

export function createApprovals(store: GrantsKept, options: ApprovalOptions = {}): Approvals {
  const { grantHours, newId = randomUUID, now = () => new Date() } = options;
  return {
    async granted(tool, conversationId) {
      const at = now().toISOString();
      const grants = (await store.list(conversationId)).filter(
        (grant) => grant.tool === tool && (grant.expiresAt === undefined || grant.expiresAt > at),
      );
      // Oldest first, so of equal ones the newest stays.
      return new Map(grants.map((grant) => [grant.pattern, grant]));
    },
    used: (grants) => store.used([...new Set(grants.map((grant) => grant.id))], now().toISOString()),

    async settle(decision, call, attendant) {
      if (decision.verdict !== 'ask')
        return { verdict: decision.verdict, reason: decision.reason, isHard: decision.isHard === true };
      if (attendant.isTyped) return { verdict: 'allow', reason: 'you typed it' };
      if (attendant.approve === 'all')
        return { verdict: 'allow', reason: 'every question was approved for this run (--approve all)' };
      if (attendant.approve === 'none' || attendant.asker === undefined) {
        return { verdict: 'deny', reason: `it needs a yes (${decision.reason}), and nobody is here to give it` };
      }
      const question = makeQuestion(decision, call, newId());
      await attendant.onAsk(question);
      const answer = await attendant.asker.ask(question, attendant.signal);
      if (attendant.signal.aborted) throw new ToolFailure('cancelled', 'Stopped before the question was answered.');
      const accepted = acceptable(answer, question);
      await attendant.onAnswer(question, accepted, attendant.asker.origin);
      if (accepted.verdict === 'deny') return { verdict: 'deny', reason: accepted.reason ?? 'you said no' };
      if (accepted.scope !== 'once') await keepGrants(accepted.scope, decision, call, attendant.asker.origin);
      return {
        verdict: 'allow',
        reason: accepted.scope === 'once' ? 'you allowed it once' : `you allowed it (${accepted.scope})`,
      };
    },
  };

  async function keepGrants(
    scope: 'conversation' | 'always',
    decision: DecisionWithScopes,
    call: CallToApprove,
    origin: string,
  ): Promise<void> {
    const at = now();
    const expiresAt = grantHours === undefined ? undefined : new Date(at.getTime() + grantHours * 3_600_000);
    for (const pattern of new Set(decision.asked.flatMap(patternsFor))) {
      await store.add({
        id: newId(),
        tool: call.tool,
        pattern,
        scope,
        conversationId: scope === 'conversation' ? call.conversation.id : undefined,
        origin,
        createdAt: at.toISOString(),
        ...(expiresAt === undefined ? {} : { expiresAt: expiresAt.toISOString() }),
      });
    }
  }
}

/** A scope that was not offered is a no: a face may not widen what was asked. */
function acceptable(answer: Answer, question: Question): Answer {
  if (answer.verdict !== 'allow' || question.scopes.includes(answer.scope)) return answer;
  return { verdict: 'deny', reason: `the answer "${answer.scope}" was not offered for this question` };
}

function makeQuestion(decision: DecisionWithScopes, call: CallToApprove, id: string): Question {
  return {
    id,
    callId: call.callId,
    conversationId: call.conversation.id,
    tool: call.tool,
    title: call.title,
    summary: call.summary,
    reason: decision.reason,
    input: call.input,
    accesses: decision.asked,
    isDangerous: decision.asked.some((access) => access.kind === 'command' && access.isDangerous),
    // In a throw-away conversation nothing comes afterwards.
    scopes: call.conversation.isThrowaway ? ['once'] : decision.scopes,
    ...(call.preview === undefined ? {} : { preview: call.preview }),
    hash: approvalHash(call),
  };
}

/** What an answer is bound to. */
export function approvalHash(call: Pick<CallToApprove, 'tool' | 'input' | 'preview' | 'conversation'>): string {
  const facts = [call.tool, call.input, call.preview ?? null, call.conversation.workspace, call.conversation.id];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}
