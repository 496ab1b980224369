/** Keeps the requests of one turn within the model's window: first by a summary of what is old, then by leaving it out. */
import { estimateTokens } from '../../base/estimate-tokens.ts';
import type { Budget } from '../../contract/budget.ts';
import type { Recorder } from '../../contract/event.ts';
import type { ModelClient, ModelInfo } from '../../contract/model.ts';
import type { ContextWindow, FittedRequest, PlannedRequest } from '../../loop/turn.ts';
import type { ContextEntry } from '../context-list.ts';
import type { ConversationContext } from '../fold-context.ts';
import { chooseTrim, type TrimGoal } from './choose-trim.ts';
import { compact } from './compact.ts';
import { createToolCounter, tokensOf } from './count-tokens.ts';
import { explainOverflow } from './explain-overflow.ts';
import { limitsOf } from './limits.ts';

export type ContextWindowParts = {
  readonly context: ConversationContext;
  readonly model: ModelClient;
  readonly budget: Budget | undefined;
};

/** A refusal of a request smaller than this tells nothing about the window. */
const tellingTokens = 2_000;

/** All counts in here are our own, the window's limits too: the model's figures are divided by what its own counts say of ours. */
export function createContextWindow(parts: ContextWindowParts): ContextWindow {
  const { context, model } = parts;
  const { info } = model;
  const countTools = createToolCounter();
  const sizeOfEntry = ({ size }: Pick<ContextEntry, 'size'>) => tokensOf(size, info.acceptsImages);

  const ratio = () => context.calibration.ratio(info.id);
  const windowTokens = (of: ModelInfo = info) => {
    const refused = context.calibration.refused(of.id);
    return Math.min(of.contextWindow / ratio(), refused < tellingTokens ? Number.POSITIVE_INFINITY : refused);
  };
  const limitsFor = (of: ModelInfo) =>
    limitsOf({ contextWindow: windowTokens(of), maxOutputTokens: of.maxOutputTokens / ratio() });
  /** What the first model of a chain cannot take goes to the one with the most room: for that one alone messages are left out. */
  const roomiest =
    [...(model.chain ?? [info])].sort((left, right) => right.contextWindow - left.contextWindow)[0] ?? info;
  const limits = () => ({ ...limitsFor(roomiest), compactAbove: limitsFor(info).compactAbove });

  const fixedSize = ({ system, tools }: PlannedRequest) => estimateTokens(system) + countTools(tools);
  const ownSize = () => tokensOf(context.size, info.acceptsImages);

  function fitted(request: PlannedRequest, hasCompacted: boolean): FittedRequest {
    const roughTokens = fixedSize(request) + ownSize();
    return { roughTokens, estimatedTokens: Math.ceil(roughTokens * ratio()), hasCompacted };
  }

  async function trim(fixed: number, bounds: Omit<TrimGoal, 'tokensOf'>, record: Recorder, refused?: number) {
    const choice = chooseTrim(context.entries, {
      goal: bounds.goal - fixed,
      most: bounds.most - fixed,
      tokensOf: sizeOfEntry,
    });
    if (choice === undefined) return false;
    const text = `The oldest messages no longer fit into the window of ${roomiest.id} (${roomiest.contextWindow} tokens) and are not sent any more. The history still has them.`;
    const told = refused === undefined ? {} : { refused: { model: info.id, roughTokens: refused } };
    await record({ type: 'trim', ...choice, text, ...told });
    return true;
  }

  function overflow(request: PlannedRequest) {
    const last = context.entries.findLast(({ kind }) => kind === 'exchange');
    const theirs = (tokens: number) => Math.ceil(tokens * ratio());
    const message = last === undefined ? 0 : sizeOfEntry(last);
    return explainOverflow({
      model: roomiest,
      system: request.system,
      systemTokens: theirs(estimateTokens(request.system)),
      toolTokens: theirs(countTools(request.tools)),
      messageTokens: theirs(message),
      images: last?.size.images ?? 0,
      otherTokens: theirs(ownSize() - message),
    });
  }

  return {
    async fit(request, record, signal) {
      const fixed = fixedSize(request);
      const { compactAbove, trimAbove, trimTo, failAbove } = limits();
      const hasCompacted =
        fixed + ownSize() > compactAbove &&
        (await compact({ ...parts, windowTokens: windowTokens(), mostTokens: trimAbove }, record, signal));
      if (fixed + ownSize() > trimAbove) {
        const isTrimmed = await trim(fixed, { goal: trimTo, most: trimAbove }, record);
        // Better a short answer than none.
        if (!isTrimmed) await trim(fixed, { goal: trimAbove, most: failAbove }, record);
        if (fixed + ownSize() > failAbove) throw overflow(request);
      }
      return fitted(request, hasCompacted);
    },
    async shrink(request, { roughTokens }, record) {
      const bounds = { goal: roughTokens / 2, most: roughTokens * 0.8 };
      return (await trim(fixedSize(request), bounds, record, roughTokens)) ? fitted(request, false) : undefined;
    },
  };
}
