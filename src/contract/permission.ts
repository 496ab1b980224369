/** Questions, answers and decisions: what passes between the executor, the permission rules and a person. */
import type { ResolvedAccess } from './access.ts';
import type { View } from './output.ts';

/** How far an allowance reaches. `once`: this very call. `conversation`: like calls until the conversation ends. `always`: until revoked. */
export type GrantScope = 'once' | 'conversation' | 'always';

export type Decision = {
  readonly verdict: 'allow' | 'ask' | 'deny';
  /** One plain sentence, shown to people and, when denied, to the model. */
  readonly reason: string;
  /** True when no grant, rule, flag or person can lift it. */
  readonly isHard?: boolean;
};

/** What a person sees before deciding. Bytes shown are the bytes run. */
export type Question = {
  readonly id: string;
  readonly callId: string;
  readonly conversationId: string;
  readonly tool: string;
  readonly title: string;
  /** One line by the tool: what this call does. */
  readonly summary: string;
  /** Why it is asked. */
  readonly reason: string;
  /** The exact arguments as JSON text, unescaped; faces escape control and invisible characters. */
  readonly input: string;
  readonly accesses: readonly ResolvedAccess[];
  readonly isDangerous: boolean;
  /** The scopes that may be offered; dangerous calls offer `once` only. */
  readonly scopes: readonly GrantScope[];
  readonly preview?: View;
  /** sha256 over tool, arguments, preview, folder and conversation: what the answer is bound to. */
  readonly hash: string;
};

export type Answer =
  | { readonly verdict: 'allow'; readonly scope: GrantScope }
  | { readonly verdict: 'deny'; readonly reason?: string };

/** A face that can ask a person. It rejects with ToolFailure('cancelled') when the signal fires. */
export type Asker = {
  /** Recorded with the answer: 'terminal', 'web', 'mcp-elicitation' … */
  readonly origin: string;
  ask(question: Question, signal: AbortSignal): Promise<Answer>;
};

/** An allowance kept for like calls. `pattern` is what it covers, made by permission/grants from the question. */
export type Grant = {
  readonly id: string;
  readonly tool: string;
  readonly pattern: string;
  readonly scope: Exclude<GrantScope, 'once'>;
  /** Undefined when the scope is `always`. */
  readonly conversationId: string | undefined;
  readonly origin: string;
  readonly createdAt: string;
  /** It allows nothing from then on. Omitted: it holds as long as its scope says. */
  readonly expiresAt?: string;
  /** When it last allowed something. Omitted: never yet. */
  readonly usedAt?: string;
  /** How often. Omitted: never yet. */
  readonly uses?: number;
};

/** `ask`: ask a person where there is one, else deny. `all`: yes to everything but hard denials. `none`: every question is a no. */
export type ApproveMode = 'all' | 'ask' | 'none';
