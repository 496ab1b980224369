/** A window over the page: the browser's own, which keeps the focus and gives it back; Escape and a click beside it close. */
import { useEffect, useId, useRef, type ReactNode } from 'react';
import { useWords } from '../words/use-words.ts';
import { IconButton } from './button.tsx';
import './dialog.css';

export function Dialog({
  title,
  close,
  className = '',
  hasHead = true,
  children,
}: {
  readonly title: string;
  readonly close: () => void;
  readonly className?: string;
  /** False: the title is its name and not shown. */
  readonly hasHead?: boolean;
  readonly children: ReactNode;
}) {
  const { t } = useWords();
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={`dialog ${className}`}
      aria-labelledby={titleId}
      onClose={close}
      onKeyDown={(event) => {
        // It closes this, not what runs behind it.
        if (event.key === 'Escape') event.stopPropagation();
      }}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <div className="dialog-in">
        <header className={hasHead ? 'dialog-head' : 'sr'}>
          <h2 id={titleId}>{title}</h2>
          {hasHead ? <IconButton icon="x" label={t('shell.close')} isSmall onClick={close} /> : null}
        </header>
        {children}
      </div>
    </dialog>
  );
}
