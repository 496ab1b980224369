/** The one line that a step has while it is folded. Pure. */
import type { Step, StepStatus, Turn } from './screen.ts';
import { exactLine } from './exact-text.ts';
import { isOpen } from './fold-step.ts';
import type { Words } from '../words/words.ts';

/** Read before the title by a screen reader; empty where a tick says enough. */
export function statusWord(status: StepStatus, { t }: Words): string {
  return status === 'done' ? '' : `${t(`step.${status}`)}: `;
}

/** The end of what it printed: its last line with something on it. */
export function lastLine(progress: string): string {
  const lines = progress.slice(-2_000).split(/[\r\n]+/);
  return exactLine(lines.findLast((line) => line.trim() !== '') ?? '').trim();
}

/** What the result was, in two or three words; empty: the tick says it. */
export function resultWords(step: Step, words: Words): string {
  const { outcome } = step;
  if (step.status === 'lost') return words.t('step.lost');
  if (outcome === undefined) return '';
  if (!outcome.ok) return failureWords(step, words);
  const { view } = outcome;
  switch (view?.kind) {
    case 'files':
      return words.counted('result.files', view.files.length);
    case 'table':
      return words.counted('result.rows', view.rows.length);
    case 'terminal':
      return view.exitCode === 0 || view.exitCode === null ? '' : words.t('step.exit-code', { code: view.exitCode });
    default:
      return '';
  }
}

/** *Denied*: a person or a rule said no; *refused*: no one could have allowed it. */
function failureWords({ decision, answer, outcome }: Step, { t }: Words): string {
  if (decision?.isHard === true) return t('result.refused');
  if (answer?.verdict === 'deny' || decision?.verdict === 'deny') return t('result.denied');
  switch (outcome?.error?.code) {
    case 'timeout':
      return t('result.timeout');
    case 'cancelled':
      return t('result.cancelled');
    case 'not_found':
      return t('result.not-found');
    default:
      return t('result.failed');
  }
}

/** Display names of what runs now, for the indicator: each once. */
export function runningTitles(turn: Turn): readonly string[] {
  return turn.parts.flatMap((part) =>
    part.kind === 'steps' ? part.steps.filter(isOpen).map((step) => exactLine(step.title)) : [],
  );
}
