/**
 * Files of a conversation's workspace and of the sandbox's home, as pages work with them (contract/person-files.ts).
 *
 * | method and path | takes | gives |
 * |---|---|---|
 * | GET /api/files/places | ?conversation= | FilePlaces |
 * | GET /api/files | WebFileQuery, ?offset=&limit= (omitted: 500, at most 1,000) | FilePage |
 * | GET /api/files/info | WebFileQuery | FileInfo, or 404 |
 * | GET /api/files/text | WebFileQuery | WebFileText |
 * | POST /api/files/text | WebNewText | WebSavedText; 409 when it was changed meanwhile |
 * | POST /api/files/folder | WebFilePath | {path}; 409 when something is there |
 * | POST /api/files/move | WebFileMove | {from, to}; 409 when something is there |
 * | POST /api/files/trash | WebFilePath | {path} |
 * | POST /api/files/restore | WebFilePath | {path}: the newest removal of it is undone |
 * | POST /api/files/upload | WebFileQuery, ?replaces=1, the bytes | FileInfo |
 * | GET /api/files/raw | WebFileQuery, ?download=1 | the bytes |
 *
 * Limits: a text of 2 MB can be edited, a file of 1 GB sent, 10,000 entries of a folder seen; what is given out has no limit and
 * honours one `Range`. What is sent goes as `application/octet-stream` with the header `x-handrail-upload: 1`: neither can come
 * from a form of another page, nor from its scripts without being asked about first (Origin is checked on every POST besides).
 *
 * What is given out to be seen runs nothing with the rights of the app: pictures and pages are sandboxed by their own content
 * policy; scripts of a page run in a frame only, without an origin and without the network. What is of no kind that can be seen is
 * always a download.
 */
import type { FileInfo } from './services.ts';

/** Bytes of a text that can be edited. */
export const maxTextBytes = 2_000_000;

export type WebFileQuery = {
  /** Omitted: only the home can be reached. */
  readonly conversation?: string;
  readonly path: string;
};

export type WebFilePath = WebFileQuery;

export type WebFileText =
  | {
      readonly kind: 'text';
      readonly text: string;
      /** Goes back with what is saved. */
      readonly hash: string;
      readonly info: FileInfo;
    }
  /** `guess`: what it may be. */
  | { readonly kind: 'binary'; readonly guess: string; readonly info: FileInfo }
  | { readonly kind: 'too-large'; readonly maxBytes: number; readonly info: FileInfo };

export type WebNewText = WebFileQuery & {
  readonly text: string;
  /** The hash of what was read; null: a new file. Omitted: it is written whatever is there. */
  readonly expected?: string | null;
};

export type WebSavedText = { readonly hash: string; readonly info: FileInfo };

export type WebFileMove = WebFileQuery & { readonly destination: string };
