/** A diff: old line, new line, mark, text; on wide pages also side by side. Changed words are marked, long ones fold. */
import { useMemo, useState, type ReactNode } from 'react';
import type { DiffLine, View } from '../../../contract/output.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useMedia, wideQuery } from '../../ui/use-media.ts';
import { useWords } from '../../words/use-words.ts';
import { useShortPath } from '../conversation-context.ts';
import { exactLine } from '../exact-text.ts';
import { ExactPieces } from '../exact-view.tsx';
import { sideBySide } from './side-by-side.ts';
import { markWords, type MarkedPiece } from './word-marks.ts';

export type Diff = Extract<View, { kind: 'diff' }>;

const foldedLines = 200;
const keptChoice = 'handrail.diff';

export function DiffView({ diff }: { readonly diff: Diff }) {
  const { t, counted } = useWords();
  const [isWhole, setWhole] = useState(diff.lines.length <= foldedLines);
  const [isSplit, setSplit] = useState(() => localStorage.getItem(keptChoice) === 'split');
  const isWide = useMedia(wideQuery);
  const short = useShortPath();
  const lines = isWhole ? diff.lines : diff.lines.slice(0, foldedLines);
  const marks = useMemo(() => markWords(lines), [lines]);
  const choose = (): void => {
    localStorage.setItem(keptChoice, isSplit ? 'unified' : 'split');
    setSplit(!isSplit);
  };
  const Rows = isSplit && isWide ? SplitRows : UnifiedRows;
  return (
    <div className="code">
      <div className="code-head">
        <Icon name="file" isSmall />
        <span className="grow mono cut" title={exactLine(diff.path)}>
          {exactLine(short(diff.path))}
        </span>
        <DiffCounts added={diff.added} removed={diff.removed} />
        {isWide ? (
          <IconButton icon="side" isSmall label={t('diff.split')} aria-pressed={isSplit} onClick={choose} />
        ) : null}
        <CopyButton text={diffText(diff)} label={t('diff.copy')} />
      </div>
      <div className="scroll-x" tabIndex={0} role="region" aria-label={t('diff.of', { path: exactLine(diff.path) })}>
        <Rows lines={lines} marks={marks} />
      </div>
      {isWhole ? null : (
        <Button look="ghost" isSmall className="more" onClick={() => setWhole(true)}>
          {counted('diff.all', diff.lines.length)}
        </Button>
      )}
    </div>
  );
}

export function DiffCounts({ added, removed }: { readonly added: number; readonly removed: number }) {
  const { counted } = useWords();
  return (
    <>
      <span className="plus num" aria-label={counted('diff.added', added)} role="img">
        +{added}
      </span>
      <span className="minus num" aria-label={counted('diff.removed', removed)} role="img">
        −{removed}
      </span>
    </>
  );
}

type RowsProps = {
  readonly lines: readonly DiffLine[];
  readonly marks: ReadonlyMap<number, readonly MarkedPiece[]>;
};

const looks: Readonly<Record<DiffLine['kind'], { readonly className: string; readonly mark: string }>> = {
  context: { className: '', mark: ' ' },
  added: { className: 'a', mark: '+' },
  removed: { className: 'd', mark: '−' },
  hunk: { className: 'h', mark: '' },
};

function UnifiedRows({ lines, marks }: RowsProps) {
  const { t } = useWords();
  return (
    <table className="diff">
      <caption className="sr">{t('diff.caption')}</caption>
      <tbody>
        {lines.map((line, at) => (
          <tr key={at} className={looks[line.kind].className}>
            <td>{line.oldLine}</td>
            <td>{line.newLine}</td>
            <td>
              <LineText line={line} pieces={marks.get(at)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function SplitRows({ lines, marks }: RowsProps) {
  const { t } = useWords();
  const rows = useMemo(() => sideBySide(lines), [lines]);
  const side = (at: number | undefined, number: 'oldLine' | 'newLine'): ReactNode => {
    const line = at === undefined ? undefined : lines[at];
    if (line === undefined || at === undefined) return <td colSpan={2} className="none" />;
    const look = looks[line.kind].className;
    return (
      <>
        <td className={look}>{line[number]}</td>
        <td className={look}>
          <LineText line={line} pieces={marks.get(at)} />
        </td>
      </>
    );
  };
  return (
    <table className="diff split">
      <caption className="sr">{t('diff.split-caption')}</caption>
      <colgroup>
        <col className="number" />
        <col />
        <col className="number" />
        <col />
      </colgroup>
      <tbody>
        {rows.map(({ left, right }, at) => (
          <tr key={at}>
            {side(left, 'oldLine')}
            {side(right, 'newLine')}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function LineText({ line, pieces }: { readonly line: DiffLine; readonly pieces: readonly MarkedPiece[] | undefined }) {
  return (
    <>
      <span className="mark">{looks[line.kind].mark}</span>
      {pieces === undefined ? (
        <ExactPieces text={line.content} />
      ) : (
        pieces.map(({ text, isMarked }, at) =>
          isMarked ? (
            <mark key={at}>
              <ExactPieces text={text} />
            </mark>
          ) : (
            <ExactPieces key={at} text={text} />
          ),
        )
      )}
    </>
  );
}

function diffText(diff: Diff): string {
  const marks = { context: ' ', added: '+', removed: '-', hunk: '' };
  return diff.lines.map((line) => `${marks[line.kind]}${line.content}`).join('\n');
}
