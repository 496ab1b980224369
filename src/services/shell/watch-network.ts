/** Ties a call to the network of its conversation while it runs: who is asked about new hosts, and what was refused. */
import type { CallScope } from '../../contract/services.ts';
import type { Network } from '../net/create-network.ts';
import type { CallWatch } from '../net/watch-calls.ts';
import type { CallClock } from './call-clock.ts';

const nothing: CallWatch = { notes: () => [], end: () => undefined };

export function watchNetwork(network: Network | undefined, scope: CallScope, clock: CallClock): CallWatch {
  if (network === undefined) return nothing;
  const { request } = scope;
  const asker =
    request === undefined
      ? undefined
      : { request, onQuestion: (isOpen: boolean) => (isOpen ? clock.pause() : clock.resume()) };
  return network.watch(scope.conversation.id, asker);
}
