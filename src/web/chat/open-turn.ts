/** Which turn is not over yet, and whether anybody is at work on it. Pure. */
import { isOpen } from './fold-step.ts';
import type { Turn } from './screen.ts';

export type OpenTurn = { readonly turnId: string; readonly isRunning: boolean };

/** `isServerBusy`: the server runs something in this conversation. Undefined: all is over. */
export function openTurnOf(turns: readonly Turn[], isServerBusy: boolean): OpenTurn | undefined {
  const last = turns.at(-1);
  if (last === undefined || last.end !== undefined) return undefined;
  // A typed call has no end of its own: it is over with its steps.
  const hasOpenStep = last.parts.some((part) => part.kind === 'steps' && part.steps.some(isOpen));
  if (last.said === undefined && !hasOpenStep && isTyped(last)) return undefined;
  return { turnId: last.turnId, isRunning: isServerBusy };
}

function isTyped(turn: Turn): boolean {
  return (
    turn.parts.every((part) => part.kind !== 'steps' || part.steps.every((step) => step.isTyped)) &&
    turn.model === undefined
  );
}
