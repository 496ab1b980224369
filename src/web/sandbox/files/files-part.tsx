/** The files of the sandbox: tree, editor and preview; on a phone one of them at a time. */
import { useCallback, useEffect, useMemo, useRef, useState, type DragEvent } from 'react';
import type { FilePlaces } from '../../../contract/person-files.ts';
import { createFilesApi, type FilesApi } from '../../api/files-api.ts';
import { useApp, useStore } from '../../app/use-app.ts';
import { Bones } from '../../ui/bones.tsx';
import { Button } from '../../ui/button.tsx';
import { folderOf } from '../../viewer/kind-of-file.ts';
import { useWords } from '../../words/use-words.ts';
import type { SandboxPartProps } from '../sandbox-view.tsx';
import { useFailureWords } from '../userland/use-sandbox.ts';
import { isInside } from './is-inside.ts';
import { NameDialog } from './name-dialog.tsx';
import { OpenFilePane } from './open-file-pane.tsx';
import { TreePane } from './tree-pane.tsx';
import { useFileActs } from './use-file-acts.ts';
import { useFileTree } from './use-file-tree.ts';
import './files.css';

export type PlaceName = 'home' | 'workspace';

/** What a phone shows. */
export type ShownPart = 'tree' | 'editor' | 'preview';

export function FilesPart({ conversationId }: SandboxPartProps) {
  const { t } = useWords();
  const { request } = useApp();
  const failureWords = useFailureWords();
  const api = useMemo(() => createFilesApi(request, conversationId), [request, conversationId]);
  const [places, setPlaces] = useState<FilePlaces>();
  const [problem, setProblem] = useState('');
  const load = useCallback((): void => {
    setProblem('');
    api.places().then(setPlaces, (error: unknown) => setProblem(failureWords(error)));
  }, [api, failureWords]);
  useEffect(load, [load]);
  if (problem !== '') {
    return (
      <div className="empty">
        <h2>{t('files.failed')}</h2>
        <p>{problem}</p>
        <Button isSmall onClick={load}>
          {t('again')}
        </Button>
      </div>
    );
  }
  if (places === undefined) return <Bones label={t('page.loading')} count={6} />;
  return <Files key={conversationId ?? ''} api={api} places={places} conversationId={conversationId} />;
}

type FilesProps = {
  readonly api: FilesApi;
  readonly places: FilePlaces;
  readonly conversationId: string | undefined;
};

function Files({ api, places, conversationId }: FilesProps) {
  const { t } = useWords();
  const files = useFiles(api, places, conversationId);
  const { tree, acts, part, path, folder } = files;
  const input = useRef<HTMLInputElement>(null);
  const chooseFiles = (): void => input.current?.click();
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    void acts.upload(folder, [...event.dataTransfer.files]);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the button does the same
    <div className="files-part" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <PartChoice part={part} choose={files.setPart} />
      <div className="ide" data-part={part}>
        <TreePane {...files} places={places} tree={tree} selected={path} chooseFiles={chooseFiles} />
        <OpenFilePane
          key={path ?? ''}
          api={api}
          draftKey={files.draftKeyOf(path ?? '')}
          path={path}
          root={files.root}
          acts={acts}
          setUnsaved={files.setUnsaved}
          chooseFiles={chooseFiles}
        />
      </div>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t('files.upload')}
        onChange={(event) => {
          const chosen = [...(event.target.files ?? [])];
          event.target.value = '';
          void acts.upload(folder, chosen);
        }}
      />
      {acts.wish === undefined ? null : <NameDialog wish={acts.wish} close={acts.closeWish} />}
    </div>
  );
}

function PartChoice({ part, choose }: { readonly part: ShownPart; choose(part: ShownPart): void }) {
  const { t } = useWords();
  return (
    <div className="only-phone pane-bar">
      <div className="seg fill grow" role="group" aria-label={t('files.part')}>
        {(['tree', 'editor', 'preview'] as const).map((each) => (
          <button key={each} type="button" aria-pressed={part === each} onClick={() => choose(each)}>
            {t(`files.part-${each}`)}
          </button>
        ))}
      </div>
    </div>
  );
}

/** Which place, which row, which file; and what is done with them. */
function useFiles(api: FilesApi, places: FilePlaces, conversationId: string | undefined) {
  const { drafts } = useApp();
  const [placeName, setPlace] = useState<PlaceName>('home');
  const root = (placeName === 'workspace' ? places.workspace : undefined) ?? places.home;
  const tree = useFileTree(api, root);
  const [active, setActive] = useState<string>();
  const [path, setPath] = useState<string>();
  const [part, setPart] = useState<ShownPart>('tree');
  // What is kept of unsaved texts is read when this changes.
  const [, setUnsaved] = useState<string>();
  const draftKeyOf = (file: string): string => `file:${conversationId ?? ''}:${file}`;

  const open = useCallback((file: string): void => {
    setActive(file);
    setPath(file);
    setPart('editor');
  }, []);
  const acts = useFileActs(api, {
    changed: tree.look,
    opened: open,
    moved(from, to) {
      setActive(to);
      if (path === undefined || !isInside(path, from)) return;
      const moved = to + path.slice(from.length);
      // What was typed goes along.
      drafts.set(draftKeyOf(moved), drafts.get(draftKeyOf(path)));
      drafts.set(draftKeyOf(path), '');
      setPath(moved);
    },
    gone: (file) => {
      if (path !== undefined && isInside(path, file)) setPath(undefined);
    },
  });
  useFileToShow(places, setPlace, open, tree.reveal, root);
  const setPlaceName = (name: PlaceName): void => {
    setPlace(name);
    setActive(undefined);
  };
  const row = tree.rows.find((each) => each.path === active);
  const folder = row === undefined ? root : row.isFolder ? row.path : folderOf(row.path);
  const unsaved = (file: string): boolean => drafts.get(draftKeyOf(file)) !== '';
  return {
    ...{ placeName, root, tree, active, path, part, acts, folder, unsaved },
    ...{ setPlaceName, setActive, setPart, setUnsaved, draftKeyOf, open },
  };
}

/** A link of the chat leads here: to the place in which its file lies. */
function useFileToShow(
  places: FilePlaces,
  setPlaceName: (name: PlaceName) => void,
  open: (path: string) => void,
  reveal: (path: string) => Promise<void>,
  root: string,
): void {
  const { navigation } = useApp();
  const wanted = useStore(navigation.fileToShow);
  const [shown, setShown] = useState<string>();
  useEffect(() => {
    if (wanted === undefined) return;
    navigation.fileToShow.set(undefined);
    const path = wanted.startsWith('~/') ? places.home + wanted.slice(1) : wanted;
    const absolute = path.startsWith('/') ? path : `${places.workspace ?? places.home}/${path}`;
    const isInWorkspace = places.workspace !== undefined && isInside(absolute, places.workspace);
    setPlaceName(isInWorkspace ? 'workspace' : 'home');
    open(absolute);
    setShown(absolute);
  }, [wanted, places, navigation, setPlaceName, open]);
  useEffect(() => {
    if (shown !== undefined) void reveal(shown);
  }, [shown, reveal, root]);
}
