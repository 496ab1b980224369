/** What happens on the network while calls run: who can be asked, and what their results must say. */
import type { Refusal } from './decide-host.ts';
import type { HostAsker } from './host-questions.ts';
import { describeTarget, type Target } from './read-target.ts';

/** What happens while one call of the conversation runs. */
export type CallWatch = {
  /** Sentences for the call's result: what was refused to it. */
  notes(): readonly string[];
  end(): void;
};

export type CallWatches = {
  /** `onNote`: there is a sentence more. */
  open(asker?: HostAsker, onNote?: () => void): CallWatch;
  /** Of the call that began last: its person is there now. */
  asker(): HostAsker | undefined;
  refused(target: Target, refusal: Refusal): void;
  note(sentence: string): void;
};

type OpenWatch = {
  readonly asker: HostAsker | undefined;
  readonly onNote: (() => void) | undefined;
  readonly notes: Set<string>;
  count: number;
};

const maxNotes = 5;

export function createCallWatches(): CallWatches {
  const open = new Set<OpenWatch>();

  function note(sentence: string): void {
    for (const watch of open) {
      watch.count += 1;
      if (watch.notes.size >= maxNotes || watch.notes.has(sentence)) continue;
      watch.notes.add(sentence);
      watch.onNote?.();
    }
  }

  return {
    asker: () => [...open].findLast((watch) => watch.asker !== undefined)?.asker,
    note,
    refused: (target, { reason, advice }) => note(`network: refused ${describeTarget(target)} (${reason}). ${advice}`),
    open(asker, onNote) {
      const watch: OpenWatch = { asker, onNote, notes: new Set(), count: 0 };
      open.add(watch);
      return {
        notes() {
          const isMore = watch.notes.size === maxNotes && watch.count > maxNotes;
          return [...watch.notes, ...(isMore ? [`network: ${watch.count} connections were refused in all.`] : [])];
        },
        end: () => void open.delete(watch),
      };
    },
  };
}
