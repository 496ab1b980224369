/** What is done with files: named, renamed, removed with a way back, sent. Each says what went wrong. */
import { useState } from 'react';
import { RequestFailure } from '../../api/request.ts';
import type { FilesApi } from '../../api/files-api.ts';
import { folderOf, inFolder, nameOf } from '../../viewer/kind-of-file.ts';
import { useWords } from '../../words/use-words.ts';
import { useFailureWords } from '../userland/use-sandbox.ts';
import type { NameWish } from './name-dialog.tsx';

export type Sending = { readonly name: string; readonly part: number };

export type FileActs = {
  readonly wish: NameWish | undefined;
  /** The last removal, which can be undone. */
  readonly removed: string | undefined;
  readonly sending: Sending | undefined;
  readonly problem: string;
  /** A name that is taken: it may be replaced. */
  readonly taken: { readonly name: string; replace(): void } | undefined;
  closeWish(): void;
  dismiss(): void;
  newFile(folder: string): void;
  newFolder(folder: string): void;
  rename(path: string): void;
  remove(path: string): Promise<void>;
  undo(): Promise<void>;
  upload(folder: string, files: readonly File[]): Promise<void>;
};

export function useFileActs(
  api: FilesApi,
  on: {
    /** Something changed in a folder. */
    changed(folder: string): Promise<void>;
    opened(path: string): void;
    moved(from: string, to: string): void;
    gone(path: string): void;
  },
): FileActs {
  const { t } = useWords();
  const failureWords = useFailureWords();
  const [wish, setWish] = useState<NameWish>();
  const [removed, setRemoved] = useState<string>();
  const [sending, setSending] = useState<Sending>();
  const [problem, setProblem] = useState('');
  const [taken, setTaken] = useState<FileActs['taken']>();

  const naming =
    (folder: string, act: (path: string) => Promise<unknown>, then: (path: string) => void) =>
    async (name: string): Promise<string> => {
      const path = inFolder(folder, name);
      try {
        await act(path);
        await on.changed(folder);
        then(path);
        return '';
      } catch (error) {
        return failureWords(error);
      }
    };

  const attempt = async (act: () => Promise<void>): Promise<void> => {
    setProblem('');
    await act().catch((error: unknown) => setProblem(failureWords(error)));
  };

  async function sendOne(folder: string, file: File, replaces: boolean): Promise<void> {
    const path = inFolder(folder, file.name);
    setSending({ name: file.name, part: 0 });
    try {
      await api.upload(path, file, { replaces, onProgress: (part) => setSending({ name: file.name, part }) });
    } catch (error) {
      if (replaces || !(error instanceof RequestFailure && error.code === 'conflict')) throw error;
      const replace = (): void => {
        setTaken(undefined);
        void attempt(() => sendOne(folder, file, true).then(() => on.changed(folder)));
      };
      setTaken({ name: file.name, replace });
    } finally {
      setSending(undefined);
    }
  }

  return {
    ...{ wish, removed, sending, problem, taken },
    closeWish: () => setWish(undefined),
    dismiss: () => {
      setRemoved(undefined);
      setProblem('');
      setTaken(undefined);
    },
    newFile: (folder) =>
      setWish({
        ...{ title: t('files.new-file'), action: t('files.make'), name: '' },
        take: naming(folder, (path) => api.save(path, '', null), on.opened),
      }),
    newFolder: (folder) =>
      setWish({
        ...{ title: t('files.new-folder'), action: t('files.make'), name: '' },
        take: naming(
          folder,
          (path) => api.makeFolder(path),
          () => undefined,
        ),
      }),
    rename: (path) =>
      setWish({
        ...{ title: t('files.rename'), action: t('files.rename'), name: nameOf(path) },
        take: naming(
          folderOf(path),
          (to) => api.move(path, to),
          (to) => on.moved(path, to),
        ),
      }),
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
    upload: (folder, files) =>
      attempt(async () => {
        setTaken(undefined);
        for (const file of files) await sendOne(folder, file, false);
        await on.changed(folder);
      }),
  };
}
