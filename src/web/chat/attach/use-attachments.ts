/** What is attached to the message in the field. In memory only: a draft that is found later has its text. */
import { useCallback, useState } from 'react';
import type { TurnImage } from '../screen.ts';
import { type Attachment, imageBytes, maxImageBytes, maxImages } from './attachment.ts';
import { readImage } from './read-image.ts';

export type Attachments = {
  readonly all: readonly Attachment[];
  add(files: Iterable<File>): void;
  remove(id: string): void;
  /** What a message that is edited had. */
  replace(images: readonly TurnImage[]): void;
  progress(id: string, sent: number): void;
};

export function useAttachments(): Attachments {
  const [all, setAll] = useState<readonly Attachment[]>([]);
  const put = useCallback((next: Attachment): void => {
    setAll((before) =>
      settle(
        before.map((each) => (each.id === next.id ? next : each)),
        next,
      ),
    );
  }, []);
  const read = useCallback(
    async (id: string, file: File): Promise<void> => {
      const { name } = file;
      if (file.size === 0) return put({ id, name, kind: 'refused', problem: 'empty' });
      const image = file.type.startsWith('image/') ? await readImage(file) : undefined;
      if (image !== undefined) put({ id, name, kind: 'image', ...image });
      else put({ id, name, kind: 'file', file });
    },
    [put],
  );
  const add = useCallback(
    (files: Iterable<File>): void => {
      for (const file of files) {
        const id = crypto.randomUUID();
        setAll((before) => [...before, { id, name: file.name, kind: 'reading' }]);
        void read(id, file);
      }
    },
    [read],
  );
  return {
    all,
    add,
    remove: useCallback((id) => setAll((before) => before.filter((each) => each.id !== id)), []),
    replace: useCallback((images) => {
      setAll(images.map((image, at) => ({ id: `${at}`, name: '', kind: 'image', ...image })));
    }, []),
    progress: useCallback((id, sent) => {
      setAll((before) => before.map((each) => (each.id === id && each.kind === 'file' ? { ...each, sent } : each)));
    }, []),
  };
}

/** More pictures than the server takes are said to be too many, not left out in silence. */
function settle(all: readonly Attachment[], added: Attachment): readonly Attachment[] {
  if (added.kind !== 'image') return all;
  const others = all.filter((each) => each.kind === 'image' && each.id !== added.id);
  const bytes = others.reduce((sum, each) => sum + (each.kind === 'image' ? imageBytes(each) : 0), imageBytes(added));
  const problem = others.length >= maxImages ? 'too-many' : bytes > maxImageBytes ? 'too-large' : undefined;
  if (problem === undefined) return all;
  const { id, name } = added;
  return all.map((each) => (each.id === id ? { id, name, kind: 'refused', problem } : each));
}
