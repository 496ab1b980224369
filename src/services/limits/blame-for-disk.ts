/** Finds who is to be ended when a disk has become too full: a disk is everybody's, and many commands may be looked at. */
import { descendantsOf, listProcesses, type ProcessEntry } from '../shell/process-tree.ts';
import { rememberAnew, type Verdict } from './look-at-disks.ts';
import { processorTicksOf, writtenBy } from './memory-use.ts';
import type { Watched, Work } from './watched-command.ts';

const isYoungMs = 60_000;

/** What has run for long, or does not run, may have nothing to do with what became of it. */
const isLikely = ({ entry, isOwn }: Verdict): boolean =>
  isOwn || (entry.every === 1 && performance.now() - entry.beganAtMs < isYoungMs);

/** Whether it does anything must show first. */
export const needsSecondLook = (verdict: Verdict): boolean =>
  !isLikely(verdict) && verdict.entry.suspicion === undefined;

/** What those that are beyond a limit have done so far. */
export function suspect(verdicts: readonly Verdict[]): void {
  const alive = listProcesses();
  for (const { entry } of verdicts) entry.suspicion = workOf(entry, alive);
}

function workOf({ request }: Watched, alive: readonly ProcessEntry[]): Work {
  const tree = descendantsOf(request.pid, alive);
  return {
    writtenBytes: tree.reduce((sum, { pid }) => sum + writtenBy(pid), 0),
    processorTicks: tree.reduce((sum, { pid }) => sum + processorTicksOf(pid), 0),
  };
}

/**
 * One that has done nothing since it was suspected is not to blame. Of several that fill one disk, the one that wrote most is
 * ended, and the others start counting anew.
 */
export async function endTooGreedy(found: readonly Verdict[]): Promise<void> {
  const verdicts = found.filter(({ entry }) => !entry.isOver);
  if (verdicts.length === 0) return;
  const alive = listProcesses();
  const judged = verdicts.map((verdict) => ({ verdict, work: workOf(verdict.entry, alive) }));
  for (const sameDisk of Map.groupBy(judged, ({ verdict }) => verdict.disk).values()) {
    const busy = sameDisk.filter(({ verdict, work }) => isLikely(verdict) || hasWorked(verdict.entry.suspicion, work));
    const greediest = busy.toSorted((left, right) => right.work.writtenBytes - left.work.writtenBytes)[0];
    for (const each of sameDisk) {
      if (each === greediest) end(each.verdict);
      else if (busy.length > 0) await rememberAnew(each.verdict.entry);
      else each.verdict.entry.suspicion = each.work;
    }
  }
}

const hasWorked = (before: Work | undefined, now: Work): boolean =>
  before !== undefined && (now.writtenBytes > before.writtenBytes || now.processorTicks > before.processorTicks);

function end({ entry, note }: Verdict): void {
  if (entry.isOver) return;
  entry.isOver = true;
  entry.request.onExceeded(note);
}
