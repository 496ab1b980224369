/**
 * Puts a history into the order that every provider insists on: each call has exactly one result right behind its message,
 * each result has a call, ids are unique and legal. A call that has no result keeps an empty place for one.
 */
import type { AssistantMessage, CallPart, CallResult, Message, UserMessage } from '../contract/message.ts';
import { followHistory } from './follow-history.ts';
import { createWireIds } from './wire-names.ts';

export type PairedCall = { readonly call: CallPart; readonly wireId: string; result: CallResult | undefined };
export type Step =
  | { readonly kind: 'user'; readonly message: UserMessage }
  | { readonly kind: 'assistant'; readonly message: AssistantMessage; readonly calls: readonly PairedCall[] };

/** The steps of a history that only grew are the same list, longer. */
export function createCallPairing(): (messages: readonly Message[]) => readonly Step[] {
  const pairingOf = followHistory(newPairing, (pairing, message) => pairing.add(message));
  return (messages) => pairingOf(messages).steps;
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

/** Ids that calls of a history have. */
export function createCallIds(): (messages: readonly Message[]) => ReadonlySet<string> {
  return followHistory(
    () => new Set<string>(),
    (ids, message) => {
      if (message.role !== 'assistant') return;
      for (const part of message.parts) if (part.type === 'call') ids.add(part.callId);
    },
  );
}
