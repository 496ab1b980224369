/** Files as a person works with them: those of a workspace and of the sandbox's private home, and no others. */
import type { FileInfo, FileKind } from './services.ts';

export type FilePlaces = {
  /** The home as commands know it. */
  readonly home: string;
  /** Omitted: no conversation is meant. */
  readonly workspace?: string;
};

export type FileEntry = {
  readonly name: string;
  readonly path: string;
  readonly kind: FileKind;
  /** Of a link: what it leads to, where that may be looked at. */
  readonly leadsTo?: FileKind;
  readonly bytes: number;
  readonly modifiedAt: string;
};

export type FilePage = {
  readonly path: string;
  readonly entries: readonly FileEntry[];
  readonly total: number;
  /** There are more than can be counted here. */
  readonly isCut: boolean;
};

export type OpenFile = {
  readonly info: FileInfo;
  /** From byte `from` to byte `to`, both included; closes the file at its end. Omitted: all of it. */
  content(range?: { readonly from: number; readonly to: number }): ReadableStream<Uint8Array>;
  /** For whoever does not read it. */
  close(): Promise<void>;
};

export type WrittenFile = { readonly path: string; readonly hash: string; readonly info: FileInfo };

/**
 * Each change is the person's own act: it needs no question and has its line in the ledger. Paths are absolute, `~`, or relative
 * to the workspace (without one: to the home). Rejects with ToolFailure as Files does; `denied` for whatever lies elsewhere.
 */
export type PersonFiles = {
  places(): FilePlaces;
  /** Folders first, then by name. */
  list(path: string, page: { readonly offset: number; readonly limit: number }): Promise<FilePage>;
  /** Undefined: nothing is there. */
  info(path: string): Promise<FileInfo | undefined>;
  /** Rejects with too_large. */
  read(
    path: string,
    maxBytes: number,
  ): Promise<{ readonly bytes: Buffer; readonly hash: string; readonly info: FileInfo }>;
  open(path: string): Promise<OpenFile>;
  /** `expected`: the hash of what was read; null: nothing may be there; omitted: whatever is there. Else conflict. */
  write(path: string, bytes: Uint8Array, expected?: string | null): Promise<WrittenFile>;
  /** A file of any size, written as it comes; nothing is left of one that breaks off. */
  receive(
    path: string,
    chunks: AsyncIterable<Uint8Array>,
    options: { readonly replaces: boolean },
  ): Promise<{ readonly path: string; readonly info: FileInfo }>;
  /** conflict: something is there. */
  makeFolder(path: string): Promise<{ readonly path: string }>;
  move(from: string, to: string): Promise<{ readonly from: string; readonly to: string }>;
  /** Into the trash, folders with all that is in them. */
  remove(path: string): Promise<{ readonly path: string }>;
  restore(path: string): Promise<{ readonly path: string }>;
};
