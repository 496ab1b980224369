/** What a call prints while it runs, line by line; it follows its end while nobody has scrolled away. */
import { useLayoutEffect, useRef } from 'react';
import { useWords } from '../../words/use-words.ts';
import { AnsiText } from './terminal-view.tsx';

/** This close to the end counts as being there. */
const nearPx = 24;

export function LiveOutput({ text }: { readonly text: string }) {
  const { t } = useWords();
  const place = useRef<HTMLPreElement>(null);
  const follows = useRef(true);
  useLayoutEffect(() => {
    if (place.current !== null && follows.current) place.current.scrollTop = place.current.scrollHeight;
  }, [text]);
  return (
    <pre
      ref={place}
      className="output live"
      tabIndex={0}
      aria-label={t('step.output')}
      onScroll={({ currentTarget: box }) => {
        follows.current = box.scrollHeight - box.scrollTop - box.clientHeight < nearPx;
      }}
    >
      <AnsiText text={text} />
    </pre>
  );
}
