/** The fold from the journal's events to the screen. Pure: the same events always give the same screen, and a repeated one changes nothing. */
import type { JournalEvent } from '../../contract/event.ts';
import { foldStep, isStepEvent, loseOpenSteps } from './fold-step.ts';
import { addText, addThought, endOpenParts, voidAnswer } from './fold-text.ts';
import { type ChatScreen, emptyScreen, type Part, type Turn } from './screen.ts';

export function foldEvents(screen: ChatScreen, events: readonly JournalEvent[]): ChatScreen {
  return events.reduce(foldScreen, screen);
}

/**
 * The screen with earlier events before it. Turns that are there already stay the same objects, so that they are not drawn again;
 * one that both parts hold is folded anew from `all`.
 */
export function putBefore(
  screen: ChatScreen,
  earlier: readonly JournalEvent[],
  all: readonly JournalEvent[],
): ChatScreen {
  const before = foldEvents(emptyScreen, earlier);
  const known = new Set(screen.turns.map((turn) => turn.turnId));
  const split = new Set(before.turns.flatMap(({ turnId }) => (known.has(turnId) ? [turnId] : [])));
  const whole = (turn: Turn): Turn => {
    if (!split.has(turn.turnId)) return turn;
    const events = all.filter((event) => event.turnId === turn.turnId);
    return foldEvents(emptyScreen, events).turns[0] ?? turn;
  };
  const turns = [...before.turns.map(whole), ...screen.turns.filter((turn) => !split.has(turn.turnId))];
  return { ...screen, turns, costUsd: before.costUsd + screen.costUsd };
}

export function foldScreen(screen: ChatScreen, event: JournalEvent): ChatScreen {
  if (event.seq <= screen.lastSeq) return screen;
  const turns = changeTurn(screen.turns, event);
  const next = { ...screen, turns, lastSeq: event.seq };
  switch (event.type) {
    case 'model-end':
      return { ...next, contextTokens: event.usage.inputTokens + event.usage.outputTokens };
    case 'turn-end':
      return { ...next, costUsd: screen.costUsd + (event.costUsd ?? 0) };
    default:
      return next;
  }
}

/** Only the turn of the event is a new object: what has not changed is not drawn again. */
function changeTurn(turns: readonly Turn[], event: JournalEvent): readonly Turn[] {
  const at = turns.findLastIndex((turn) => turn.turnId === event.turnId);
  const known = turns[at];
  if (known === undefined) {
    const started: Turn = { turnId: event.turnId, startedAtMs: timeOf(event), parts: [] };
    return [...turns, foldTurn(started, event)];
  }
  return turns.with(at, foldTurn(known, event));
}

function foldTurn(turn: Turn, event: JournalEvent): Turn {
  const atMs = timeOf(event);
  if (isStepEvent(event)) {
    const parts = event.type === 'tool-start' ? endOpenParts(turn.parts, atMs) : turn.parts;
    return { ...turn, parts: foldStep(parts, event, atMs) };
  }
  switch (event.type) {
    case 'turn-start':
      return { ...turn, startedAtMs: atMs, said: said(event) };
    case 'model-start':
      return { ...turn, model: event.model };
    case 'reasoning-delta':
      return { ...turn, parts: addThought(turn.parts, event.text, event.seq, atMs) };
    case 'text-delta':
      return { ...turn, parts: addText(turn.parts, event.text, event.seq, atMs) };
    case 'model-retry': {
      const { message, attempt, waitMs, seq: id } = event;
      return { ...turn, parts: [...voidAnswer(turn.parts), { kind: 'retry', id, message, attempt, waitMs }] };
    }
    case 'model-fallback': {
      const { message, to: nextModel, seq: id } = event;
      return { ...turn, parts: [...voidAnswer(turn.parts), { kind: 'retry', id, message, attempt: 0, nextModel }] };
    }
    case 'model-end':
      return { ...turn, parts: endAnswer(turn.parts, event, atMs) };
    case 'compaction':
      return addPart(turn, { kind: 'compaction', id: event.seq, summary: event.summary }, atMs);
    case 'compaction-failed':
    case 'trim':
    case 'note':
      return addPart(turn, { kind: 'note', id: event.seq, text: event.text }, atMs);
    case 'turn-end':
      return endTurn(turn, event, atMs);
  }
}

function addPart(turn: Turn, part: Part, atMs: number): Turn {
  return { ...turn, parts: [...endOpenParts(turn.parts, atMs), part] };
}

/** Where the deltas were not loaded, the whole message stands for them. */
function endAnswer(
  parts: readonly Part[],
  event: Extract<JournalEvent, { type: 'model-end' }>,
  atMs: number,
): readonly Part[] {
  const hasStreamed = parts.some((part) => (part.kind === 'text' && part.isOpen) || isOpenThought(part));
  if (hasStreamed) return endOpenParts(parts, atMs);
  let whole = parts;
  for (const part of event.message.parts) {
    if (part.type === 'text') whole = addText(whole, part.text, event.seq, atMs);
    if (part.type === 'reasoning') whole = addThought(whole, part.text, event.seq - 1, atMs);
  }
  return endOpenParts(whole, atMs);
}

const isOpenThought = (part: Part): boolean => part.kind === 'thought' && part.durationMs === undefined;

function endTurn(turn: Turn, event: Extract<JournalEvent, { type: 'turn-end' }>, atMs: number): Turn {
  const { reason, error, usage, costUsd } = event;
  return {
    ...turn,
    parts: loseOpenSteps(endOpenParts(turn.parts, atMs)),
    end: {
      seq: event.seq,
      atMs,
      reason,
      durationMs: atMs - turn.startedAtMs,
      tokens: usage.inputTokens + usage.outputTokens,
      ...(error === undefined ? {} : { error }),
      ...(costUsd === undefined ? {} : { costUsd }),
    },
  };
}

function said({ seq, message }: Extract<JournalEvent, { type: 'turn-start' }>): NonNullable<Turn['said']> {
  return {
    seq,
    text: message.parts
      .map((part) => (part.type === 'text' ? part.text : ''))
      .join('\n')
      .trim(),
    images: message.parts.flatMap((part) => (part.type === 'image' ? [part] : [])),
  };
}

const timeOf = (event: JournalEvent): number => Date.parse(event.at);
