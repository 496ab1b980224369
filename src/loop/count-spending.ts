/** What a turn takes, summed from its events, so that it is the same as a fold over the journal gives. */
import type { Recorder } from '../contract/event.ts';
import { addUsage } from './add-usage.ts';
import type { Spent } from './turn-end.ts';

export type SpendingMeter = { readonly record: Recorder; readonly spent: Pick<Spent, 'usage' | 'costUsd'> };

export function countSpending(record: Recorder, before: SpendingMeter['spent']): SpendingMeter {
  let spent = before;
  return {
    async record(event, options) {
      await record(event, options);
      if (event.type !== 'model-end' && event.type !== 'compaction' && event.type !== 'compaction-failed') return;
      const costUsd = event.costUsd === undefined ? spent.costUsd : (spent.costUsd ?? 0) + event.costUsd;
      spent = { usage: addUsage(spent.usage, event.usage), ...(costUsd === undefined ? {} : { costUsd }) };
    },
    get spent() {
      return spent;
    },
  };
}
