/** Why a request cannot fit, with figures and with what to do about the largest part of it. */
import { estimateTokens } from '../../base/estimate-tokens.ts';
import { ModelFailure } from '../../contract/failure.ts';
import type { ModelInfo } from '../../contract/model.ts';
import { projectTextOf } from '../../loop/system-prompt.ts';

export type Shares = {
  readonly model: ModelInfo;
  readonly system: string;
  /** All in the provider's tokens, as far as they are known. */
  readonly systemTokens: number;
  readonly toolTokens: number;
  readonly messageTokens: number;
  readonly images: number;
  readonly otherTokens: number;
};

export function explainOverflow(shares: Shares): ModelFailure {
  const { model, systemTokens, toolTokens, messageTokens, otherTokens, images } = shares;
  const projectTokens = Math.min(estimateTokens(projectTextOf(shares.system)), systemTokens);
  const fixed = systemTokens + toolTokens;
  const seen = images === 0 ? '' : ` with ${images === 1 ? 'an image' : `${images} images`}`;
  const figures = [
    `Your message${seen} takes about ${messageTokens} tokens`,
    `what goes with every request ${fixed} (tools ${toolTokens}, the workspace's AGENTS.md ${projectTokens}, other instructions ${systemTokens - projectTokens})`,
    ...(otherTokens > 0 ? [`what came since then ${otherTokens}`] : []),
  ].join(', ');
  const text = `This does not fit into the window of ${model.id}, which is ${model.contextWindow} tokens: ${figures}.`;
  return new ModelFailure('context_overflow', `${text} ${adviceFor(shares, projectTokens)}`);
}

function adviceFor({ messageTokens, toolTokens, otherTokens }: Shares, projectTokens: number): string {
  const most = Math.max(messageTokens, toolTokens, projectTokens, otherTokens);
  const larger =
    'or choose a model with a larger window (if this one has it, name it as "contextWindow" of its service in settings.json)';
  if (most === messageTokens) return `Shorten the message or put it into a file that is read in parts, ${larger}.`;
  if (most === projectTokens) return `Shorten AGENTS.md, ${larger}.`;
  if (most === toolTokens) return `Switch tools off in settings.json (tool_enabled_<name>: false), ${larger}.`;
  return `Ask again in a new conversation, ${larger}.`;
}
