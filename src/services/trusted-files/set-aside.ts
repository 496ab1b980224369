/** Sets one changed trusted file aside: takes the new away, keeps it for the user, and puts back what was there. */
import { toText } from './byte-paths.ts';
import type { AsideRecord, AsideStore } from './aside-store.ts';
import { judgeChange } from './judge-change.ts';
import { type FileContent, hashOf, type KnownFile, knownFrom, readContent } from './known-file.ts';
import type { Folders, Found } from './look-through.ts';
import { putBack, rewrite, setMode, takeAway } from './take-away.ts';
import type { TakenEntry } from './take-out-commands.ts';

/** `id` undefined: nothing is kept that could be put back. */
export type AsideNote = { readonly path: string; readonly id: string | undefined; readonly text: string };

export type AsideRequest = Found & {
  readonly workspace: string;
  readonly before: KnownFile | undefined;
  readonly current: KnownFile;
  readonly folders: Folders;
  readonly store: AsideStore;
};

/** `left`: what is there now and known. Throws NotThere or the system's error; nothing is lost then. */
export function setAside(request: AsideRequest): { note?: AsideNote; left: KnownFile | undefined } {
  const { before, current } = request;
  if (before?.hash === current.hash && before.kind === current.kind) return withOldMode(request, before);
  const { path, type } = request;
  const verdict = judgeChange({ path, type, now: current, before }, request.workspace, request.folders);
  switch (verdict.kind) {
    case 'keep':
      return { left: current };
    case 'whole':
      return setWholeAside(request);
    case 'edited':
      return setEntriesAside(request, verdict.text, verdict.taken);
  }
}

/** The same content again (a checkout, a copy). What could not be run before cannot be run now. */
function withOldMode({ workspace, path, type }: AsideRequest, before: KnownFile): ReturnType<typeof setAside> {
  const absolute = `${workspace}/${path}`;
  const now = readContent(absolute);
  if (now === undefined) return { left: undefined };
  const isGained = (now.stats.mode & 0o111 & ~before.mode) !== 0;
  if (type !== 'hook' || !isGained || now.content.kind !== 'file') return { left: knownFrom(now.content, now.stats) };
  setMode(absolute, now.stats.mode & ~0o111);
  const note = { path: toText(path), id: undefined, text: 'was made executable by this command and is not any more' };
  return { note, left: leftAt(absolute, before) };
}

function setWholeAside(request: AsideRequest): ReturnType<typeof setAside> {
  const { workspace, path, before, store } = request;
  const absolute = `${workspace}/${path}`;
  let id = store.newId();
  let isKept = false;
  takeAway(absolute, (content, stats) => {
    const same = store.sameAs({ workspace, path, hash: content.hash, oldHash: before?.hash });
    if (same !== undefined) {
      // Made again and again: one thing to decide.
      id = same;
      isKept = true;
      return;
    }
    const record = recordOf(request, id, content, { mode: stats.mode, bytes: stats.size });
    isKept = content.bytes !== undefined && store.add(record, content.bytes, before?.bytes);
  });
  const isPutBack = before !== undefined && before.bytes !== undefined;
  if (isPutBack) putBack(absolute, before, before);
  const how = before === undefined ? 'made by this command' : 'changed by this command';
  const old = before === undefined ? '' : isPutBack ? '; its earlier content is back in place' : '; it is gone now';
  const lost = isKept ? '' : '; there was nothing to keep of it, or it was too large';
  return {
    note: { path: toText(path), id: isKept ? id : undefined, text: `${how}${old}${lost}` },
    left: isPutBack ? leftAt(absolute, before) : undefined,
  };
}

function setEntriesAside(
  request: AsideRequest,
  text: string,
  taken: readonly TakenEntry[],
): ReturnType<typeof setAside> {
  const { workspace, path, before, current, store } = request;
  const absolute = `${workspace}/${path}`;
  const bytes = Buffer.from(text, 'latin1');
  const id = store.newId();
  const record: AsideRecord = {
    ...recordOf(request, id, current, { mode: current.mode, bytes: current.size }),
    what: 'entries',
    oldHash: hashOf(bytes),
    taken,
  };
  const isKept = store.add(record, current.bytes, bytes);
  // Changed meanwhile: the next pass judges what is there then, and this record would show a state that never stayed.
  if (!rewrite(absolute, bytes, current)) {
    store.remove(id);
    return { left: before };
  }
  const keys = toText([...new Set(taken.map(({ key }) => key))].join(', '));
  return {
    note: {
      path: `${toText(path)} (${keys})`,
      id: isKept ? id : undefined,
      text: 'set by this command; the rest of the file stays',
    },
    left: leftAt(absolute, { ...current, bytes, hash: hashOf(bytes) }),
  };
}

function recordOf(
  { workspace, path, type, before }: AsideRequest,
  id: string,
  { kind, hash }: FileContent,
  { mode, bytes }: { readonly mode: number; readonly bytes: number },
): AsideRecord {
  return {
    ...{ id, workspace, path, type, what: 'file', isNew: before === undefined, kind, mode, bytes, hash },
    ...(before === undefined ? {} : { oldHash: before.hash }),
    setAsideAt: new Date().toISOString(),
  };
}

/** As it should be there. Something else that slipped in is not known, so that the next look judges it. */
function leftAt(path: string, wanted: KnownFile): KnownFile {
  const now = readContent(path);
  const isWanted = now !== undefined && now.content.hash === wanted.hash && now.content.kind === wanted.kind;
  return isWanted ? knownFrom(now.content, now.stats) : { ...wanted, ino: -1 };
}
