/** The file in the editor: as it was read, as it is typed, and whether something else changed it meanwhile. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { WebFileText } from '../../../contract/web-files.ts';
import { RequestFailure } from '../../api/request.ts';
import type { FilesApi } from '../../api/files-api.ts';
import type { Drafts } from '../../chat/drafts.ts';
import { isEdited } from '../../viewer/kind-of-file.ts';
import { useFailureWords } from '../userland/use-sandbox.ts';

type ReadText = Extract<WebFileText, { kind: 'text' }>;

/** `changed`: by something else; nothing was written. */
export type SaveEnd = 'saved' | 'changed' | 'failed';

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
  save(): Promise<SaveEnd>;
  /** Mine, over what is there. */
  keepMine(): Promise<SaveEnd>;
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

  const begin = useCallback((found: WebFileText, typed?: string): void => {
    setRead(found);
    setTheirs(undefined);
    setVersion(versionOf(found.info));
    if (found.kind !== 'text') return;
    setStart({ text: typed ?? found.text });
    setText(typed ?? found.text);
  }, []);
  const fail = useCallback((error: unknown): void => setProblem(failureWords(error)), [failureWords]);
  const on = useMemo(() => ({ begin, changed: setTheirs, version: setVersion, failed: fail }), [begin, fail]);
  useFirstLook(api, path, drafts, draftKey, on);
  useKeptDraft(drafts, draftKey, base, text);
  usePolledDisk(api, path, { base, isUnsaved }, on);

  async function write(expected: string): Promise<SaveEnd> {
    setSaving(true);
    setProblem('');
    const end = await api.save(path, text, expected).then(
      ({ hash, info }): SaveEnd => {
        setRead({ kind: 'text', text, hash, info });
        setVersion(versionOf(info));
        setTheirs(undefined);
        return 'saved';
      },
      async (error: unknown): Promise<SaveEnd> => {
        const isChanged = error instanceof RequestFailure && error.code === 'conflict';
        const found = isChanged ? await api.text(path).catch(() => undefined) : undefined;
        if (found?.kind !== 'text') fail(error);
        else setTheirs(found);
        return found?.kind === 'text' ? 'changed' : 'failed';
      },
    );
    setSaving(false);
    return end;
  }

  return {
    ...{ read, start, text, isUnsaved, isSaving, problem, theirs, version, type: setText },
    save: async () => (base === undefined || !isUnsaved ? 'saved' : write(base.hash)),
    keepMine: async () => write(theirs?.hash ?? base?.hash ?? ''),
    takeTheirs: () => theirs !== undefined && begin(theirs),
  };
}

type Found = {
  begin(found: WebFileText, typed?: string): void;
  changed(theirs: ReadText): void;
  version(version: string): void;
  failed(error: unknown): void;
};

/** What is there, and what was typed before a reload: that still belongs to what was read then. */
function useFirstLook(api: FilesApi, path: string, drafts: Drafts, draftKey: string, on: Found): void {
  useEffect(() => {
    let isGone = false;
    const show = (found: WebFileText): void => {
      if (isGone) return;
      const draft = readDraft(drafts.get(draftKey));
      if (found.kind !== 'text' || draft === undefined || draft.text === found.text) return on.begin(found);
      on.begin(draft.hash === found.hash ? found : { ...found, hash: draft.hash, text: draft.before }, draft.text);
      if (draft.hash !== found.hash) on.changed(found);
    };
    const look = isEdited(path)
      ? api.text(path).then(show)
      : api.info(path).then((info) => {
          if (!isGone) on.version(versionOf(info));
        });
    look.catch((error: unknown) => {
      if (!isGone) on.failed(error);
    });
    return () => {
      isGone = true;
    };
  }, [api, path, drafts, draftKey, on]);
}

function useKeptDraft(drafts: Drafts, draftKey: string, base: ReadText | undefined, text: string): void {
  useEffect(() => {
    if (base === undefined) return;
    const isKept = text !== base.text && text.length < maxDraftChars;
    drafts.set(draftKey, isKept ? JSON.stringify({ hash: base.hash, before: base.text, text } satisfies Draft) : '');
  }, [drafts, draftKey, base, text]);
}

/** Something else may write as well: nothing that is typed is lost by it, and nothing else stays unseen. */
function usePolledDisk(
  api: FilesApi,
  path: string,
  now: { readonly base: ReadText | undefined; readonly isUnsaved: boolean },
  on: Found,
): void {
  const latest = useRef(now);
  latest.current = now;
  useEffect(() => {
    const look = async (): Promise<void> => {
      const info = await api.info(path);
      on.version(versionOf(info));
      const { base } = latest.current;
      if (base === undefined || versionOf(info) === versionOf(base.info)) return;
      const found = await api.text(path);
      if (found.kind !== 'text' || found.hash === latest.current.base?.hash) return;
      if (latest.current.isUnsaved) on.changed(found);
      else on.begin(found);
    };
    const timer = window.setInterval(() => {
      if (document.visibilityState !== 'visible') return;
      look().catch(() => {
        // Gone, or no connection: saving says so.
      });
    }, pollMs);
    return () => window.clearInterval(timer);
  }, [api, path, on]);
}

const versionOf = ({ modifiedAt, bytes }: WebFileText['info']): string => `${modifiedAt} ${bytes}`;

type Draft = { readonly hash: string; readonly before: string; readonly text: string };

function readDraft(kept: string): Draft | undefined {
  try {
    const { hash, before, text } = JSON.parse(kept) as Partial<Draft>;
    return typeof hash === 'string' && typeof before === 'string' && typeof text === 'string'
      ? { hash, before, text }
      : undefined;
  } catch {
    return undefined;
  }
}
