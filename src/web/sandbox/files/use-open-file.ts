/** The file in the editor: as it was read, as it is typed, and whether something else changed it meanwhile. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { WebFileText } from '../../../contract/web-files.ts';
import { RequestFailure } from '../../api/request.ts';
import type { FilesApi } from '../../api/files-api.ts';
import type { Drafts } from '../../chat/drafts.ts';
import { isEdited } from '../../viewer/kind-of-file.ts';
import { useFailureWords } from '../userland/use-sandbox.ts';

type ReadText = Extract<WebFileText, { kind: 'text' }>;

export type OpenedFile = {
  /** Undefined until it was read, and for what is only seen. */
  readonly read: WebFileText | undefined;
  /** What the editor begins with: another object, another beginning. */
  readonly start: { readonly text: string };
  readonly text: string;
  readonly isUnsaved: boolean;
  readonly isSaving: boolean;
  readonly problem: string;
  /** What is there now, when it is another than what was read. */
  readonly theirs: ReadText | undefined;
  /** Changes with what is on disk. */
  readonly version: string;
  type(text: string): void;
  /** Resolves with whether it is saved. */
  save(): Promise<boolean>;
  /** Mine, over what is there. */
  keepMine(): Promise<boolean>;
  takeTheirs(): void;
};

/** How often the disk is asked while the page is seen. */
const pollMs = 4_000;
/** A browser keeps five million characters for a site, and writes them each time. */
const maxDraftChars = 200_000;

export function useOpenFile(api: FilesApi, path: string, drafts: Drafts, draftKey: string): OpenedFile {
  const failureWords = useFailureWords();
  const [read, setRead] = useState<WebFileText>();
  const [theirs, setTheirs] = useState<ReadText>();
  const [start, setStart] = useState({ text: '' });
  const [text, setText] = useState('');
  const [problem, setProblem] = useState('');
  const [isSaving, setSaving] = useState(false);
  const [version, setVersion] = useState('');
  const base = read?.kind === 'text' ? read : undefined;
  const isUnsaved = base !== undefined && text !== base.text;
  const now = useRef({ base, text, isUnsaved });
  now.current = { base, text, isUnsaved };

  const begin = useCallback((found: WebFileText, typed?: string): void => {
    setRead(found);
    setTheirs(undefined);
    setVersion(versionOf(found.info));
    if (found.kind !== 'text') return;
    setStart({ text: typed ?? found.text });
    setText(typed ?? found.text);
  }, []);

  useEffect(() => {
    let isGone = false;
    if (!isEdited(path)) {
      api.info(path).then(
        (info) => !isGone && setVersion(versionOf(info)),
        (error: unknown) => !isGone && setProblem(failureWords(error)),
      );
      return () => {
        isGone = true;
      };
    }
    api
      .text(path)
      .then((found) => {
        if (isGone) return;
        const draft = readDraft(drafts.get(draftKey));
        if (found.kind !== 'text' || draft === undefined || draft.text === found.text) return begin(found);
        // Typed before a reload: it still belongs to what was read then.
        begin(draft.hash === found.hash ? found : { ...found, hash: draft.hash, text: draft.before }, draft.text);
        if (draft.hash !== found.hash) setTheirs(found);
      })
      .catch((error: unknown) => !isGone && setProblem(failureWords(error)));
    return () => {
      isGone = true;
    };
  }, [api, path, drafts, draftKey, begin, failureWords]);

  useEffect(() => {
    if (base === undefined) return;
    const draft = { hash: base.hash, before: base.text, text };
    drafts.set(draftKey, isUnsaved && text.length < maxDraftChars ? JSON.stringify(draft) : '');
  }, [drafts, draftKey, base, text, isUnsaved]);

  const look = useCallback(async (): Promise<void> => {
    const info = await api.info(path);
    setVersion(versionOf(info));
    const { base: known, isUnsaved: hasTyped } = now.current;
    if (known === undefined || versionOf(info) === versionOf(known.info)) return;
    const found = await api.text(path);
    if (found.kind !== 'text' || found.hash === now.current.base?.hash) return;
    if (hasTyped) setTheirs(found);
    else begin(found);
  }, [api, path, begin]);
  useEffect(() => {
    const timer = window.setInterval(() => {
      if (document.visibilityState !== 'visible') return;
      look().catch(() => {
        // Gone, or no connection: saving says so.
      });
    }, pollMs);
    return () => window.clearInterval(timer);
  }, [look]);

  async function write(expected: string): Promise<boolean> {
    const { text: sent } = now.current;
    setSaving(true);
    setProblem('');
    try {
      const { hash, info } = await api.save(path, sent, expected);
      setRead({ kind: 'text', text: sent, hash, info });
      setVersion(versionOf(info));
      setTheirs(undefined);
      return true;
    } catch (error) {
      const isChanged = error instanceof RequestFailure && error.code === 'conflict';
      const found = isChanged ? await api.text(path).catch(() => undefined) : undefined;
      if (found?.kind === 'text') setTheirs(found);
      else setProblem(failureWords(error));
      return false;
    } finally {
      setSaving(false);
    }
  }

  return {
    ...{ read, start, text, isUnsaved, isSaving, problem, theirs, version, type: setText },
    save: async () => (base === undefined || !isUnsaved ? true : write(base.hash)),
    keepMine: async () => write(theirs?.hash ?? base?.hash ?? ''),
    takeTheirs: () => theirs !== undefined && begin(theirs),
  };
}

const versionOf = ({ modifiedAt, bytes }: WebFileText['info']): string => `${modifiedAt} ${bytes}`;

type Draft = { readonly hash: string; readonly before: string; readonly text: string };

export function readDraft(kept: string): Draft | undefined {
  try {
    const { hash, before, text } = JSON.parse(kept) as Partial<Draft>;
    return typeof hash === 'string' && typeof before === 'string' && typeof text === 'string'
      ? { hash, before, text }
      : undefined;
  } catch {
    return undefined;
  }
}
