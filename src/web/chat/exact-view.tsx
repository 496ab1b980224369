/** Text with every hidden character shown, and what was counted in it. */
import { useWords } from '../words/use-words.ts';
import { exactText } from './exact-text.ts';

export function ExactPieces({ text }: { readonly text: string }) {
  return exactText(text).pieces.map((piece, at) =>
    piece.isEscape ? (
      <span key={at} className="ctl">
        {piece.text}
      </span>
    ) : (
      piece.text
    ),
  );
}

/** "75 bytes, no hidden characters". */
export function ExactCount({ text }: { readonly text: string }) {
  const { t, counted } = useWords();
  const { bytes, hidden } = exactText(text);
  return (
    <span className={hidden > 0 ? 'warn' : undefined}>
      {counted('exact.bytes', bytes)}, {hidden === 0 ? t('exact.none-hidden') : counted('exact.hidden', hidden)}
    </span>
  );
}
