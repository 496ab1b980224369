/**
 * Puts a history into the order that every provider insists on: each call has exactly one result right behind its message,
 * each result has a call, ids are unique and legal. A call that has no result keeps an empty place for one.
 */
import type { AssistantMessage, CallPart, CallResult, Message, UserMessage } from '../contract/message.ts';
import { createWireIds } from './wire-names.ts';

export type PairedCall = { readonly call: CallPart; readonly wireId: string; result: CallResult | undefined };
export type Step =
  | { readonly kind: 'user'; readonly message: UserMessage }
  | { readonly kind: 'assistant'; readonly message: AssistantMessage; readonly calls: readonly PairedCall[] };

/** One history after the other; of one that only grew since the call before, only what is new is looked at. */
export function createCallPairing(): (messages: readonly Message[]) => readonly Step[] {
  let seen: Message[] = [];
  let pairing = newPairing();
  return (messages) => {
    if (seen.length > messages.length || seen.some((message, at) => message !== messages[at])) {
      seen = [];
      pairing = newPairing();
    }
    for (const message of messages.slice(seen.length)) {
      pairing.add(message);
      seen.push(message);
    }
    return pairing.steps;
  };
}

function newPairing() {
  const steps: Step[] = [];
  const open = new Map<string, PairedCall[]>();
  const toWireId = createWireIds();

  function pair(call: CallPart): PairedCall {
    const paired: PairedCall = { call, wireId: toWireId(call.callId), result: undefined };
    const sameId = open.get(call.callId);
    if (sameId) sameId.push(paired);
    else open.set(call.callId, [paired]);
    return paired;
  }

  function add(message: Message): void {
    if (message.role === 'user') {
      steps.push({ kind: 'user', message });
    } else if (message.role === 'assistant') {
      steps.push({ kind: 'assistant', message, calls: message.parts.filter((part) => part.type === 'call').map(pair) });
    } else {
      for (const result of message.results) {
        // A result without a call finds no place and is left out.
        const place = open.get(result.callId)?.shift();
        if (place) place.result = result;
      }
    }
  }
  return { steps, add };
}
