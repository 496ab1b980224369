/** A diff, unified: old line, new line, mark, text. */
import type { DiffLine, View } from '../../../contract/output.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useWords } from '../../words/use-words.ts';
import { exactLine } from '../exact-text.ts';
import { ExactPieces } from '../exact-view.tsx';

type Diff = Extract<View, { kind: 'diff' }>;

const looks: Readonly<Record<DiffLine['kind'], { readonly className: string; readonly mark: string }>> = {
  context: { className: '', mark: ' ' },
  added: { className: 'a', mark: '+' },
  removed: { className: 'd', mark: '−' },
  hunk: { className: 'h', mark: '' },
};

export function DiffView({ diff }: { readonly diff: Diff }) {
  const { t } = useWords();
  return (
    <div className="code">
      <div className="code-head">
        <Icon name="file" isSmall />
        <span className="grow mono cut">{exactLine(diff.path)}</span>
        <DiffCounts added={diff.added} removed={diff.removed} />
        <CopyButton text={diffText(diff)} label={t('diff.copy')} />
      </div>
      <div className="scroll-x" tabIndex={0} role="region" aria-label={t('diff.of', { path: exactLine(diff.path) })}>
        <table className="diff">
          <caption className="sr">{t('diff.caption')}</caption>
          <tbody>
            {diff.lines.map((line, at) => (
              <Line key={at} line={line} />
            ))}
          </tbody>
        </table>
      </div>
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

function Line({ line }: { readonly line: DiffLine }) {
  const { className, mark } = looks[line.kind];
  return (
    <tr className={className}>
      <td>{line.oldLine}</td>
      <td>{line.newLine}</td>
      <td>
        <span className="mark">{mark}</span>
        <ExactPieces text={line.content} />
      </td>
    </tr>
  );
}

function diffText(diff: Diff): string {
  const marks = { context: ' ', added: '+', removed: '-', hunk: '' };
  return diff.lines.map((line) => `${marks[line.kind]}${line.content}`).join('\n');
}
