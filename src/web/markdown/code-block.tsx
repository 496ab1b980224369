/** A block of code: its language, a button that copies it, and colours as soon as they are loaded. */
import { useEffect, useState, type ReactNode } from 'react';
import { CopyButton } from '../ui/copy-button.tsx';
import { useWords } from '../words/use-words.ts';

/** Longer code is shown without colours: reading it would hold up the page. */
const mostCharacters = 60_000;

export function CodeBlock({ text, language }: { readonly text: string; readonly language: string }) {
  const { t } = useWords();
  const coloured = useColours(text, language);
  return (
    <figure className="code">
      <figcaption className="code-head">
        <span className="grow cut">{language === '' ? t('code.plain') : language}</span>
        <CopyButton text={text} label={t('code.copy')} />
      </figcaption>
      <pre tabIndex={0} aria-label={t('code.label')}>
        <code>{coloured ?? text}</code>
      </pre>
    </figure>
  );
}

/** Undefined while there are none. While code streams the colours of the part before stay until the next are there. */
function useColours(text: string, language: string): ReactNode {
  const [coloured, setColoured] = useState<{ readonly text: string; readonly node: ReactNode }>();
  useEffect(() => {
    if (language === '' || text.length > mostCharacters) return;
    let isOver = false;
    void import('./highlight.ts').then(({ highlight }) => {
      const node = highlight(text, language);
      if (!isOver && node !== undefined) setColoured({ text, node });
    });
    return () => {
      isOver = true;
    };
  }, [text, language]);
  if (coloured === undefined || !text.startsWith(coloured.text)) return undefined;
  return [coloured.node, text.slice(coloured.text.length)];
}
