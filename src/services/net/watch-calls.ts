/** What happens on the network while calls run: who can be asked, and what their results must say. */
import type { Refusal } from './decide-host.ts';
import type { HostAsker } from './host-questions.ts';
import { describeTarget, type Target } from './read-target.ts';

/** What happens while one call of the conversation runs. */
export type CallWatch = {
  /** Sentences for the call's result: what was refused to it. */
  notes(): readonly string[];
  /** Hosts that answered while it was open. */
  reached(): readonly string[];
  end(): void;
};

export type CallWatches = {
  /** `onNote`: there is a sentence more. */
  open(asker?: HostAsker, onNote?: () => void): CallWatch;
  /** Of the call that began last: its person is there now. */
  asker(): HostAsker | undefined;
  /** The same, also when that call has ended: what it started may go on. */
  lastAsker(): HostAsker | undefined;
  reached(target: Target): void;
  refused(target: Target, refusal: Refusal): void;
  note(sentence: string): void;
};

type OpenWatch = {
  readonly asker: HostAsker | undefined;
  readonly onNote: (() => void) | undefined;
  readonly notes: Set<string>;
  readonly hosts: Set<string>;
  count: number;
};

const maxNotes = 5;
const maxHosts = 20;

export function createCallWatches(): CallWatches {
  const open = new Set<OpenWatch>();
  let last: HostAsker | undefined;

  function note(sentence: string): void {
    for (const watch of open) {
      watch.count += 1;
      if (watch.notes.size >= maxNotes || watch.notes.has(sentence)) continue;
      watch.notes.add(sentence);
      watch.onNote?.();
    }
  }

  const currentAsker = (): HostAsker | undefined => [...open].findLast((watch) => watch.asker !== undefined)?.asker;
  return {
    asker: currentAsker,
    lastAsker: () => currentAsker() ?? last,
    note,
    reached(target) {
      for (const { hosts } of open) if (hosts.size < maxHosts) hosts.add(target.host);
    },
    refused: (target, { reason, advice }) => note(`network: refused ${describeTarget(target)} (${reason}). ${advice}`),
    open(asker, onNote) {
      const watch: OpenWatch = { asker, onNote, notes: new Set(), hosts: new Set(), count: 0 };
      open.add(watch);
      last = asker ?? last;
      return {
        reached: () => [...watch.hosts],
        notes() {
          const isMore = watch.notes.size === maxNotes && watch.count > maxNotes;
          return [...watch.notes, ...(isMore ? [`network: ${watch.count} connections were refused in all.`] : [])];
        },
        end: () => void open.delete(watch),
      };
    },
  };
}
