/** What is known of a history, kept from request to request: of one that only grew, only what is new is looked at. */
import type { Message } from '../contract/message.ts';

/** Asked for one history after the other, it gives what `add` has made of each; `begin` starts anew for one that did not just grow. */
export function followHistory<Known>(
  begin: () => Known,
  add: (known: Known, message: Message) => void,
): (messages: readonly Message[]) => Known {
  let seen: Message[] = [];
  let known = begin();
  return (messages) => {
    if (seen.length > messages.length || seen.some((message, at) => message !== messages[at])) {
      seen = [];
      known = begin();
    }
    for (const message of messages.slice(seen.length)) {
      add(known, message);
      seen.push(message);
    }
    return known;
  };
}
