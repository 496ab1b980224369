/** The moving part of the screen as one list of lines, always lower than the terminal, and the place of the cursor. */
import { span, type Line } from '../show/span.ts';
import type { ChatState } from './chat-state.ts';
import { candidateLines, inputLines, pickerLines, statusLine } from './input-lines.ts';
import { hintLine, liveLines, queueLines } from './live-lines.ts';
import { questionBox } from './question-box.ts';

export type Frame = {
  readonly lines: readonly Line[];
  /** Undefined: hidden. */
  readonly cursor: { readonly x: number; readonly y: number } | undefined;
};

export type FrameSize = { readonly width: number; readonly rows: number };

export function frameOf(state: ChatState, size: FrameSize, nowMs: number, home: string | undefined): Frame {
  const { width, rows } = size;
  // A frame as high as the terminal makes it scroll with every change; one line is left free.
  const room = Math.max(6, rows - 2);
  const rule: Line = [span('─'.repeat(width), 'dim')];
  const status = statusLine(state, width, home);
  const asides = [...queueLines(state.queue, width), ...hintLine(state.hint)];
  const isAsked = state.question?.isFocused === true;
  const isPicking = state.picker !== undefined && !isAsked;
  const input = inputLines(state.draft, width, Math.max(1, Math.min(10, Math.floor(room / 3))));
  const below: readonly Line[] = isAsked ? [] : isPicking ? [] : input.lines;
  const fixed = asides.length + below.length + 3;
  const picker =
    isPicking && state.picker !== undefined
      ? pickerLines(state.picker, width, Math.max(4, Math.min(14, room - fixed)))
      : [];
  const candidates =
    !isAsked && !isPicking ? candidateLines(state, width, Math.min(6, Math.max(0, room - fixed - 4))) : [];
  const question =
    state.question === undefined ? [] : [[], ...questionBox(state.question, width, room - fixed - (rows < 20 ? 1 : 3))];
  const left = room - fixed - picker.length - candidates.length - question.length;
  const live = left < 1 ? [] : liveLines(state, width, Math.max(3, left), nowMs).slice(-left);
  const above: readonly Line[] = [...live, ...question, [], ...asides, ...candidates, rule, ...picker];
  const lines = [...above, ...below, status];
  return {
    lines,
    cursor:
      isAsked || isPicking || state.exitCode !== undefined
        ? undefined
        : { x: input.cursor.x, y: above.length + input.cursor.y },
  };
}
