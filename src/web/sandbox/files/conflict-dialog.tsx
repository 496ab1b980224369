/** A file that was changed by something else while it was edited: both versions, and the ways out. */
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useWords } from '../../words/use-words.ts';
import type { OpenedFile } from './use-open-file.ts';

export function ConflictDialog({
  mine,
  theirs,
  file,
  close,
}: {
  readonly mine: string;
  readonly theirs: string;
  readonly file: Pick<OpenedFile, 'keepMine' | 'takeTheirs' | 'isSaving'>;
  readonly close: () => void;
}) {
  const { t } = useWords();
  const [first, last] = differingLines(mine, theirs);
  return (
    <Dialog title={t('files.conflict')} close={close} className="conflict">
      <div className="conflict-body">
        <p>{t('files.conflict-text')}</p>
        <div className="versions">
          <Version title={t('files.mine')} text={mine} first={first} last={last.mine} />
          <Version title={t('files.theirs')} text={theirs} first={first} last={last.theirs} />
        </div>
        <div className="actions">
          <Button onClick={close}>{t('files.go-on')}</Button>
          <Button
            onClick={() => {
              file.takeTheirs();
              close();
            }}
          >
            {t('files.take-theirs')}
          </Button>
          <Button
            look="primary"
            isBusy={file.isSaving}
            onClick={() => void file.keepMine().then((end) => end === 'saved' && close())}
          >
            {t('files.keep-mine')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function Version({
  title,
  text,
  first,
  last,
}: {
  readonly title: string;
  readonly text: string;
  /** The lines between these differ. */
  readonly first: number;
  readonly last: number;
}) {
  const lines = text.split('\n');
  // What surrounds the change says where it is.
  const from = Math.max(0, first - 3);
  const shown = lines.slice(from, Math.min(last + 3, from + 400));
  return (
    <section>
      <h3>{title}</h3>
      <pre tabIndex={0} role="region" aria-label={title}>
        {shown.map((line, at) => (
          <span key={at} className={from + at >= first && from + at < last ? 'differs' : undefined}>
            <span className="num muted">{from + at + 1}</span> {line}
            {'\n'}
          </span>
        ))}
      </pre>
    </section>
  );
}

/** From the first line that differs to behind the last that does, in both. */
function differingLines(
  mine: string,
  theirs: string,
): readonly [first: number, last: { readonly mine: number; readonly theirs: number }] {
  const [left, right] = [mine.split('\n'), theirs.split('\n')];
  let first = 0;
  while (first < left.length && first < right.length && left[first] === right[first]) first += 1;
  let same = 0;
  const most = Math.min(left.length, right.length) - first;
  while (same < most && left.at(-1 - same) === right.at(-1 - same)) same += 1;
  return [first, { mine: left.length - same, theirs: right.length - same }];
}
