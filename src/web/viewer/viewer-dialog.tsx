/** One file over the page, to be seen, opened in Files or downloaded. */
import { useMemo } from 'react';
import { createFilesApi } from '../api/files-api.ts';
import { useApp } from '../app/use-app.ts';
import { exactLine } from '../chat/exact-text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { useWords } from '../words/use-words.ts';
import { FilePreview } from './file-preview.tsx';
import { nameOf } from './kind-of-file.ts';

export type ViewedFile = { readonly conversationId: string | undefined; readonly path: string };

export function ViewerDialog({ file, close }: { readonly file: ViewedFile; readonly close: () => void }) {
  const { t } = useWords();
  const { request, navigation } = useApp();
  const api = useMemo(() => createFilesApi(request, file.conversationId), [request, file.conversationId]);
  return (
    <Dialog title={exactLine(nameOf(file.path))} close={close} className="viewer">
      <div className="viewer-body">
        <FilePreview api={api} path={file.path} runsScripts />
      </div>
      <footer className="dialog-foot">
        <span className="xs muted mono cut grow" title={exactLine(file.path)}>
          {exactLine(file.path)}
        </span>
        <a className="btn small" href={api.address(file.path, { isDownload: true })} download>
          <Icon name="load" />
          {t('files.download')}
        </a>
        <Button
          isSmall
          onClick={() => {
            close();
            navigation.showFile(file.path);
          }}
        >
          {t('viewer.in-files')}
        </Button>
      </footer>
    </Dialog>
  );
}
