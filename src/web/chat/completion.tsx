/** The list above the composer: what can be typed here. */
import { useWords } from '../words/use-words.ts';
import type { Candidate } from './complete.ts';

export function Completion({
  id,
  candidates,
  at,
  choose,
}: {
  readonly id: string;
  readonly candidates: readonly Candidate[];
  /** Which one Enter or Tab takes. */
  readonly at: number;
  readonly choose: (candidate: Candidate) => void;
}) {
  const { t } = useWords();
  if (candidates.length === 0) return null;
  return (
    <ul className="completion" id={id} role="listbox" aria-label={t('composer.completion')}>
      {candidates.map((candidate, index) => (
        <li
          key={candidate.label}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === at}
          // The field keeps the focus.
          onPointerDown={(event) => {
            event.preventDefault();
            choose(candidate);
          }}
        >
          <span className="mono">{candidate.label}</span>
          <span className="muted cut">{candidate.detail}</span>
        </li>
      ))}
    </ul>
  );
}
