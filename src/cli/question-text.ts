/** A permission question as lines for a plain terminal: what, why, the exact bytes, where. The chat shows the same parts. */
import type { Question } from '../contract/permission.ts';
import { createPalette, paletteKindOf } from './show/palette.ts';
import { questionParts } from './show/question-lines.ts';
import { questionTitle } from './show/question-title.ts';
import { line, span, type Line } from './show/span.ts';

export function questionText(question: Question, width: number, environment: NodeJS.ProcessEnv): string {
  const { why, body, facts } = questionParts(question, width - 2, true);
  const danger = question.isDangerous ? [span('  marked as dangerous', 'bad')] : [];
  const title: Line = [span(questionTitle(question), 'ask', 'bold'), ...danger];
  const palette = createPalette(paletteKindOf(environment));
  const indented = [...why, line(''), ...body, line(''), ...facts].map((each) => [span('  '), ...each]);
  return [title, ...indented].map((each) => palette.paint(each).trimEnd()).join('\n');
}
