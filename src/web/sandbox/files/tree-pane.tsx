/** The tree with its place, and what can be done in it. */
import { exactLine } from '../../chat/exact-text.ts';
import type { FilePlaces } from '../../../contract/person-files.ts';
import { Bones } from '../../ui/bones.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { Notice } from '../../ui/notice.tsx';
import { nameOf } from '../../viewer/kind-of-file.ts';
import { useWords } from '../../words/use-words.ts';
import type { Words } from '../../words/words.ts';
import { CloseNotice } from './editor-pane.tsx';
import { FileTree } from './file-tree.tsx';
import type { PlaceName } from './files-part.tsx';
import type { FileActs } from './use-file-acts.ts';
import type { FileTree as TreeState } from './use-file-tree.ts';

export type TreePaneProps = {
  readonly places: FilePlaces;
  readonly placeName: PlaceName;
  readonly tree: TreeState;
  readonly active: string | undefined;
  readonly selected: string | undefined;
  readonly unsaved: (path: string) => boolean;
  /** Where new things go. */
  readonly folder: string;
  readonly acts: FileActs;
  setPlaceName(name: PlaceName): void;
  setActive(path: string): void;
  open(path: string): void;
  chooseFiles(): void;
};

export function TreePane(props: TreePaneProps) {
  const { t } = useWords();
  const { places, placeName, tree, acts } = props;
  return (
    <section className="tree-pane" aria-label={t('files.part-tree')}>
      <div className="head">
        {places.workspace === undefined ? (
          <span className="grow cut muted">{t('files.home')}</span>
        ) : (
          <div className="seg" role="group" aria-label={t('files.place-label')}>
            {(['home', 'workspace'] as const).map((each) => (
              <button
                key={each}
                type="button"
                aria-pressed={placeName === each}
                title={exactLine(places[each] ?? '')}
                onClick={() => props.setPlaceName(each)}
              >
                {t(`files.${each}`)}
              </button>
            ))}
          </div>
        )}
        <Menu label={t('files.tree-more')} items={menuOf(props, t)} />
        <IconButton icon="upload" label={t('files.upload')} isSmall onClick={props.chooseFiles} />
      </div>
      <Told acts={acts} />
      <Rows {...props} />
      {tree.isCut ? <p className="xs muted tree-note">{t('files.cut')}</p> : null}
    </section>
  );
}

function menuOf({ active, acts, folder, tree }: TreePaneProps, t: Words['t']): readonly MenuItem[] {
  const always: readonly MenuItem[] = [
    { icon: 'file', label: t('files.new-file'), choose: () => acts.newFile(folder) },
    { icon: 'folder', label: t('files.new-folder'), choose: () => acts.newFolder(folder) },
    { icon: 'again', label: t('files.look-again'), choose: () => void tree.look(folder) },
  ];
  if (active === undefined) return always;
  const name = exactLine(nameOf(active));
  return [
    ...always,
    { icon: 'pencil', label: t('files.rename-one', { name }), choose: () => acts.rename(active) },
    { icon: 'trash', label: t('files.remove-one', { name }), isDanger: true, choose: () => void acts.remove(active) },
  ];
}

function Rows({ tree, active, selected, unsaved, acts, placeName, setActive, open }: TreePaneProps) {
  const { t } = useWords();
  if (tree.problem !== '' && tree.rows.length === 0) return <p className="empty">{tree.problem}</p>;
  if (!tree.isRead) return <Bones label={t('page.loading')} count={6} />;
  if (tree.rows.length === 0) return <p className="empty">{t('files.empty')}</p>;
  return (
    <FileTree
      label={t(`files.tree-${placeName}`)}
      rows={tree.rows}
      active={active}
      selected={selected}
      unsaved={unsaved}
      setActive={setActive}
      open={(row) => open(row.path)}
      toggle={tree.toggle}
      rename={(row) => acts.rename(row.path)}
      remove={(row) => void acts.remove(row.path)}
    />
  );
}

/** What was done a moment ago, with the way back; what goes on; what went wrong. */
function Told({ acts }: { readonly acts: FileActs }) {
  const { t } = useWords();
  const { removed, sending, problem, taken } = acts;
  return (
    <div className="told" role="status">
      {sending === undefined ? null : (
        <p className="xs tree-note">
          {t('files.sending', { name: exactLine(sending.name), percent: Math.round(sending.part * 100) })}
        </p>
      )}
      {removed === undefined ? null : (
        <Notice
          icon="trash"
          actions={
            <>
              <Button isSmall onClick={() => void acts.undo()}>
                {t('undo')}
              </Button>
              <CloseNotice close={acts.dismiss} />
            </>
          }
        >
          {t('files.removed', { name: exactLine(nameOf(removed)) })}
        </Notice>
      )}
      {taken.map(({ name, replace }) => (
        <Notice
          key={name}
          icon="warn"
          look="ask"
          actions={
            <>
              <Button isSmall onClick={replace}>
                {t('files.replace')}
              </Button>
              <CloseNotice close={acts.dismiss} />
            </>
          }
        >
          {t('files.taken', { name: exactLine(name) })}
        </Notice>
      ))}
      {problem === '' ? null : (
        <Notice icon="warn" look="bad" actions={<CloseNotice close={acts.dismiss} />}>
          {problem}
        </Notice>
      )}
    </div>
  );
}
