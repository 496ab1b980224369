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

export function pairCalls(messages: readonly Message[]): Step[] {
  const steps: Step[] = [];
  const open = new Map<string, PairedCall[]>();
  const toWireId = createWireIds();
  for (const message of messages) {
    if (message.role === 'user') {
      steps.push({ kind: 'user', message });
    } else if (message.role === 'assistant') {
      const calls: PairedCall[] = [];
      for (const part of message.parts) {
        if (part.type !== 'call') continue;
        const paired: PairedCall = { call: part, wireId: toWireId(part.callId), result: undefined };
        calls.push(paired);
        const sameId = open.get(part.callId);
        if (sameId) sameId.push(paired);
        else open.set(part.callId, [paired]);
      }
      steps.push({ kind: 'assistant', message, calls });
    } else {
      for (const result of message.results) {
        // A result without a call finds no place and is left out.
        const place = open.get(result.callId)?.shift();
        if (place) place.result = result;
      }
    }
  }
  return steps;
}
