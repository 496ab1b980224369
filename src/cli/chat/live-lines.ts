/** What still moves, as lines: the text being written, running steps, the status word. Never higher than the room it gets. */
import { showClock, showCounted } from '../show/amounts.ts';
import { callLine } from '../show/call-line.ts';
import { cleanLine, cleanOutput } from '../show/clean-text.ts';
import { pendingLines } from '../show/markdown-lines.ts';
import { line, span, type Line, type Mark } from '../show/span.ts';
import { cutLineToWidth } from '../show/text-width.ts';
import type { ChatState, Work } from './chat-state.ts';
import type { CallState, Screen } from './screen.ts';

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const words = ['Thinking…', 'Working…', 'Brewing…'];
const wordMs = 3_000;
const pulseMs = 800;

export function liveLines(state: ChatState, width: number, maxLines: number, nowMs: number): readonly Line[] {
  const { screen, work } = state;
  // An open question says by itself what is waited for.
  const status =
    work === undefined || (state.question !== undefined && !work.isStopping) ? [] : [statusLine(work, screen, nowMs)];
  const steps = stepLines(screen, width, Math.max(2, maxLines - status.length - 2), nowMs);
  const text = textLines(screen, width, Math.max(1, maxLines - status.length - steps.length - 2));
  return [...text, ...steps, ...(status.length > 0 ? [[], ...status] : [])].map((each) => cutLineToWidth(each, width));
}

/** The end of the text, when there is more than the room holds: the rest is printed as soon as it is whole. */
function textLines(screen: Screen, width: number, maxLines: number): readonly Line[] {
  const lines = pendingLines(screen.markdown, width);
  if (lines.length === 0) return [];
  const shown = lines.length > maxLines ? lines.slice(-maxLines) : lines;
  return screen.hasText ? shown : [[], ...shown];
}

function stepLines(screen: Screen, width: number, maxLines: number, nowMs: number): readonly Line[] {
  if (screen.calls.length === 0) return [];
  const frame = frames[Math.floor(nowMs / 100) % frames.length] ?? '●';
  const oneEach = screen.calls.length * 2 > maxLines - 1;
  const lines = screen.calls.map((call) => callLines(call, width, nowMs, frame, oneEach));
  const shown: Line[] = [];
  for (const [at, each] of lines.entries()) {
    const left = lines.length - at;
    if (shown.length + each.length > maxLines - 1 - (left > 1 ? 1 : 0)) {
      shown.push([span('│ ', 'dim'), span(`… and ${showCounted(left, 'more step', 'more steps')}`, 'dim')]);
      break;
    }
    shown.push(...each);
  }
  const previous = screen.items.at(-1)?.kind;
  return previous === 'call' || previous === 'typed' ? shown : [[], ...shown];
}

function callLines(call: CallState, width: number, nowMs: number, frame: string, oneLine: boolean): readonly Line[] {
  const isOver = call.outcome !== undefined;
  const durationMs = isOver ? call.durationMs : nowMs - call.startedAtMs;
  const first = callLine({ ...call, durationMs, aside: undefined, hasRun: true }, width, frame);
  if (oneLine || isOver || call.progress === '' || call.status !== 'running') return [first];
  return [first, [span('│ ', 'dim'), span(cleanLine(cleanOutput(call.progress)), 'dim')]];
}

function statusLine(work: Work, screen: Screen, nowMs: number): Line {
  const elapsedMs = nowMs - work.startedAtMs;
  const isBright = Math.floor(elapsedMs / pulseMs) % 2 === 0;
  const dot: Mark[] = isBright ? ['accent', 'bold'] : ['accent', 'dim'];
  if (work.isStopping) return [span('● ', 'ask'), span('Stopping…', 'dim')];
  const word = words[Math.floor(elapsedMs / wordMs) % words.length] ?? 'Thinking…';
  const thinking = screen.thinkingSinceMs === undefined ? '' : lastSentence(screen.thought);
  return [
    span('● ', ...dot),
    span(word),
    span(`${toolName(screen.calls)} ${showClock(elapsedMs)}`, 'dim'),
    ...(thinking === '' ? [span(' · Ctrl-C stops', 'dim')] : [span(` · ${thinking}`, 'dim', 'italic')]),
  ];
}

/** " · Read file" for one running tool, " · 3 Tools" for several, nothing for none. */
function toolName(calls: readonly CallState[]): string {
  const running = calls.filter((call) => call.outcome === undefined);
  const [only] = running;
  if (only === undefined) return '';
  return running.length === 1 ? ` · ${cleanLine(only.title)}` : ` · ${running.length} Tools`;
}

function lastSentence(thought: string): string {
  return cleanLine(thought.slice(-400)).split(' ⏎ ').at(-1)?.slice(-160).replace(/\*\*/g, '') ?? '';
}

/** What was sent while something ran. */
export function queueLines(queue: readonly string[], width: number): readonly Line[] {
  return queue.slice(0, 3).map((text, at) => {
    const more = at === 2 && queue.length > 3 ? ` (and ${queue.length - 3} more)` : '';
    return cutLineToWidth(
      [span('› ', 'dim'), span(cleanLine(text.slice(0, 500)), 'dim'), span(`  queued${more}`, 'ask')],
      width,
    );
  });
}

export const hintLine = (hint: string): readonly Line[] => (hint === '' ? [] : [line(hint, 'ask')]);
