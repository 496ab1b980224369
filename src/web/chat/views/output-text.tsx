/** What a tool gave as text: as it is, with hidden characters shown; long ones from their beginning. */
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { useWords } from '../../words/use-words.ts';
import { ExactPieces } from '../exact-view.tsx';

const firstCharacters = 6_000;

export function OutputText({ text }: { readonly text: string }) {
  const { t, counted } = useWords();
  const [isWhole, setWhole] = useState(text.length <= firstCharacters);
  return (
    <>
      <pre className="output" tabIndex={0} aria-label={t('step.output')}>
        <ExactPieces text={isWhole ? text : text.slice(0, firstCharacters)} />
      </pre>
      {isWhole ? null : (
        <Button look="ghost" isSmall onClick={() => setWhole(true)}>
          {counted('output.all', text.length)}
        </Button>
      )}
    </>
  );
}
