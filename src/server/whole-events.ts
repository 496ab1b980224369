/** Events without the pieces whose whole stands in a later one: what a page needs to show a conversation that is over. */
import type { JournalEvent } from '../contract/event.ts';

export function withoutPieces(events: readonly JournalEvent[]): readonly JournalEvent[] {
  let isWhole = false;
  const ended = new Set<string>();
  const kept: JournalEvent[] = [];
  for (const event of events.toReversed()) {
    if (event.type === 'model-end' || event.type === 'turn-end') isWhole = true;
    if (event.type === 'model-retry' || event.type === 'model-fallback') isWhole = true;
    if (event.type === 'tool-end') ended.add(event.callId);
    const isPiece =
      (isWhole && (event.type === 'text-delta' || event.type === 'reasoning-delta')) ||
      (event.type === 'tool-progress' && ended.has(event.callId));
    if (!isPiece) kept.push(event);
  }
  return kept.toReversed();
}
