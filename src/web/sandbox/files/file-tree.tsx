/** The tree of files, after WAI-ARIA's pattern: one stop of the Tab key, arrows inside; only the rows in sight are drawn. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useId, useRef, type KeyboardEvent } from 'react';
import { exactLine } from '../../chat/exact-text.ts';
import { Icon } from '../../ui/icon.tsx';
import { useMedia } from '../../ui/use-media.ts';
import { lookOf } from '../../viewer/kind-of-file.ts';
import { useWords } from '../../words/use-words.ts';
import { keyTarget, type TreeRow } from './fold-tree.ts';

export type FileTreeProps = {
  readonly label: string;
  readonly rows: readonly TreeRow[];
  /** The row that keys work on. */
  readonly active: string | undefined;
  /** The file that is open. */
  readonly selected: string | undefined;
  readonly unsaved: (path: string) => boolean;
  setActive(path: string): void;
  open(row: TreeRow): void;
  toggle(path: string, isOpen: boolean): void;
  /** F2. */
  rename(row: TreeRow): void;
  /** Delete. */
  remove(row: TreeRow): void;
};

export function FileTree(props: FileTreeProps) {
  const { rows, active } = props;
  const id = useId();
  const scroll = useRef<HTMLDivElement>(null);
  const isTouched = useMedia('(pointer: coarse), (max-width: 599px)');
  const rowHeight = isTouched ? 44 : 28;
  const windowed = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    initialRect: { width: 232, height: 600 },
  });
  useEffect(() => windowed.measure(), [windowed, rowHeight]);
  const at = rows.findIndex(({ path }) => path === active);
  const hasActive = at >= 0;

  const go = (to: number): void => {
    const row = rows[to];
    if (row === undefined) return;
    props.setActive(row.path);
    windowed.scrollToIndex(to);
  };
  return (
    <div
      ref={scroll}
      className="tree"
      role="tree"
      aria-label={props.label}
      tabIndex={0}
      aria-activedescendant={hasActive ? `${id}-${at}` : undefined}
      onKeyDown={(event) => pressed(event, hasActive ? at : undefined, props, go)}
      onFocus={() => {
        if (!hasActive) go(0);
      }}
    >
      <div role="presentation" className="tree-rows" style={{ height: windowed.getTotalSize() }}>
        {windowed.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          return row === undefined ? null : (
            <Leaf
              key={row.path}
              id={`${id}-${index}`}
              row={row}
              tree={props}
              style={{ height: rowHeight, transform: `translateY(${start}px)`, '--level': row.level - 1 }}
            />
          );
        })}
      </div>
    </div>
  );
}

/** `at` undefined: no row has the keys yet. */
function pressed(event: KeyboardEvent, at: number | undefined, tree: FileTreeProps, go: (to: number) => void): void {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const row = tree.rows[at ?? 0];
  if (row === undefined) return;
  const target = at === undefined ? { to: 0 } : keyTarget(tree.rows, at, event.key);
  if (event.key === 'Enter' || event.key === ' ') activate(row, tree);
  else if (event.key === 'F2') tree.rename(row);
  else if (event.key === 'Delete') tree.remove(row);
  else if (target === 'open' || target === 'close') tree.toggle(row.path, target === 'open');
  else if (target !== undefined && /^(Arrow|Home|End)/.test(event.key)) go(target.to);
  else return;
  event.preventDefault();
}

function activate(row: TreeRow, tree: Pick<FileTreeProps, 'toggle' | 'open'>): void {
  if (row.isFolder) tree.toggle(row.path, !row.isOpen);
  else tree.open(row);
}

function Leaf({
  id,
  row,
  tree,
  style,
}: {
  readonly id: string;
  readonly row: TreeRow;
  readonly tree: FileTreeProps;
  readonly style: Readonly<Record<string, string | number>>;
}) {
  const { t } = useWords();
  const name = exactLine(row.name);
  const isUnsaved = tree.unsaved(row.path);
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- keys go to the tree, which has the focus
    <div
      id={id}
      role="treeitem"
      className={row.path === tree.active ? 'leaf active' : 'leaf'}
      style={style}
      aria-level={row.level}
      aria-posinset={row.place}
      aria-setsize={row.siblings}
      aria-selected={row.path === tree.selected}
      aria-expanded={row.isFolder ? row.isOpen : undefined}
      title={name}
      onClick={() => {
        tree.setActive(row.path);
        activate(row, tree);
      }}
    >
      {row.isFolder ? <Icon name={row.isOpen ? 'down' : 'right'} isSmall /> : <span className="no-fold" />}
      <Icon name={row.isFolder ? 'folder' : lookOf(row.name) === 'image' ? 'image' : 'file'} isSmall />
      <span className="cut grow">{name}</span>
      {row.isLink ? <span className="xs muted">{t('files.link')}</span> : null}
      {isUnsaved ? (
        <span className="unsaved" role="img" aria-label={t('files.unsaved')} title={t('files.unsaved')} />
      ) : null}
    </div>
  );
}
