/** The files of the sandbox: tree, editor and preview; on a phone one of them at a time. */
import { useCallback, useEffect, useMemo, useRef, useState, type DragEvent } from 'react';
import type { FilePlaces } from '../../../contract/person-files.ts';
import { createFilesApi, type FilesApi } from '../../api/files-api.ts';
import { useApp, useStore } from '../../app/use-app.ts';
import { Bones } from '../../ui/bones.tsx';
import { Button } from '../../ui/button.tsx';
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

function Files({
  api,
  places,
  conversationId,
}: {
  readonly api: FilesApi;
  readonly places: FilePlaces;
  readonly conversationId: string | undefined;
}) {
  const { t } = useWords();
  const [placeName, setPlaceName] = useState<PlaceName>('home');
  const root = (placeName === 'workspace' ? places.workspace : undefined) ?? places.home;
  const tree = useFileTree(api, root);
  const [active, setActive] = useState<string>();
  const [path, setPath] = useState<string>();
  const [part, setPart] = useState<ShownPart>('tree');
  const [unsaved, setUnsaved] = useState<string>();
  const { reveal } = tree;

  const open = useCallback((file: string): void => {
    setActive(file);
    setPath(file);
    setPart('editor');
  }, []);
  const acts = useFileActs(api, {
    changed: tree.look,
    opened: open,
    moved: (from, to) => {
      setActive(to);
      if (path !== undefined && isInside(path, from)) setPath(to + path.slice(from.length));
    },
    gone: (file) => {
      if (path !== undefined && isInside(path, file)) setPath(undefined);
    },
  });
  useFileToShow(places, setPlaceName, open, reveal, root);

  const input = useRef<HTMLInputElement>(null);
  const row = tree.rows.find((each) => each.path === active);
  const folder = row === undefined ? root : row.isFolder ? row.path : row.path.slice(0, row.path.lastIndexOf('/'));
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    void acts.upload(folder, [...event.dataTransfer.files]);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the button does the same
    <div className="files-part" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <div className="only-phone pane-bar">
        <div className="seg fill grow" role="group" aria-label={t('files.part')}>
          {(['tree', 'editor', 'preview'] as const).map((each) => (
            <button key={each} type="button" aria-pressed={part === each} onClick={() => setPart(each)}>
              {t(`files.part-${each}`)}
            </button>
          ))}
        </div>
      </div>
      <div className="ide" data-part={part}>
        <TreePane
          places={places}
          placeName={placeName}
          setPlaceName={(name) => {
            setPlaceName(name);
            setActive(undefined);
          }}
          tree={tree}
          active={active}
          selected={path}
          unsaved={unsaved}
          folder={folder}
          acts={acts}
          setActive={setActive}
          open={open}
          chooseFiles={() => input.current?.click()}
        />
        <OpenFilePane
          key={path ?? ''}
          api={api}
          conversationId={conversationId}
          path={path}
          root={root}
          acts={acts}
          setUnsaved={setUnsaved}
          chooseFiles={() => input.current?.click()}
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
