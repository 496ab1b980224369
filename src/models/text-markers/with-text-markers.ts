/** Lets a model that has no native calls use tools: they are described in its prompt, and it calls them by markers in its text. */
import { markerPrompt } from '../../base/marker-prompt.ts';
import type { AssistantMessage } from '../../contract/message.ts';
import type { ModelClient, ModelEvent, ModelRequest } from '../../contract/model.ts';
import { newCallId } from '../new-call-id.ts';
import { createMarkerHistory, quoteMarkers } from './marker-history.ts';
import { createMarkerReader, type MarkerPiece } from './read-markers.ts';

/** What it gives out looks as if the model had native calls: text without markers, and calls. */
export function withTextMarkers(client: ModelClient): ModelClient {
  const toHistory = createMarkerHistory();

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void, undefined> {
    const system = [quoteMarkers(request.system), markerPrompt(request.tools)]
      .filter((text) => text !== '')
      .join('\n\n');
    const events = client.stream({ ...request, system, messages: toHistory(request.messages), tools: [] }, signal);
    // Where no tools are and none were, a marker is text like any other. A model that goes on calling when its tools are taken
    // away is read as before, so that the loop can see it.
    const mayCall = request.tools.length > 0 || request.messages.some(({ role }) => role === 'tool');
    yield* mayCall ? readCalls(events) : events;
  }
  return { ...client, stream };
}

async function* readCalls(events: AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent, void, undefined> {
  const reader = createMarkerReader();
  for await (const event of events) {
    if (event.type === 'text-delta') yield* deltasOf(reader.feed(event.text));
    else if (event.type !== 'end') yield event;
    else {
      const isCut = event.finish !== 'answer';
      yield* deltasOf(reader.end(isCut));
      const message = withCalls(event.message, isCut);
      const hasCalls = message.parts.some((part) => part.type === 'call');
      yield { ...event, message, finish: hasCalls && !isCut ? 'calls' : event.finish };
    }
  }
}

function* deltasOf(pieces: readonly MarkerPiece[]): Generator<ModelEvent, void, undefined> {
  for (const piece of pieces) if (piece.type === 'text') yield { type: 'text-delta', text: piece.text };
}

/** The same text read once more, part by part: each part keeps what its provider wants to see again. */
function withCalls(message: AssistantMessage, isCut: boolean): AssistantMessage {
  const reader = createMarkerReader();
  const parts: AssistantMessage['parts'][number][] = [];
  for (const part of message.parts) {
    if (part.type !== 'text') {
      parts.push(part);
      continue;
    }
    const pieces = reader.feed(part.text);
    const [only] = pieces;
    if (pieces.length === 1 && only?.type === 'text' && only.text === part.text) parts.push(part);
    else parts.push(...pieces.flatMap(toPart));
  }
  return { ...message, parts: [...parts, ...reader.end(isCut).flatMap(toPart)] };
}

function toPart(piece: MarkerPiece): AssistantMessage['parts'] {
  if (piece.type === 'call') return [{ ...piece, callId: newCallId() }];
  // Blank lines between calls say nothing.
  return piece.text.trim() === '' ? [] : [piece];
}
