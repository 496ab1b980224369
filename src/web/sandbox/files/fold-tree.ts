/** A tree of folders that are read when they are opened, as the rows that it shows. Pure. */
import type { FileEntry } from '../../../contract/person-files.ts';

export type Folder = { readonly entries: readonly FileEntry[]; readonly isCut: boolean };

export type Tree = {
  /** By path; only what was read. */
  readonly folders: ReadonlyMap<string, Folder>;
  readonly open: ReadonlySet<string>;
};

export type TreeRow = {
  readonly path: string;
  readonly name: string;
  /** 1: in the folder that is shown. */
  readonly level: number;
  readonly kind: FileEntry['kind'];
  readonly isFolder: boolean;
  readonly isOpen: boolean;
  readonly isLink: boolean;
  readonly place: number;
  readonly siblings: number;
};

export const noTree: Tree = { folders: new Map(), open: new Set() };

/** A link is never followed into: it may lead back to where it stands. */
export const isFolder = ({ kind }: Pick<FileEntry, 'kind'>): boolean => kind === 'folder';

export function rowsOf(tree: Tree, root: string, level = 1): readonly TreeRow[] {
  const entries = tree.folders.get(root)?.entries ?? [];
  return entries.flatMap((entry, at) => {
    const isOpen = isFolder(entry) && tree.open.has(entry.path);
    const row: TreeRow = {
      ...{ path: entry.path, name: entry.name, level, kind: entry.kind, isOpen },
      ...{ isFolder: isFolder(entry), isLink: entry.kind === 'link', place: at + 1, siblings: entries.length },
    };
    return isOpen ? [row, ...rowsOf(tree, entry.path, level + 1)] : [row];
  });
}

export function withFolder(tree: Tree, path: string, folder: Folder): Tree {
  return { ...tree, folders: new Map(tree.folders).set(path, folder) };
}

export function withOpen(tree: Tree, path: string, isOpen: boolean): Tree {
  const open = new Set(tree.open);
  if (isOpen) open.add(path);
  else open.delete(path);
  return { ...tree, open };
}

/** The folders between the root and a path, the root first: what must be open for it to be seen. */
export function foldersTo(root: string, path: string): readonly string[] {
  if (path !== root && !path.startsWith(`${root}/`)) return [];
  const parts = path.slice(root.length + 1).split('/');
  return parts.map((_, at) => [root, ...parts.slice(0, at)].join('/'));
}

/** Where a key of WAI-ARIA's tree leads. Undefined: nowhere. */
export function keyTarget(
  rows: readonly TreeRow[],
  at: number,
  key: string,
): { readonly to: number } | 'open' | 'close' | undefined {
  const row = rows[at];
  const last = rows.length - 1;
  switch (key) {
    case 'ArrowDown':
      return { to: Math.min(last, at + 1) };
    case 'ArrowUp':
      return { to: Math.max(0, at - 1) };
    case 'Home':
      return { to: 0 };
    case 'End':
      return { to: last };
    case 'ArrowRight':
      if (row?.isFolder !== true) return undefined;
      return row.isOpen ? { to: Math.min(last, at + 1) } : 'open';
    case 'ArrowLeft': {
      if (row?.isOpen === true) return 'close';
      const parent = rows.slice(0, at).findLastIndex(({ level }) => level < (row?.level ?? 0));
      return parent < 0 ? undefined : { to: parent };
    }
    default:
      return undefined;
  }
}
