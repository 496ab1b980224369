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
  readonly error?: { readonly kind: string; readonly message: string };
};

/** Runs until the turn is over and says how it ended. Rejects only when an event cannot be written. */
export async function runTurn(turn: TurnParts): Promise<TurnEnd> {
  let { rounds, usage } = turn.before ?? { rounds: 0, usage: noUsage };
  const stopRules = createStopRules(turn.maxRounds, rounds);
  let lastText = '';
  const over = lastWords(turn);
  if (over !== undefined) return endOf(over, { rounds, usage });
  try {
    const spent = stopRules.beforeFirstRound();
    if (spent !== undefined) return await lastAnswer(turn, spent, { rounds, usage });
    for (;;) {
      rounds += 1;
      const result = await step(turn, rounds, await turn.offeredTools());
      usage = addUsage(usage, result.usage);
      lastText = textOf(result.message) || lastText;
      const calls = callsOf(result.message);
      if (calls.length === 0) return endOf(result, { rounds, usage });
      await answerCalls(turn, calls);
      if (turn.context.signal.aborted) return { reason: 'stopped', answer: lastText, rounds, usage };
      const stop = stopRules.afterRound(await withPolls(turn, calls));
      if (stop !== undefined) return await lastAnswer(turn, stop, { rounds, usage });
    }
  } catch (error) {
    if (turn.context.signal.aborted) {
      return { reason: 'stopped', answer: interruptedText(turn) || lastText, rounds, usage };
    }
    if (error instanceof ModelFailure) {
      return { reason: 'failed', answer: lastText, rounds, usage, error: { kind: error.kind, message: error.message } };
    }
    throw error;
  }
}

async function answerCalls(turn: TurnParts, calls: readonly CallPart[]): Promise<void> {
  const outcomes = await turn.executeCalls(
    calls.map((call) => ({ callId: call.callId, tool: call.tool, input: call.input, origin: 'model' })),
    turn.context,
  );
  turn.messages.push(toolMessage(calls, outcomes));
}

/** One request without tools, for the best answer so far. */
async function lastAnswer(
  turn: TurnParts,
  stop: StopRule,
  sofar: { readonly rounds: number; readonly usage: Usage },
): Promise<TurnEnd> {
  const forModel = `No more tool calls are possible in this turn (${stop.text}). Answer now, in text, as well as you can with what you have found; say what is unfinished.`;
  await turn.record({ type: 'note', text: `Stopped calling tools: ${stop.text}.`, forModel });
  turn.messages.push({ role: 'user', parts: [{ type: 'text', text: forModel }] });
  const result = await step(turn, sofar.rounds + 1, []);
  return {
    reason: stop.reason,
    answer: textOf(result.message),
    rounds: sofar.rounds + 1,
    usage: addUsage(sofar.usage, result.usage),
  };
}

/** The answer of a turn that was cut off when only its end was missing: nothing is left to ask. */
function lastWords({ before, messages }: TurnParts): Pick<StepResult, 'message' | 'finish'> | undefined {
  const message = messages.at(-1);
  if (before?.finish === undefined || message?.role !== 'assistant' || callsOf(message).length > 0) return undefined;
  return { message, finish: before.finish };
}

function endOf(
  result: Pick<StepResult, 'message' | 'finish'>,
  sofar: { readonly rounds: number; readonly usage: Usage },
): TurnEnd {
  const answer = textOf(result.message);
  if (result.finish === 'stopped') return { reason: 'stopped', answer, ...sofar };
  if (result.finish === 'refused') {
    return {
      reason: 'failed',
      answer,
      ...sofar,
      error: { kind: 'refused', message: 'The model refused to answer this.' },
    };
  }
  if (result.finish === 'length') {
    return {
      reason: 'failed',
      answer,
      ...sofar,
      error: { kind: 'length', message: "The answer was cut at the model's output limit. Ask it to go on." },
    };
  }
  if (answer.trim() === '') {
    return {
      reason: 'failed',
      answer,
      ...sofar,
      error: { kind: 'empty', message: 'The model ended its turn without an answer. Ask again, or say "go on".' },
    };
  }
  return { reason: 'answer', answer, ...sofar };
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
