/** What a terminal has to do with the network: who is asked about new hosts while a call runs, and what was refused otherwise. */
import type { Network } from '../net/create-network.ts';
import type { HostAsker } from '../net/host-questions.ts';
import type { CallWatch } from '../net/watch-calls.ts';

export type TerminalNetwork = {
  /** From now on this one can be asked, until what is given back is called. */
  attend(asker: HostAsker): () => void;
  /** Its program waits for the network to answer, and not for keys. */
  isConnecting(): boolean;
  /** Sentences since it was asked last: what was refused. */
  takeNotes(): readonly string[];
  /** Its program has ended. What was refused can still be taken. */
  end(): void;
};

/** `opener`: who can be asked until the first one attends. `id`: whose network it is. */
export function watchTerminal(
  network: Network | undefined,
  id: string,
  opener: HostAsker | undefined,
): TerminalNetwork {
  let opening: CallWatch | undefined = opener === undefined ? undefined : network?.watch(id, opener);
  let standing = network?.watch(id);
  const kept: string[] = [];
  return {
    attend(asker) {
      const watch = network?.watch(id, asker);
      opening?.end();
      opening = undefined;
      return () => watch?.end();
    },
    isConnecting: () => network?.isConnecting(id) === true,
    takeNotes() {
      if (standing !== undefined) {
        kept.push(...standing.notes());
        standing.end();
        standing = network?.watch(id);
      }
      return kept.splice(0);
    },
    end() {
      opening?.end();
      kept.push(...(standing?.notes() ?? []));
      standing?.end();
      standing = undefined;
    },
  };
}
