/** One formula; as it was written where it is not understood. */
import { useContext, useMemo } from 'react';
import { useWords } from '../words/use-words.ts';
import { MathsContext } from './use-maths.ts';

export function Formula({ tex, isDisplay }: { readonly tex: string; readonly isDisplay: boolean }) {
  const { t } = useWords();
  const { drawFormula } = useContext(MathsContext) ?? {};
  const drawn = useMemo(() => drawFormula?.(tex, isDisplay), [drawFormula, tex, isDisplay]);
  if (drawn === undefined) return <code>{tex}</code>;
  if (!isDisplay) return drawn;
  return (
    <div className="scroll-x formula" tabIndex={0} role="region" aria-label={t('formula.label')}>
      {drawn}
    </div>
  );
}
