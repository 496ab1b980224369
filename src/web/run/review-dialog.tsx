/** All changes of a conversation's files, one below the other. */
import { useEffect, useRef } from 'react';
import { exactLine } from '../chat/exact-text.ts';
import { DiffView } from '../chat/views/diff-view.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useWords } from '../words/use-words.ts';
import type { ChangedFile } from './fold-run.ts';

export function ReviewDialog({
  files,
  first,
  close,
}: {
  readonly files: readonly ChangedFile[];
  /** The path that is shown first. Empty: from the beginning. */
  readonly first: string;
  readonly close: () => void;
}) {
  const { t } = useWords();
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (first !== '') body.current?.querySelector(`[data-path="${CSS.escape(first)}"]`)?.scrollIntoView();
  }, [first]);
  return (
    <Dialog title={t('run.files')} className="review" close={close}>
      <div ref={body} className="review-body" tabIndex={0} role="region" aria-label={t('run.files')}>
        {files.map(({ path, diffs }) => (
          <section key={path} data-path={path} aria-label={exactLine(path)}>
            {diffs.map((diff, at) => (
              <DiffView key={at} diff={diff} />
            ))}
          </section>
        ))}
      </div>
    </Dialog>
  );
}
