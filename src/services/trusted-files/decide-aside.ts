/** The user's side: what was set aside is looked at, put in place or thrown away. */
import { MisuseFailure, ToolFailure } from '../../contract/failure.ts';
import type { AsideFiles, AsideInfo, AsideView } from '../../contract/trusted.ts';
import type { AcceptedFiles } from './accepted-files.ts';
import type { AsideRecord, AsideStore } from './aside-store.ts';
import { NotThere, toText } from './byte-paths.ts';
import { hashOf, type KnownFile, knownFrom, readContent } from './known-file.ts';
import { type FileOwner, makeFolders, ownerLike, putBack, putNew, rewrite } from './take-away.ts';
import { withEntries } from './take-out-commands.ts';

export function createAsideFiles(store: AsideStore, accepted: AcceptedFiles): AsideFiles {
  const need = (id: string): AsideRecord => {
    const record = store.get(id);
    if (record === undefined)
      throw new MisuseFailure(
        `Nothing with the id "${id.slice(0, 20)}" was set aside. \`handrail trusted list\` shows what was.`,
      );
    return record;
  };
  return {
    list: async () => store.list().map(infoOf),
    show: async (id) => viewOf(need(id), store),
    async drop(id) {
      const record = need(id);
      store.remove(id);
      return infoOf(record);
    },
    async accept(id) {
      const record = need(id);
      try {
        if (record.what === 'entries') acceptEntries(record, accepted);
        else acceptFile(record, store, accepted);
      } catch (error) {
        throw error instanceof ToolFailure ? error : notPlaced(record, error);
      }
      store.remove(id);
      return infoOf(record);
    },
  };
}

function notPlaced({ path }: AsideRecord, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (!(error instanceof NotThere) && code === undefined) return error;
  const why = error instanceof NotThere ? 'a folder on the way is not the one it was' : message;
  return new ToolFailure('failed', `${toText(path)} could not be put in place: ${why}. It is still kept.`, {
    cause: error,
  });
}

function infoOf(record: AsideRecord): AsideInfo {
  const { id, what, isNew, bytes, setAsideAt, taken } = record;
  const entries = (taken ?? []).map(({ key }) => toText(key));
  return {
    ...{ id, what, isNew, bytes, setAsideAt, entries },
    workspace: toText(record.workspace),
    path: toText(record.path),
  };
}

function viewOf(record: AsideRecord, store: AsideStore): AsideView {
  const old = textOf(store.content(record.id, 'old'));
  const text = textOf(store.content(record.id, 'new'));
  const newText = record.kind === 'link' && text !== undefined ? `link to ${text}\n` : text;
  return { ...infoOf(record), oldText: record.isNew && record.what === 'file' ? '' : old, newText };
}

function textOf(bytes: Buffer | undefined): string | undefined {
  return bytes === undefined || bytes.includes(0) ? undefined : bytes.toString('utf8');
}

function acceptFile(record: AsideRecord, store: AsideStore, accepted: AcceptedFiles): void {
  const bytes = store.content(record.id, 'new');
  if (bytes === undefined)
    throw new ToolFailure('not_found', 'Its content was not kept, so it cannot be put in place.');
  const { workspace, path, kind, hash } = record;
  const absolute = `${workspace}/${path}`;
  const there = readContent(absolute);
  if (there?.content.hash !== record.oldHash && there?.content.hash !== hash) throw changedSince(path);
  makeFolders(workspace, path);
  accepted.add(workspace, path, hash);
  const like: FileOwner = { ...(there?.stats ?? ownerLike(folderOf(absolute), 0)), mode: record.mode };
  if (there === undefined) putNew(absolute, { kind, bytes }, like);
  else putBack(absolute, { kind, bytes }, like);
}

function acceptEntries({ workspace, path, taken = [] }: AsideRecord, accepted: AcceptedFiles): void {
  const absolute = `${workspace}/${path}`;
  const there = readContent(absolute);
  if (there?.content.kind !== 'file' || there.content.bytes === undefined) throw changedSince(path);
  const current: KnownFile = knownFrom(there.content, there.stats);
  const bytes = Buffer.from(withEntries(there.content.bytes.toString('latin1'), taken), 'latin1');
  accepted.add(workspace, path, hashOf(bytes));
  if (!rewrite(absolute, bytes, current)) throw changedSince(path);
}

function changedSince(path: string): ToolFailure {
  return new ToolFailure(
    'conflict',
    `${toText(path)} is not what it was when the change was set aside. Look at both with \`handrail trusted show\`, and copy by hand what you want of it.`,
  );
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));
