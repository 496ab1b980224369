/** What was set aside, on disk for us alone until the user has decided: one record with the new and the earlier content. */
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder } from '../../base/make-private-folder.ts';
import type { FileType } from './folder-role.ts';
import type { FileKind } from './known-file.ts';
import type { TakenEntry } from './take-out-commands.ts';

export type AsideRecord = {
  readonly id: string;
  /** Both as bytes (byte-paths.ts). */
  readonly workspace: string;
  readonly path: string;
  readonly type: FileType;
  /** `entries`: only these were taken out of a configuration, which stayed. */
  readonly what: 'file' | 'entries';
  /** Whether something of the user's stood there before. */
  readonly isNew: boolean;
  readonly kind: FileKind;
  readonly mode: number;
  readonly bytes: number;
  readonly hash: string;
  /** Of the content that was put back. */
  readonly oldHash?: string;
  readonly taken?: readonly TakenEntry[];
  readonly setAsideAt: string;
};

/** Two files of 16 MB and many small ones; a command that fills more than that is not doing ordinary work. */
const maxTotalBytes = 256 * 1024 * 1024;
const maxRecords = 5_000;

export type AsideStore = {
  /** Durable when it returns. False: too much is kept already, so the content was not. */
  add(record: AsideRecord, content: Buffer | undefined, old: Buffer | undefined): boolean;
  list(): readonly AsideRecord[];
  get(id: string): AsideRecord | undefined;
  /** One that this process has kept with the same content in the same place, if it is still there. */
  sameAs(
    what: Pick<AsideRecord, 'workspace' | 'path' | 'hash'> & { readonly oldHash: string | undefined },
  ): string | undefined;
  content(id: string, which: 'new' | 'old'): Buffer | undefined;
  remove(id: string): void;
  newId(): string;
};

export function createAsideStore(folder: string): AsideStore {
  const kept = new Map<string, string>();
  const keyOf = ({ workspace, path, hash, oldHash }: Parameters<AsideStore['sameAs']>[0]): string =>
    JSON.stringify([workspace, path, hash, oldHash]);
  const fileOf = (id: string, end: string): string => join(folder, `${id}.${end}`);

  function list(): AsideRecord[] {
    if (!existsSync(folder)) return [];
    const ids = readdirSync(folder).flatMap((name) => /^([0-9a-f]{8})\.json$/.exec(name)?.[1] ?? []);
    return ids
      .flatMap((id) => read(id) ?? [])
      .toSorted((left, right) => left.setAsideAt.localeCompare(right.setAsideAt) || left.id.localeCompare(right.id));
  }

  function read(id: string): AsideRecord | undefined {
    if (!/^[0-9a-f]{8}$/.test(id)) return undefined;
    try {
      return JSON.parse(readFileSync(fileOf(id, 'json'), 'utf8')) as AsideRecord;
    } catch {
      // Never there, or removed by another of our processes.
      return undefined;
    }
  }

  function keep(id: string, end: string, bytes: Buffer | string): void {
    const draft = fileOf(id, `${end}.draft`);
    writeFileSync(draft, bytes, { mode: 0o600, flag: 'wx', flush: true });
    renameSync(draft, fileOf(id, end));
  }

  return {
    list,
    get: read,
    newId: () => randomBytes(4).toString('hex'),
    add(record, content, old) {
      makePrivateFolder(folder);
      const used = readdirSync(folder).map(
        (name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0,
      );
      const size = used.reduce((sum, each) => sum + each, 0) + (content?.length ?? 0) + (old?.length ?? 0);
      const hasRoom = size <= maxTotalBytes && used.length <= 3 * maxRecords;
      if (hasRoom && content !== undefined) keep(record.id, 'new', content);
      if (hasRoom && old !== undefined) keep(record.id, 'old', old);
      if (hasRoom) keep(record.id, 'json', JSON.stringify(record));
      if (hasRoom && record.what === 'file') kept.set(keyOf({ ...record, oldHash: record.oldHash }), record.id);
      return hasRoom;
    },
    sameAs(what) {
      const id = kept.get(keyOf(what));
      return id !== undefined && read(id) !== undefined ? id : undefined;
    },
    content(id, which) {
      if (read(id) === undefined) return undefined;
      const file = fileOf(id, which);
      return existsSync(file) ? readFileSync(file) : undefined;
    },
    remove(id) {
      if (read(id) === undefined) return;
      for (const end of ['json', 'new', 'old']) rmSync(fileOf(id, end), { force: true });
    },
  };
}
