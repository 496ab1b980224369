/** The composer's button for files and pictures. */
import { useRef } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { useWords } from '../../words/use-words.ts';
import type { Attachments } from './use-attachments.ts';

export function AttachButton({ attachments }: { readonly attachments: Pick<Attachments, 'add'> }) {
  const { t } = useWords();
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton icon="clip" label={t('attach.add')} isSmall onClick={() => field.current?.click()} />
      <input
        ref={field}
        type="file"
        multiple
        hidden
        aria-label={t('attach.add')}
        onChange={(event) => {
          attachments.add([...(event.target.files ?? [])]);
          // The same one can be chosen again after it was removed.
          event.target.value = '';
        }}
      />
    </>
  );
}
