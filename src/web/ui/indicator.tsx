/** The one indicator of all places: a pulsing dot, and words that change while something is waited for. */
import { useEffect, useLayoutEffect, useRef, useState, type CSSProperties, type RefObject } from 'react';
import { useWords } from '../words/use-words.ts';
import type { WordKey } from '../words/words.ts';

/** Alive it pulses; the other looks stand still. `sizePx` omitted: 8, as in lists. */
export function Dot({
  look = 'live',
  label,
  sizePx,
}: {
  readonly look?: 'live' | 'ask' | 'bad' | 'off';
  readonly label?: string;
  readonly sizePx?: number;
}) {
  const style = sizePx === undefined ? undefined : cssOf({ '--d': `${sizePx}px` });
  return label === undefined ? (
    <span className={`dot ${look}`} style={style} aria-hidden="true" />
  ) : (
    <span className={`dot ${look}`} style={style} role="img" aria-label={label} title={label} />
  );
}

/** React's types know no custom properties: https://react.dev/reference/react-dom/components/common#applying-css-styles */
const cssOf = (properties: Readonly<Record<`--${string}`, string>>): CSSProperties => properties;

const wordKeys: readonly WordKey[] = ['status.thinking', 'status.working', 'status.brewing'];
const wordMs = 3_000;
const fadeMs = 200;

/** `tools`: display names of what runs now. One is named, several are counted. `className`: of its words. */
export function StatusChip({
  tools,
  dotPx = 16,
  look = 'live',
  className = '',
}: {
  readonly tools: readonly string[];
  readonly dotPx?: number;
  readonly look?: 'live' | 'ask' | 'bad' | 'off';
  readonly className?: string;
}) {
  const { t, counted } = useWords();
  const { key, isFading } = useRotatingWord();
  const [only] = tools;
  const after = only === undefined ? '' : ` · ${tools.length === 1 ? only : counted('status.tools', tools.length)}`;
  const { text, widthPx } = useTextWidth();
  return (
    <span
      className="status"
      role="img"
      aria-label={`${t('status.label')}${after}`}
      style={widthPx === undefined ? undefined : cssOf({ '--words': `${widthPx}px`, '--dot': `${dotPx}px` })}
    >
      <Dot look={look} sizePx={dotPx} />
      <span className={`status-words ${className}`}>
        <span ref={text} className="status-text">
          <span className={isFading ? 'word fading' : 'word'}>{t(key)}</span>
          {after}
        </span>
      </span>
    </span>
  );
}

/** A width that is not written out cannot be animated: it is measured, and the chip is as wide as its words. */
function useTextWidth(): { readonly text: RefObject<HTMLSpanElement | null>; readonly widthPx: number | undefined } {
  const text = useRef<HTMLSpanElement>(null);
  const [widthPx, setWidth] = useState<number>();
  useLayoutEffect(() => {
    const words = text.current;
    if (words === null) return;
    const measure = (): void => setWidth(Math.ceil(words.getBoundingClientRect().width));
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(words);
    return () => watch.disconnect();
  }, []);
  return { text, widthPx };
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
