/** The loop between a model and its tools: step, calls, results, step … until it answers or a stop rule says so. */
import { ModelFailure } from '../contract/failure.ts';
import type { AssistantMessage, CallPart } from '../contract/message.ts';
import { noUsage } from './add-usage.ts';
import { answerCalls } from './answer-calls.ts';
import { countSpending } from './count-spending.ts';
import { step, type StepResult } from './step.ts';
import { createStopRules, type StopRule } from './stop-rules.ts';
import { endOf, endOfFailure, endOfStopped, textOf, type TurnEnd } from './turn-end.ts';
import type { TurnParts } from './turn.ts';

/** Runs until the turn is over and says how it ended. Rejects only when an event cannot be written. */
export async function runTurn(parts: TurnParts): Promise<TurnEnd> {
  const { rounds: roundsBefore = 0, usage = noUsage, costUsd } = parts.before ?? {};
  const meter = countSpending(parts.record, { usage, ...(costUsd === undefined ? {} : { costUsd }) });
  const turn = { ...parts, record: meter.record };
  const progress = { rounds: roundsBefore, text: '' };
  const ending = await runRounds(turn, progress).catch((error: unknown) => {
    if (turn.context.signal.aborted) {
      return { reason: 'stopped', answer: interruptedText(turn) || progress.text } as const;
    }
    if (error instanceof ModelFailure) return endOfFailure(error, progress.text);
    throw error;
  });
  return { ...ending, rounds: progress.rounds, ...meter.spent };
}

type Progress = { rounds: number; text: string };
type Ending = ReturnType<typeof endOf>;

async function runRounds(turn: TurnParts, progress: Progress): Promise<Ending> {
  const stopRules = createStopRules(turn.maxRounds, progress.rounds);
  const over = lastWords(turn);
  if (over !== undefined) return endOf(over);
  const usedUp = stopRules.beforeFirstRound();
  if (usedUp !== undefined) return lastAnswer(turn, usedUp, progress);
  let wasEmpty = false;
  for (;;) {
    progress.rounds += 1;
    const result = await step(turn, progress.rounds);
    progress.text = textOf(result.message) || progress.text;
    const calls = callsOf(result.message);
    if (calls.length === 0) {
      const ending = endOf(result);
      if (ending.error?.kind !== 'empty' || wasEmpty) return ending;
      wasEmpty = true;
      await turn.record({ type: 'note', text: 'The answer was empty: asking once more.', forModel: emptyText });
      continue;
    }
    const answered = await answerCalls(turn, calls);
    if (turn.context.signal.aborted) return { reason: 'stopped', answer: progress.text };
    const stop = stopRules.afterRound(answered);
    if (stop !== undefined) return lastAnswer(turn, stop, progress);
  }
}

const emptyText = '(Your answer was empty. Answer in text, or call a tool.)';

/** One request without tools, for the best answer so far. */
async function lastAnswer(turn: TurnParts, stop: StopRule, progress: Progress): Promise<Ending> {
  const forModel = `No more tool calls are possible in this turn (${stop.text}). Answer now, in text, as well as you can with what you have found; say what is unfinished.`;
  await turn.record({ type: 'note', text: `Stopped calling tools: ${stop.text}.`, forModel });
  progress.rounds += 1;
  return endOfStopped(stop, await step(turn, progress.rounds, false), progress.text);
}

/** The answer of a turn that was cut off when only its end was missing: nothing is left to ask. */
function lastWords({ before, messages }: TurnParts): StepResult | undefined {
  const message = messages.at(-1);
  if (before?.finish === undefined || message?.role !== 'assistant' || callsOf(message).length > 0) return undefined;
  return { message, finish: before.finish };
}

/** What had arrived of an answer when it was stopped: the step has kept it as the last message. */
function interruptedText({ messages }: TurnParts): string {
  const last = messages.at(-1);
  return last?.role === 'assistant' ? textOf(last) : '';
}

const callsOf = (message: AssistantMessage): readonly CallPart[] =>
  message.parts.filter((part) => part.type === 'call');
