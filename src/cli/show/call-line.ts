/** One tool call as one line: sign, display name, what it does, how long it took. */
import { showClock, showDuration } from './amounts.ts';
import { cleanLine } from './clean-text.ts';
import { span, type Line, type Span } from './span.ts';
import { cutLineToWidth, widthOf } from './text-width.ts';

export type CallStatus = 'running' | 'asking' | 'done' | 'failed';

export type CallLine = {
  readonly status: CallStatus;
  readonly title: string;
  readonly summary: string;
  /** False: it was refused or cut off before it did anything, so it has no time. */
  readonly hasRun: boolean;
  /** So far, or in all. */
  readonly durationMs: number;
  /** How it was answered when a person was asked, or why it was not done. */
  readonly aside: string | undefined;
};

const signs: Readonly<Record<CallStatus, Span>> = {
  running: span('●', 'accent'),
  asking: span('●', 'ask'),
  done: span('✓', 'dim'),
  failed: span('✗', 'bad'),
};

/** `sign` replaces the sign of a running call: a frame of the spinner. The time stays on screen, the summary gives way. */
export function callLine(call: CallLine, width: number, sign?: string): Line {
  const title = cleanLine(call.title);
  const time = call.status === 'running' ? showClock(call.durationMs) : showDuration(call.durationMs);
  const facts = [...(call.hasRun ? [time] : []), ...(call.aside === undefined ? [] : [call.aside])].join(' · ');
  const tail: Span[] =
    call.status === 'asking' ? [span('  waits for you', 'ask')] : [span(facts === '' ? '' : `  ${facts}`, 'dim')];
  const tailWidth = tail.reduce((sum, each) => sum + widthOf(each.text), 0);
  const summary = cleanLine(call.summary);
  const head: Line = [
    sign === undefined || call.status !== 'running' ? signs[call.status] : span(sign, 'accent'),
    span(' '),
    span(title),
    ...(summary === '' || summary === title ? [] : [span('  '), span(summary, 'dim')]),
  ];
  const room = Math.max(Math.min(width, 12), width - tailWidth);
  return cutLineToWidth([...cutLineToWidth(head, room), ...tail], width);
}
