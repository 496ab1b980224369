/** The tree of one place: folders are read when they are opened, a thousand entries at a time. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { FileEntry } from '../../../contract/person-files.ts';
import type { FilesApi } from '../../api/files-api.ts';
import { useFailureWords } from '../userland/use-sandbox.ts';
import { foldersTo, noTree, rowsOf, withFolder, withOpen, type Tree, type TreeRow } from './fold-tree.ts';

export type FileTree = {
  readonly rows: readonly TreeRow[];
  /** The folder that is shown was read. */
  readonly isRead: boolean;
  readonly isCut: boolean;
  readonly problem: string;
  toggle(path: string, isOpen: boolean): void;
  /** Reads a folder again: something changed in it. */
  look(folder: string): Promise<void>;
  /** Opens all folders above a path. */
  reveal(path: string): Promise<void>;
};

export function useFileTree(api: FilesApi, root: string | undefined): FileTree {
  const failureWords = useFailureWords();
  const [tree, setTree] = useState<Tree>(noTree);
  const [problem, setProblem] = useState('');
  const place = useRef(root);
  place.current = root;

  const look = useCallback(
    async (folder: string): Promise<void> => {
      const entries: FileEntry[] = [];
      try {
        for (;;) {
          const page = await api.list(folder, entries.length);
          entries.push(...page.entries);
          const isWhole = page.entries.length === 0 || entries.length >= page.total;
          // Each page is seen when it comes.
          setTree((before) => withFolder(before, folder, { entries: [...entries], isCut: page.isCut }));
          if (isWhole) break;
        }
        setProblem('');
      } catch (error) {
        setProblem(failureWords(error));
      }
    },
    [api, failureWords],
  );

  useEffect(() => {
    setTree(noTree);
    if (root !== undefined) void look(root);
  }, [root, look]);

  const toggle = useCallback(
    (path: string, isOpen: boolean): void => {
      setTree((before) => withOpen(before, path, isOpen));
      if (isOpen) void look(path);
    },
    [look],
  );

  const reveal = useCallback(
    async (path: string): Promise<void> => {
      if (place.current === undefined) return;
      for (const folder of foldersTo(place.current, path)) {
        await look(folder);
        if (folder !== place.current) setTree((before) => withOpen(before, folder, true));
      }
    },
    [look],
  );

  const rows = useMemo(() => (root === undefined ? [] : rowsOf(tree, root)), [tree, root]);
  const read = root === undefined ? undefined : tree.folders.get(root);
  return { rows, isRead: read !== undefined, isCut: read?.isCut === true, problem, toggle, look, reveal };
}
