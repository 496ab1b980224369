/** What is done with files: named, renamed, removed with a way back, sent. Each says what went wrong. */
import { useState } from 'react';
import type { FilesApi } from '../../api/files-api.ts';
import { folderOf, inFolder, nameOf } from '../../viewer/kind-of-file.ts';
import { useWords } from '../../words/use-words.ts';
import { useFailureWords } from '../userland/use-sandbox.ts';
import type { NameWish } from './name-dialog.tsx';
import { useUploads, type Sending, type Taken } from './use-uploads.ts';

export type FileActs = {
  readonly wish: NameWish | undefined;
  /** The last removal, which can be undone. */
  readonly removed: string | undefined;
  readonly sending: Sending | undefined;
  readonly problem: string;
  /** Names that are taken: each may be replaced. */
  readonly taken: readonly Taken[];
  closeWish(): void;
  dismiss(): void;
  newFile(folder: string): void;
  newFolder(folder: string): void;
  rename(path: string): void;
  remove(path: string): Promise<void>;
  undo(): Promise<void>;
  upload(folder: string, files: readonly File[]): Promise<void>;
};

type Told = {
  /** Something changed in a folder. */
  changed(folder: string): Promise<void>;
  opened(path: string): void;
  moved(from: string, to: string): void;
  gone(path: string): void;
};

export function useFileActs(api: FilesApi, on: Told): FileActs {
  const failureWords = useFailureWords();
  const [removed, setRemoved] = useState<string>();
  const [problem, setProblem] = useState('');
  const attempt = async (act: () => Promise<void>): Promise<void> => {
    setProblem('');
    await act().catch((error: unknown) => setProblem(failureWords(error)));
  };
  const { dismissTaken, ...uploads } = useUploads(api, attempt, on.changed);
  return {
    ...{ removed, problem },
    ...uploads,
    ...useNaming(api, on),
    dismiss() {
      setRemoved(undefined);
      setProblem('');
      dismissTaken();
    },
    remove: (path) =>
      attempt(async () => {
        await api.trash(path);
        setRemoved(path);
        on.gone(path);
        await on.changed(folderOf(path));
      }),
    undo: () =>
      attempt(async () => {
        if (removed === undefined) return;
        await api.restore(removed);
        setRemoved(undefined);
        await on.changed(folderOf(removed));
      }),
  };
}

/** What needs a name first. */
function useNaming(api: FilesApi, on: Told): Pick<FileActs, 'wish' | 'closeWish' | 'newFile' | 'newFolder' | 'rename'> {
  const { t } = useWords();
  const failureWords = useFailureWords();
  const [wish, setWish] = useState<NameWish>();

  const taking =
    (folder: string, act: (path: string) => Promise<unknown>, then?: (path: string) => void) =>
    async (name: string): Promise<string> => {
      const path = inFolder(folder, name);
      try {
        await act(path);
        await on.changed(folder);
        then?.(path);
        return '';
      } catch (error) {
        return failureWords(error);
      }
    };
  const made = { action: t('files.make'), name: '' };
  const takeFile = (folder: string) => taking(folder, (path) => api.save(path, '', null), on.opened);
  const takeFolder = (folder: string) => taking(folder, (path) => api.makeFolder(path));
  const takeName = (from: string) =>
    taking(
      folderOf(from),
      (to) => api.move(from, to),
      (to) => on.moved(from, to),
    );
  return {
    wish,
    closeWish: () => setWish(undefined),
    newFile: (folder) => setWish({ ...made, title: t('files.new-file'), take: takeFile(folder) }),
    newFolder: (folder) => setWish({ ...made, title: t('files.new-folder'), take: takeFolder(folder) }),
    rename: (path) =>
      setWish({ title: t('files.rename'), action: t('files.rename'), name: nameOf(path), take: takeName(path) }),
  };
}
