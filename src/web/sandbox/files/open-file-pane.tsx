/** Editor and preview of the file that is open. */
import { useEffect } from 'react';
import type { FilesApi } from '../../api/files-api.ts';
import { useApp } from '../../app/use-app.ts';
import { Bones } from '../../ui/bones.tsx';
import { FilePreview } from '../../viewer/file-preview.tsx';
import { folderOf, hasPreview, isEdited } from '../../viewer/kind-of-file.ts';
import { useWords } from '../../words/use-words.ts';
import { EditorPane, NoFile } from './editor-pane.tsx';
import type { FileActs } from './use-file-acts.ts';
import { useOpenFile } from './use-open-file.ts';

export type OpenFilePaneProps = {
  readonly api: FilesApi;
  readonly draftKey: string;
  readonly path: string | undefined;
  readonly root: string;
  readonly acts: Pick<FileActs, 'rename' | 'remove'>;
  setUnsaved(path: string | undefined): void;
  chooseFiles(): void;
};

export function OpenFilePane({ path, ...props }: OpenFilePaneProps) {
  if (path !== undefined) return <Opened {...props} path={path} />;
  return (
    <section className="editor-pane wide">
      <NoFile upload={props.chooseFiles} />
    </section>
  );
}

function Opened({ api, draftKey, path, root, acts, setUnsaved }: OpenFilePaneProps & { readonly path: string }) {
  const { t } = useWords();
  const { drafts } = useApp();
  const file = useOpenFile(api, path, drafts, draftKey);
  const { isUnsaved } = file;
  useEffect(() => setUnsaved(isUnsaved ? path : undefined), [isUnsaved, path, setUnsaved]);
  const isOnlySeen = !isEdited(path);
  const text = file.read?.kind === 'text' ? file.text : undefined;
  // What stands only on disk is drawn anew when the disk has another.
  const preview =
    file.version === '' ? (
      <Bones label={t('page.loading')} count={6} />
    ) : (
      <FilePreview api={api} path={path} text={text} version={file.version} />
    );
  const folder = folderOf(path);
  const hasTwo = hasPreview(path) && !isOnlySeen;
  return (
    <>
      <section className={`editor-pane${hasTwo ? '' : ' wide'}${isOnlySeen ? ' seen' : ''}`}>
        <EditorPane
          api={api}
          path={path}
          shownFolder={folder === root ? '' : `${folder.slice(root.length + 1)}/`}
          file={file}
          preview={preview}
          rename={() => acts.rename(path)}
          remove={() => void acts.remove(path)}
        />
      </section>
      {isOnlySeen ? null : (
        <section className={`preview-pane${hasTwo ? '' : ' only-phone-pane'}`} aria-label={t('files.part-preview')}>
          <div className="head">
            <h2 className="grow muted">{t('files.part-preview')}</h2>
          </div>
          <div className="view">{hasTwo ? preview : <p className="empty">{t('files.no-preview')}</p>}</div>
        </section>
      )}
    </>
  );
}
