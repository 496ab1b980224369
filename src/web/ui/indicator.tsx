/** The one indicator of all places: a pulsing dot, and words that change while something is waited for. */
import { useEffect, useState } from 'react';
import { useWords } from '../words/use-words.ts';
import type { WordKey } from '../words/words.ts';

/** Alive it pulses; the other looks stand still. */
export function Dot({
  look = 'live',
  label,
}: {
  readonly look?: 'live' | 'ask' | 'bad' | 'off';
  readonly label?: string;
}) {
  return label === undefined ? (
    <span className={`dot ${look}`} aria-hidden="true" />
  ) : (
    <span className={`dot ${look}`} role="img" aria-label={label} title={label} />
  );
}

const wordKeys: readonly WordKey[] = ['status.thinking', 'status.working', 'status.brewing'];
const wordMs = 3_000;
const fadeMs = 200;

/** `tools`: display names of what runs now. One is named, several are counted. */
export function StatusChip({ tools }: { readonly tools: readonly string[] }) {
  const { t, counted } = useWords();
  const { key, isFading } = useRotatingWord();
  const [only] = tools;
  const after = only === undefined ? '' : ` · ${tools.length === 1 ? only : counted('status.tools', tools.length)}`;
  return (
    <span className="status" role="img" aria-label={`${t('status.label')}${after}`}>
      <Dot />
      <span className="status-words">
        <span className={isFading ? 'word fading' : 'word'}>{t(key)}</span>
        {after}
      </span>
    </span>
  );
}

/** With reduced motion the first word stays. */
function useRotatingWord(): { readonly key: WordKey; readonly isFading: boolean } {
  const [at, setAt] = useState(0);
  const [isFading, setFading] = useState(false);
  useEffect(() => {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    let fade = 0;
    const rotate = window.setInterval(() => {
      setFading(true);
      fade = window.setTimeout(() => {
        setAt((before) => (before + 1) % wordKeys.length);
        setFading(false);
      }, fadeMs / 2);
    }, wordMs);
    return () => {
      window.clearInterval(rotate);
      window.clearTimeout(fade);
    };
  }, []);
  return { key: wordKeys[at] ?? 'status.thinking', isFading };
}
