/** Files on their way to the server, one after the other; a name that is taken is asked about. */
import { useState } from 'react';
import { RequestFailure } from '../../api/request.ts';
import type { FilesApi } from '../../api/files-api.ts';
import { inFolder } from '../../viewer/kind-of-file.ts';

export type Sending = { readonly name: string; readonly part: number };

export type Taken = { readonly name: string; replace(): void };

export type Uploads = {
  readonly sending: Sending | undefined;
  readonly taken: readonly Taken[];
  upload(folder: string, files: readonly File[]): Promise<void>;
  dismissTaken(): void;
};

export function useUploads(
  api: FilesApi,
  attempt: (act: () => Promise<void>) => Promise<void>,
  changed: (folder: string) => Promise<void>,
): Uploads {
  const [sending, setSending] = useState<Sending>();
  const [taken, setTaken] = useState<readonly Taken[]>([]);

  async function sendOne(folder: string, file: File, replaces: boolean): Promise<void> {
    const { name } = file;
    setSending({ name, part: 0 });
    try {
      const path = inFolder(folder, name);
      await api.upload(path, file, { replaces, onProgress: (part) => setSending({ name, part }) });
    } catch (error) {
      if (replaces || !(error instanceof RequestFailure && error.code === 'conflict')) throw error;
      setTaken((before) => [...before, takenBy(folder, file)]);
    } finally {
      setSending(undefined);
    }
  }

  function takenBy(folder: string, file: File): Taken {
    const one: Taken = {
      name: file.name,
      replace() {
        setTaken((before) => before.filter((each) => each !== one));
        void attempt(() => sendOne(folder, file, true).then(() => changed(folder)));
      },
    };
    return one;
  }

  return {
    ...{ sending, taken },
    dismissTaken: () => setTaken([]),
    upload: (folder, files) =>
      attempt(async () => {
        for (const file of files) await sendOne(folder, file, false);
        await changed(folder);
      }),
  };
}
