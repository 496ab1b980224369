/** The fold of one call's events: running, asking, ended. Calls without a word between them hang on one rail. */
import type { EventBody, JournalEvent } from '../../contract/event.ts';
import type { Part, Step, StepsPart } from './screen.ts';

type StepEvent = Extract<
  EventBody,
  { type: 'tool-start' | 'permission-ask' | 'permission-answer' | 'tool-progress' | 'tool-end' }
>;

const stepEvents: ReadonlySet<string> = new Set<StepEvent['type']>([
  'tool-start',
  'permission-ask',
  'permission-answer',
  'tool-progress',
  'tool-end',
]);

export const isStepEvent = (event: JournalEvent): event is StepEvent & JournalEvent => stepEvents.has(event.type);

/** A tool may print megabytes; the whole stands in its result. */
const keptProgress = 20_000;

export function foldStep(parts: readonly Part[], event: StepEvent & JournalEvent, atMs: number): readonly Part[] {
  switch (event.type) {
    case 'tool-start':
      return startStep(parts, event, atMs);
    case 'permission-ask':
      return changeStep(parts, event.question.callId, (step) => ({
        ...step,
        status: 'asking',
        question: event.question,
        askedAtMs: atMs,
      }));
    case 'permission-answer':
      // The clock shown starts with the answer, as the tool's own does.
      return changeStep(parts, event.callId, (step) => ({
        ...step,
        status: 'running',
        answer: event.answer,
        startedAtMs: atMs,
      }));
    case 'tool-progress':
      return changeStep(parts, event.callId, (step) => ({
        ...step,
        progress: (step.progress + event.text).slice(-keptProgress),
      }));
    case 'tool-end':
      return endStep(parts, event, atMs);
  }
}

/** Calls that the end of their turn found open: nobody knows what became of them. */
export function loseOpenSteps(parts: readonly Part[]): readonly Part[] {
  return parts.map((part) =>
    part.kind === 'steps' && part.steps.some(isOpen)
      ? { ...part, steps: part.steps.map((step) => (isOpen(step) ? { ...step, status: 'lost' } : step)) }
      : part,
  );
}

export const isOpen = (step: Step): boolean => step.status === 'running' || step.status === 'asking';

function startStep(
  parts: readonly Part[],
  event: Extract<StepEvent, { type: 'tool-start' }> & JournalEvent,
  atMs: number,
): readonly Part[] {
  const { callId, tool, title, summary, input, repairs = [] } = event;
  const step = { ...freshStep(callId, tool, atMs), title, summary, input, repairs, isTyped: event.origin === 'user' };
  // A call that a resumed turn runs again keeps its one line.
  if (find(parts, callId) !== undefined) return changeStep(parts, callId, () => step);
  const last = parts.at(-1);
  return last?.kind === 'steps'
    ? parts.with(-1, { ...last, steps: [...last.steps, step] })
    : [...parts, { kind: 'steps', id: event.seq, steps: [step] }];
}

function endStep(
  parts: readonly Part[],
  event: Extract<StepEvent, { type: 'tool-end' }> & JournalEvent,
  atMs: number,
): readonly Part[] {
  const { callId, tool, outcome, decision, durationMs } = event;
  const known = find(parts, callId);
  // An end whose start is not loaded still gets its line.
  const all: readonly Part[] =
    known === undefined ? [...parts, { kind: 'steps', id: event.seq, steps: [freshStep(callId, tool, atMs)] }] : parts;
  const ran = known?.answer === undefined ? durationMs : Math.max(0, Math.min(durationMs, atMs - known.startedAtMs));
  return changeStep(all, callId, (step) => ({
    ...step,
    status: outcome.ok ? 'done' : 'failed',
    outcome,
    decision,
    durationMs: ran,
  }));
}

const freshStep = (callId: string, tool: string, startedAtMs: number): Step => ({
  callId,
  tool,
  title: tool,
  summary: '',
  input: '',
  repairs: [],
  isTyped: false,
  status: 'running',
  startedAtMs,
  progress: '',
  durationMs: 0,
});

function find(parts: readonly Part[], callId: string): Step | undefined {
  for (const part of parts) {
    const step = part.kind === 'steps' ? part.steps.find((each) => each.callId === callId) : undefined;
    if (step !== undefined) return step;
  }
  return undefined;
}

function changeStep(parts: readonly Part[], callId: string, change: (step: Step) => Step): readonly Part[] {
  const holds = (part: Part): part is StepsPart =>
    part.kind === 'steps' && part.steps.some((step) => step.callId === callId);
  return parts.map((part) =>
    holds(part) ? { ...part, steps: part.steps.map((step) => (step.callId === callId ? change(step) : step)) } : part,
  );
}
