/** The chips of what is attached: pictures as themselves, files by name and size, each with its way out. */
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { showBytes } from '../../words/amounts.ts';
import { useWords } from '../../words/use-words.ts';
import { type Attachment, maxImages } from './attachment.ts';
import type { Attachments } from './use-attachments.ts';

export function AttachmentList({ attachments }: { readonly attachments: Pick<Attachments, 'all' | 'remove'> }) {
  const { t } = useWords();
  if (attachments.all.length === 0) return null;
  return (
    <ul className="files" aria-label={t('attach.list')}>
      {attachments.all.map((each) => (
        <li key={each.id} className={each.kind === 'refused' ? 'file bad' : 'file'}>
          <Picture attachment={each} />
          <span className="cut" title={each.name}>
            {each.name === '' ? t('attach.image') : each.name}
          </span>
          <State attachment={each} />
          <IconButton
            icon="x"
            label={t('attach.remove', { name: each.name === '' ? t('attach.image') : each.name })}
            isSmall
            onClick={() => attachments.remove(each.id)}
          />
        </li>
      ))}
    </ul>
  );
}

function Picture({ attachment }: { readonly attachment: Attachment }) {
  switch (attachment.kind) {
    case 'image':
      return <img src={`data:${attachment.mediaType};base64,${attachment.data}`} alt="" width={36} height={36} />;
    case 'refused':
      return <Icon name="warn" />;
    case 'reading':
    case 'file':
      return <Icon name="file" />;
  }
}

function State({ attachment }: { readonly attachment: Attachment }) {
  const { t } = useWords();
  switch (attachment.kind) {
    case 'reading':
      return <span className="muted">{t('attach.reading')}</span>;
    case 'file':
      return attachment.sent === undefined ? (
        <span className="muted num">{showBytes(attachment.file.size)}</span>
      ) : (
        <progress aria-label={t('attach.uploading', { name: attachment.name })} value={attachment.sent} />
      );
    case 'refused':
      return <span role="alert">{t(`attach.problem-${attachment.problem}`, { most: maxImages })}</span>;
    case 'image':
      return null;
  }
}
