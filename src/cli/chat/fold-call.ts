/** The fold of one call's events: running, asking, ended; printed in source order. */
import type { JournalEvent } from '../../contract/event.ts';
import type { CallState, Screen, ScreenItem } from './screen.ts';

type CallEvent = Extract<
  JournalEvent,
  { type: 'tool-start' | 'permission-ask' | 'permission-answer' | 'tool-progress' | 'tool-end' }
>;

const callEvents: ReadonlySet<string> = new Set<CallEvent['type']>([
  'tool-start',
  'permission-ask',
  'permission-answer',
  'tool-progress',
  'tool-end',
]);

export const isCallEvent = (event: JournalEvent): event is CallEvent & JournalEvent => callEvents.has(event.type);

export function foldCall(screen: Screen, event: CallEvent, atMs: number): Screen {
  switch (event.type) {
    case 'tool-start':
      return startCall(screen, event, atMs);
    case 'permission-ask':
      return change(screen, event.question.callId, { status: 'asking' });
    case 'permission-answer':
      // The clock shown starts with the answer, as the tool's own does.
      return change(screen, event.callId, { status: 'running', answer: event.answer, startedAtMs: atMs });
    case 'tool-progress':
      return change(screen, event.callId, { progress: lastLine(event.text) });
    case 'tool-end': {
      const { outcome, decision, durationMs } = event;
      const known = screen.calls.some((call) => call.callId === event.callId) ? screen : adopt(screen, event, atMs);
      const waited = known.calls.find((call) => call.callId === event.callId);
      const ran =
        waited?.answer === undefined ? durationMs : Math.max(0, Math.min(durationMs, atMs - waited.startedAtMs));
      const ended = { status: outcome.ok ? 'done' : 'failed', outcome, decision, durationMs: ran } as const;
      return printEndedCalls(change(known, event.callId, ended), false);
    }
  }
}

/** Moves calls to what is printed for good, as far as all before them have ended; `all`: whatever their state. */
export function printEndedCalls(screen: Screen, all: boolean): Screen {
  const open = all ? -1 : screen.calls.findIndex((call) => call.outcome === undefined);
  const count = open === -1 ? screen.calls.length : open;
  if (count === 0) return screen;
  const previous = screen.items.at(-1)?.kind;
  const printed = screen.calls.slice(0, count).map((call, at): ScreenItem => ({
    kind: 'call',
    call: ended(call),
    isFirst: at === 0 && previous !== 'call' && previous !== 'typed',
  }));
  return { ...screen, items: [...screen.items, ...printed], calls: screen.calls.slice(count) };
}

/** A call that was cut off with its turn. */
function ended(call: CallState): CallState {
  return call.outcome === undefined ? { ...call, status: 'failed', durationMs: 0 } : call;
}

function startCall(screen: Screen, event: Extract<CallEvent, { type: 'tool-start' }>, atMs: number): Screen {
  const { callId, tool, title, summary, input } = event;
  const isTyped = event.origin === 'user';
  // A call that a resumed turn runs again keeps its one line.
  const others = screen.calls.filter((call) => call.callId !== callId);
  const call: CallState = { callId, tool, title, summary, input, isTyped, ...fresh(atMs) };
  const turn = screen.turn === undefined ? undefined : { ...screen.turn, calls: screen.turn.calls + 1 };
  const items = isTyped ? [...screen.items, { kind: 'typed', tool, input } as const] : screen.items;
  return { ...screen, items, turn, calls: [...others, call], hasText: false };
}

/** An end whose start was never seen still gets its line. */
function adopt(screen: Screen, event: Extract<CallEvent, { type: 'tool-end' }>, atMs: number): Screen {
  const { callId, tool } = event;
  const call: CallState = { callId, tool, title: tool, summary: '', input: '', isTyped: false, ...fresh(atMs) };
  return { ...screen, calls: [...screen.calls, call] };
}

const fresh = (atMs: number) =>
  ({
    status: 'running',
    startedAtMs: atMs,
    progress: '',
    answer: undefined,
    outcome: undefined,
    decision: undefined,
    durationMs: 0,
  }) as const;

function change(screen: Screen, callId: string, changes: Partial<CallState>): Screen {
  return { ...screen, calls: screen.calls.map((call) => (call.callId === callId ? { ...call, ...changes } : call)) };
}

/** A chunk may hold megabytes; only its last line with something on it is ever shown. */
function lastLine(text: string): string {
  const end = text.slice(-2000).trimEnd();
  return end.slice(Math.max(end.lastIndexOf('\n'), end.lastIndexOf('\r')) + 1).slice(-500);
}
