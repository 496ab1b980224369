/** Ties a call to the network of its conversation while it runs: who is asked about new hosts, and what was refused. */
import { isBehindProxy } from '../../base/rung-isolation.ts';
import type { CallScope, Rung } from '../../contract/services.ts';
import type { Network } from '../net/create-network.ts';
import type { CallWatch } from '../net/watch-calls.ts';
import type { CallClock } from './call-clock.ts';

/** Hosts that answer, and a network that nobody watches, are noted as strangers whose text the result may hold. */
export function watchNetwork(network: Network | undefined, scope: CallScope, rung: Rung, clock: CallClock): CallWatch {
  const { request, holds } = scope;
  if (!isBehindProxy(rung)) scope.noteStranger?.('a command that has the network of the machine');
  if (network === undefined) return { notes: () => [], reached: () => [], end: () => undefined };
  const asker =
    request === undefined
      ? undefined
      : {
          request,
          ...(holds === undefined ? {} : { holds }),
          onQuestion: (isOpen: boolean) => (isOpen ? clock.pause() : clock.resume()),
        };
  const watch = network.watch(scope.conversation.id, asker);
  return {
    ...watch,
    end() {
      for (const host of watch.reached()) scope.noteStranger?.(host);
      watch.end();
    },
  };
}
