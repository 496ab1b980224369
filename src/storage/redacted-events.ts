/** The journal without secrets: each event as it may be kept, and streamed text only as far as it is clear what it is. */
import type { EventBody, JournalEvent } from '../contract/event.ts';
import type { Redactor, RedactorSource, StreamRedaction } from '../contract/redaction.ts';
import type { EventStore } from '../contract/storage.ts';

type NewEvent = EventBody & { readonly at: string };
type Piece = Extract<NewEvent, { type: 'text-delta' | 'reasoning-delta' | 'tool-progress' }>;
/** What waits of a stream, with the event that it came in. */
type Stream = { readonly of: Piece; readonly state: StreamRedaction };
/** By what tells the streams of one turn apart. */
type Streams = ReadonlyMap<string, Stream>;

/** `of`: what it was before; undefined for text that had waited. */
type Kept = { readonly event: NewEvent; readonly of: NewEvent | undefined };

export function redactEvents(store: EventStore, redactor: RedactorSource): EventStore {
  const turns = new Map<string, Streams>();
  const originals = new WeakMap<JournalEvent, JournalEvent>();
  return {
    ...store,
    async append(events, position) {
      const active = await redactor();
      const turn = `${position.conversationId} ${position.turnId}`;
      const { kept, streams } = redactInOrder(active, events, turns.get(turn) ?? new Map());
      const written = await store.append(
        kept.map(({ event }) => event),
        position,
      );
      // Only now: whoever could not write tries again with the same events.
      if (streams.size === 0) turns.delete(turn);
      else turns.set(turn, streams);
      for (const [at, event] of written.entries()) {
        const { conversationId, seq, turnId } = event;
        const of = kept[at]?.of;
        if (of !== undefined) originals.set(event, { ...of, conversationId, seq, turnId });
      }
      return written;
    },
    forModel: (event) => originals.get(event) ?? event,
    readForModel: async (conversationId, options) => {
      const kept: readonly JournalEvent[] = await store.readForModel(conversationId, options);
      return (await redactor()).restoreAll(kept);
    },
  };
}

function redactInOrder(redactor: Redactor, events: readonly NewEvent[], before: Streams) {
  const kept: Kept[] = [];
  let streams = before;
  for (const event of events) {
    const ended = [...streams].filter(([key]) => isEndedBy(key, event));
    if (ended.length > 0) streams = new Map([...streams].filter(([key]) => !isEndedBy(key, event)));
    for (const [, { of, state }] of ended) kept.push({ event: { ...of, text: state.rest() }, of: undefined });
    if (!isPiece(event)) {
      kept.push({ event: redactor.redactAll(event), of: event });
      continue;
    }
    const key = streamOf(event);
    const { text, after } = (streams.get(key)?.state ?? redactor.redactStream()).next(event.text);
    if (text !== '') kept.push({ event: { ...event, text }, of: undefined });
    const others = [...streams].filter(([other]) => other !== key);
    streams = new Map(after.waits ? [...others, [key, { of: event, state: after }]] : others);
  }
  return { kept, streams };
}

const isPiece = (event: NewEvent): event is Piece =>
  event.type === 'text-delta' || event.type === 'reasoning-delta' || event.type === 'tool-progress';

const streamOf = (event: Piece): string =>
  event.type === 'tool-progress' ? `call ${event.callId} ${event.stream ?? ''}` : event.type;

/** A model speaks or thinks, one at a time; what a call prints ends with the call. */
function isEndedBy(key: string, event: NewEvent): boolean {
  if (event.type === 'turn-end') return true;
  if (key.startsWith('call ')) return event.type === 'tool-end' && key.startsWith(`call ${event.callId} `);
  return event.type !== 'tool-progress' && event.type !== key;
}
