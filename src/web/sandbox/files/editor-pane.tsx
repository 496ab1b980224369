/** The open file: what can be done with it, its text, and whether it is saved. */
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react';
import type { FilesApi } from '../../api/files-api.ts';
import { exactLine } from '../../chat/exact-text.ts';
import { Bones } from '../../ui/bones.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Notice } from '../../ui/notice.tsx';
import { NotText } from '../../viewer/file-preview.tsx';
import { isEdited, nameOf } from '../../viewer/kind-of-file.ts';
import { showBytes, showTime } from '../../words/amounts.ts';
import { useWords } from '../../words/use-words.ts';
import type { EditorPlace } from './code-editor.tsx';
import { ConflictDialog } from './conflict-dialog.tsx';
import type { OpenedFile } from './use-open-file.ts';

const CodeEditor = lazy(async () => ({ default: (await import('./code-editor.tsx')).CodeEditor }));

export type EditorPaneProps = {
  readonly api: FilesApi;
  readonly path: string;
  /** As it is shown: from its place on. */
  readonly shownFolder: string;
  readonly file: OpenedFile;
  /** Stands where a text would, for what is only seen. */
  readonly preview: ReactNode;
  rename(): void;
  remove(): void;
};

export function EditorPane(props: EditorPaneProps) {
  const { path, file, preview } = props;
  const { t } = useWords();
  const [place, setPlace] = useState<EditorPlace>();
  const [isComparing, setComparing] = useState(false);
  const { read, theirs } = file;
  useLeaveWarning(file.isUnsaved);
  const save = async (): Promise<void> => {
    if (theirs !== undefined || (await file.save()) === 'changed') setComparing(true);
  };
  return (
    <>
      <Head {...props} save={() => void save()} />
      <Told file={file} compare={() => setComparing(true)} />
      <Body path={path} file={file} preview={preview} save={() => void save()} moved={setPlace} />
      <footer className="ide-foot num">
        {place === undefined || read?.kind !== 'text' ? null : (
          <span>{t('files.place', { line: place.line, column: place.column })}</span>
        )}
        {read === undefined ? null : <span>{showBytes(read.info.bytes)}</span>}
        <span className="hide-narrow">{t('files.trash-note')}</span>
      </footer>
      {isComparing && theirs !== undefined ? (
        <ConflictDialog mine={file.text} file={file} theirs={theirs.text} close={() => setComparing(false)} />
      ) : null}
    </>
  );
}

function Head({ api, path, shownFolder, file, rename, remove, save }: EditorPaneProps & { save(): void }) {
  const { t } = useWords();
  return (
    <div className="head">
      <h2 className="grow cut" title={exactLine(path)}>
        {exactLine(nameOf(path))} <span className="muted hide-narrow">{exactLine(shownFolder)}</span>
      </h2>
      {file.isUnsaved ? <span className="badge ask">{t('files.unsaved')}</span> : null}
      <a
        className="btn ghost square small"
        href={api.address(path, { isDownload: true })}
        download
        aria-label={t('files.download')}
        title={t('files.download')}
      >
        <Icon name="load" />
      </a>
      <Menu
        label={t('files.more')}
        items={[
          { icon: 'pencil', label: t('files.rename'), choose: rename },
          { icon: 'trash', label: t('files.to-trash'), isDanger: true, choose: remove },
        ]}
      />
      {file.read?.kind === 'text' ? (
        <Button
          look="primary"
          isSmall
          isBusy={file.isSaving}
          disabled={!file.isUnsaved && file.theirs === undefined}
          title="Ctrl S"
          onClick={save}
        >
          {t('files.save')}
        </Button>
      ) : null}
    </div>
  );
}

/** What happened to the file beside what is typed. */
function Told({ file: { theirs, problem }, compare }: { readonly file: OpenedFile; compare(): void }) {
  const { t } = useWords();
  return (
    <>
      {theirs === undefined ? null : (
        <Notice
          icon="warn"
          look="ask"
          role="alert"
          actions={
            <Button isSmall onClick={compare}>
              {t('files.compare')}
            </Button>
          }
        >
          {t('files.changed', { time: showTime(Date.parse(theirs.info.modifiedAt)) })}
        </Notice>
      )}
      {problem === '' ? null : (
        <Notice icon="warn" look="bad" role="alert">
          {problem}
        </Notice>
      )}
    </>
  );
}

function Body({
  path,
  file,
  preview,
  save,
  moved,
}: Pick<EditorPaneProps, 'path' | 'file' | 'preview'> & {
  save(): void;
  moved(place: EditorPlace): void;
}) {
  const { t } = useWords();
  const { read } = file;
  if (!isEdited(path)) return <div className="view">{preview}</div>;
  if (read === undefined) return file.problem === '' ? <Bones label={t('page.loading')} count={6} /> : null;
  if (read.kind !== 'text') return <NotText read={read} />;
  return (
    <Suspense fallback={<Bones label={t('page.loading')} count={6} />}>
      <CodeEditor
        name={path}
        label={t('files.editor', { name: exactLine(nameOf(path)) })}
        start={file.start}
        changed={file.type}
        save={save}
        moved={moved}
      />
    </Suspense>
  );
}

/** Typed text is kept in this browser, but not for ever. */
function useLeaveWarning(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isUnsaved]);
}

export function NoFile({ upload }: { upload(): void }) {
  const { t } = useWords();
  return (
    <div className="empty">
      <h2>{t('files.nothing-open')}</h2>
      <p>{t('files.nothing-open-text')}</p>
      <Button isSmall onClick={upload}>
        <Icon name="upload" />
        {t('files.upload')}
      </Button>
    </div>
  );
}

export function CloseNotice({ close }: { close(): void }) {
  const { t } = useWords();
  return <IconButton icon="x" label={t('shell.close')} isSmall onClick={close} />;
}
