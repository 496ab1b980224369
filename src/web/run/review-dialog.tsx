/** All changes of a conversation's files, one below the other. */
import { useEffect, useRef } from 'react';
import { exactLine } from '../chat/exact-text.ts';
import { DiffView } from '../chat/views/diff-view.tsx';
import { IconButton } from '../ui/button.tsx';
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
  const { t, counted } = useWords();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const shown = dialog.current;
    if (shown === null) return;
    shown.showModal();
    if (first !== '') shown.querySelector(`[data-path="${CSS.escape(first)}"]`)?.scrollIntoView();
    return () => shown.close();
  }, [first]);
  return (
    <dialog
      ref={dialog}
      className="review"
      aria-label={t('run.files')}
      onClose={close}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <header className="row">
        <h2 className="grow">
          {t('run.files')} <span className="muted">{counted('steps.changed', files.length)}</span>
        </h2>
        <IconButton icon="x" label={t('shell.close')} onClick={close} />
      </header>
      <div className="review-body" tabIndex={0} role="region" aria-label={t('run.files')}>
        {files.map(({ path, diffs }) => (
          <section key={path} data-path={path} aria-label={exactLine(path)}>
            {diffs.map((diff, at) => (
              <DiffView key={at} diff={diff} />
            ))}
          </section>
        ))}
      </div>
    </dialog>
  );
}
