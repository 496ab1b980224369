/** What is printed for good, as lines: messages, answers, steps on their rail, ends of turns. */
import { dollarText } from '../../base/dollar-text.ts';
import { showClock, showCounted, showDuration, showTokens } from '../show/amounts.ts';
import { callLine } from '../show/call-line.ts';
import { cleanLine, cleanText } from '../show/clean-text.ts';
import { blockLines } from '../show/markdown-lines.ts';
import { line, span, type Line } from '../show/span.ts';
import { foldLines, outcomeLines } from '../show/view-lines.ts';
import { wrapLine } from '../show/wrap-lines.ts';
import type { CallState, ScreenItem } from './screen.ts';
import { typedText } from './typed-text.ts';

const blank: Line = [];
const rail = span('│ ', 'dim');

/** How many lines of a result are printed; all of it comes with /show. What a person typed, they want to read. */
const resultLines = { model: 4, typed: 200, diff: 24 } as const;

export function itemLines(item: ScreenItem, width: number): readonly Line[] {
  switch (item.kind) {
    case 'user':
      return [blank, ...saidLines('› ', item.text, width)];
    case 'typed':
      return [blank, ...saidLines('› ', typedText(item.tool, item.input), width)];
    case 'block':
      return [...(item.isFirst ? [blank] : []), ...blockLines(item.block, width)];
    case 'thought':
      return [blank, line(`Thought for ${showDuration(item.durationMs)}`, 'dim', 'italic')];
    case 'call':
      return [...(item.isFirst ? [blank] : []), ...callLines(item.call, width)];
    case 'note':
      return [blank, ...wrapLine(line(cleanText(item.text), 'dim'), width)];
    case 'retry':
      return [blank, ...retryLines(item, width)];
    case 'turn-end':
      return [blank, ...turnEndLines(item, width)];
    case 'notice':
      return [
        blank,
        ...item.lines.flatMap((each) => wrapLine(each, width, { keepSpaces: true, hanging: indentOf(each) })),
      ];
  }
}

/** A finished call: its line, then the beginning of its result on the rail. */
export function callLines(call: CallState, width: number): readonly Line[] {
  const first = callLine(
    { ...call, aside: asideOf(call), hasRun: call.outcome !== undefined && call.outcome.error?.code !== 'denied' },
    width,
  );
  // What a person refused needs no second line to say so.
  if (call.outcome === undefined || call.answer?.verdict === 'deny') return [first];
  const all = outcomeLines(call.outcome, width - 2);
  const isDiff = call.outcome.view?.kind === 'diff';
  const limit = call.isTyped ? resultLines.typed : isDiff ? resultLines.diff : resultLines.model;
  return [first, ...foldLines(all, limit, '/show prints all').map((each) => [rail, ...dimmed(each, call, isDiff)])];
}

/** How it came to run, or not: only when a person had a say, or a rule said no. */
function asideOf(call: CallState): string | undefined {
  if (call.outcome === undefined) return 'cut off';
  if (call.answer?.verdict === 'deny') return 'denied by you';
  if (call.answer?.verdict === 'allow')
    return call.answer.scope === 'once'
      ? 'allowed once'
      : call.answer.scope === 'conversation'
        ? 'allowed in this chat'
        : 'allowed always';
  if (call.outcome.error?.code === 'denied') return 'denied';
  return call.outcome.error?.code === 'cancelled' ? 'stopped' : undefined;
}

function dimmed(each: Line, call: CallState, isDiff: boolean): Line {
  if (call.isTyped || isDiff) return each;
  return each.map((part) => (part.marks.length > 0 ? part : { ...part, marks: ['dim' as const] }));
}

function saidLines(sign: string, text: string, width: number): readonly Line[] {
  return cleanText(text)
    .split('\n')
    .flatMap((each, at) => {
      const edge = at === 0 ? span(sign, 'accent', 'bold') : span('  ');
      return wrapLine([edge, span(each, 'bold')], width, { hanging: [span('  ')], keepSpaces: true });
    });
}

function retryLines(item: Extract<ScreenItem, { kind: 'retry' }>, width: number): readonly Line[] {
  const wait = item.waitMs > 0 ? ` in ${showDuration(item.waitMs)}` : '';
  const without = item.hadText ? ' What the model had said so far does not count.' : '';
  const text = `${cleanLine(item.message).replace(/[.]?$/, '.')} Trying again${wait} (attempt ${item.attempt}).${without}`;
  return wrapLine([span('↻ ', 'ask'), span(text, 'dim')], width, { hanging: [span('  ')] });
}

function turnEndLines(item: Extract<ScreenItem, { kind: 'turn-end' }>, width: number): readonly Line[] {
  const facts = [
    showClock(item.durationMs),
    ...(item.calls > 0 ? [showCounted(item.calls, 'step')] : []),
    ...(item.tokens > 0 ? [showTokens(item.tokens)] : []),
    ...(item.costUsd === undefined ? [] : [dollarText(item.costUsd)]),
  ].join(' · ');
  if (item.reason === 'stopped') return [line(`Stopped by you · ${facts}`, 'ask')];
  if (item.reason !== 'failed' && item.reason !== 'budget') return [line(facts, 'dim')];
  const why = cleanText(item.error?.message ?? 'The turn failed without saying why.').replaceAll('\n', ' ');
  return [...wrapLine([span('✗ ', 'bad'), span(why, 'bad')], width, { hanging: [span('  ')] }), line(facts, 'dim')];
}

const indentOf = (each: Line): Line => [span(/^ */.exec(each[0]?.text ?? '')?.[0] ?? '')];
