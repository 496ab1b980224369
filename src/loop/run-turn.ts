/** The loop between a model and its tools: step, calls, results, step … until it answers or a stop rule says so. */
import type { TurnEndReason } from '../contract/event.ts';
import { ModelFailure } from '../contract/failure.ts';
import type { AssistantMessage, CallPart } from '../contract/message.ts';
import type { Usage } from '../contract/model.ts';
import { toolMessage } from './tool-message.ts';
import { addUsage, noUsage } from './add-usage.ts';
import { step, type StepResult } from './step.ts';
import { createStopRules, type StopRule } from './stop-rules.ts';
import type { TurnParts } from './turn.ts';

export type TurnEnd = {
  readonly reason: TurnEndReason;
  readonly answer: string;
  readonly rounds: number;
  readonly usage: Usage;
  readonly costUsd?: number;
  readonly error?: { readonly kind: string; readonly message: string };
};

/** What a turn has taken so far. */
type Spent = Pick<TurnEnd, 'rounds' | 'usage' | 'costUsd'>;

/** Runs until the turn is over and says how it ended. Rejects only when an event cannot be written. */
export async function runTurn(turn: TurnParts): Promise<TurnEnd> {
  const { rounds = 0, usage = noUsage, costUsd } = turn.before ?? {};
  let spent: Spent = { rounds, usage, ...(costUsd === undefined ? {} : { costUsd }) };
  const stopRules = createStopRules(turn.maxRounds, rounds);
  let lastText = '';
  const over = lastWords(turn);
  if (over !== undefined) return endOf(over, spent);
  try {
    const usedUp = stopRules.beforeFirstRound();
    if (usedUp !== undefined) return await lastAnswer(turn, usedUp, spent);
    for (;;) {
      spent = { ...spent, rounds: spent.rounds + 1 };
      const result = await step(turn, spent.rounds, await turn.offeredTools());
      spent = withResult(spent, result);
      lastText = textOf(result.message) || lastText;
      const calls = callsOf(result.message);
      if (calls.length === 0) return endOf(result, spent);
      await answerCalls(turn, calls);
      if (turn.context.signal.aborted) return { reason: 'stopped', answer: lastText, ...spent };
      const stop = stopRules.afterRound(await withPolls(turn, calls));
      if (stop !== undefined) return await lastAnswer(turn, stop, spent);
    }
  } catch (error) {
    if (turn.context.signal.aborted) {
      return { reason: 'stopped', answer: interruptedText(turn) || lastText, ...spent };
    }
    if (error instanceof ModelFailure) {
      const { kind, message } = error;
      return { reason: kind === 'budget' ? 'budget' : 'failed', answer: lastText, ...spent, error: { kind, message } };
    }
    throw error;
  }
}

function withResult(spent: Spent, { usage, costUsd }: StepResult): Spent {
  const cost = costUsd === undefined ? spent.costUsd : (spent.costUsd ?? 0) + costUsd;
  return { ...spent, usage: addUsage(spent.usage, usage), ...(cost === undefined ? {} : { costUsd: cost }) };
}

async function answerCalls(turn: TurnParts, calls: readonly CallPart[]): Promise<void> {
  const outcomes = await turn.executeCalls(
    calls.map((call) => ({ callId: call.callId, tool: call.tool, input: call.input, origin: 'model' })),
    turn.context,
  );
  turn.messages.push(toolMessage(calls, outcomes));
}

/** One request without tools, for the best answer so far. */
async function lastAnswer(turn: TurnParts, stop: StopRule, spent: Spent): Promise<TurnEnd> {
  const forModel = `No more tool calls are possible in this turn (${stop.text}). Answer now, in text, as well as you can with what you have found; say what is unfinished.`;
  await turn.record({ type: 'note', text: `Stopped calling tools: ${stop.text}.`, forModel });
  turn.messages.push({ role: 'user', parts: [{ type: 'text', text: forModel }] });
  const rounds = spent.rounds + 1;
  const result = await step(turn, rounds, []);
  return { reason: stop.reason, answer: textOf(result.message), ...withResult({ ...spent, rounds }, result) };
}

/** The answer of a turn that was cut off when only its end was missing: nothing is left to ask. */
function lastWords({ before, messages }: TurnParts): Pick<StepResult, 'message' | 'finish'> | undefined {
  const message = messages.at(-1);
  if (before?.finish === undefined || message?.role !== 'assistant' || callsOf(message).length > 0) return undefined;
  return { message, finish: before.finish };
}

function endOf(result: Pick<StepResult, 'message' | 'finish'>, spent: Spent): TurnEnd {
  const answer = textOf(result.message);
  if (result.finish === 'stopped') return { reason: 'stopped', answer, ...spent };
  if (result.finish === 'refused') {
    return {
      reason: 'failed',
      answer,
      ...spent,
      error: { kind: 'refused', message: 'The model refused to answer this.' },
    };
  }
  if (result.finish === 'length') {
    return {
      reason: 'failed',
      answer,
      ...spent,
      error: { kind: 'length', message: "The answer was cut at the model's output limit. Ask it to go on." },
    };
  }
  if (answer.trim() === '') {
    return {
      reason: 'failed',
      answer,
      ...spent,
      error: { kind: 'empty', message: 'The model ended its turn without an answer. Ask again, or say "go on".' },
    };
  }
  return { reason: 'answer', answer, ...spent };
}

async function withPolls(turn: TurnParts, calls: readonly CallPart[]): Promise<(CallPart & { polls: boolean })[]> {
  return Promise.all(calls.map(async (call) => ({ ...call, polls: await turn.polls(call.tool, call.input) })));
}

/** What had arrived of an answer when it was stopped: the step has kept it as the last message. */
function interruptedText({ messages }: TurnParts): string {
  const last = messages.at(-1);
  return last?.role === 'assistant' ? textOf(last) : '';
}

const callsOf = (message: AssistantMessage): readonly CallPart[] =>
  message.parts.filter((part) => part.type === 'call');

const textOf = (message: AssistantMessage): string =>
  message.parts
    .filter((part) => part.type === 'text')
    .map((part) => part.text)
    .join('');
