/** What a turn has taken, in one short line. */
import { dollarText } from '../../base/dollar-text.ts';
import type { Usage } from '../../contract/model.ts';
import { showTokens } from './amounts.ts';

/** "4.1k tokens · $0.0210"; without dollars where no price is known. */
export function spentText({ usage, costUsd }: { readonly usage: Usage; readonly costUsd?: number }): string {
  const tokens = showTokens(usage.inputTokens + usage.outputTokens);
  return costUsd === undefined ? tokens : `${tokens} · ${dollarText(costUsd)}`;
}
