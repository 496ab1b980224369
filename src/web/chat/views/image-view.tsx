/** A picture of a result, in room that is there before it is; a press shows it as large as the page. */
import { useState } from 'react';
import { fileAddress } from '../../api/file-address.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useWords } from '../../words/use-words.ts';
import { useConversationId } from '../conversation-context.ts';
import { exactLine } from '../exact-text.ts';
import { FileLink } from './files-view.tsx';

export function ImageView({ path, alt }: { readonly path: string; readonly alt: string }) {
  const { t } = useWords();
  const address = fileAddress(useConversationId(), path);
  const [isLarge, setLarge] = useState(false);
  const [isBroken, setBroken] = useState(false);
  const words = alt === '' ? exactLine(path) : exactLine(alt);
  return (
    <>
      {isBroken ? (
        <p className="xs muted">{t('image.broken')}</p>
      ) : (
        <button type="button" className="picture" title={t('image.enlarge')} onClick={() => setLarge(true)}>
          <img src={address} alt={words} loading="lazy" onError={() => setBroken(true)} />
        </button>
      )}
      <FileLink path={path} />
      {isLarge ? (
        <Dialog title={words} className="picture-large" close={() => setLarge(false)}>
          <img src={address} alt={words} />
        </Dialog>
      ) : null}
    </>
  );
}
