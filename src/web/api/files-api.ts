/** What pages ask of files. Paths and shapes stand in contract/web-files.ts. */
import type { FilePage, FilePlaces } from '../../contract/person-files.ts';
import type { FileInfo } from '../../contract/services.ts';
import type { WebFileText, WebSavedText } from '../../contract/web-files.ts';
import { queryText, type Request } from './request.ts';
import { sendFile } from './upload-file.ts';

export type FilesApi = {
  places(): Promise<FilePlaces>;
  list(path: string, offset: number): Promise<FilePage>;
  info(path: string): Promise<FileInfo>;
  text(path: string): Promise<WebFileText>;
  /** `expected`: see WebNewText. */
  save(path: string, text: string, expected?: string | null): Promise<WebSavedText>;
  makeFolder(path: string): Promise<{ readonly path: string }>;
  move(path: string, destination: string): Promise<unknown>;
  trash(path: string): Promise<unknown>;
  restore(path: string): Promise<unknown>;
  /** `onProgress` is told the part that has gone, from 0 to 1. */
  upload(
    path: string,
    file: File,
    options: { readonly replaces: boolean; onProgress(part: number): void },
  ): Promise<FileInfo>;
  /** Where its bytes are. `version`: another address for another content. */
  address(path: string, options?: { readonly isDownload?: boolean; readonly version?: string }): string;
};

/** Entries of a folder in one request. */
const pageEntries = 1_000;

/** `conversation` undefined: only the home. */
export function createFilesApi(request: Request, conversation: string | undefined): FilesApi {
  const whose = conversation === undefined ? {} : { conversation };
  const get = <Result>(route: string, more: Readonly<Record<string, string | number>> = {}): Promise<Result> =>
    request('GET', `/api/files${route}${queryText({ ...whose, ...more })}`);
  const post = <Result>(route: string, more: object): Promise<Result> =>
    request('POST', `/api/files${route}`, { ...whose, ...more });
  return {
    places: () => get('/places'),
    list: (path, offset) => get('', { path, offset, limit: pageEntries }),
    info: (path) => get('/info', { path }),
    text: (path) => get('/text', { path }),
    save: (path, text, expected) => post('/text', { path, text, ...(expected === undefined ? {} : { expected }) }),
    makeFolder: (path) => post('/folder', { path }),
    move: (path, destination) => post('/move', { path, destination }),
    trash: (path) => post('/trash', { path }),
    restore: (path) => post('/restore', { path }),
    upload: (path, file, options) =>
      sendFile(
        `/api/files/upload${queryText({ ...whose, path, ...(options.replaces ? { replaces: '1' } : {}) })}`,
        file,
        options.onProgress,
      ),
    address: (path, { isDownload = false, version } = {}) =>
      `/api/files/raw${queryText({ ...whose, path, ...(isDownload ? { download: '1' } : {}), version: undefined })}${
        version === undefined || version === '' ? '' : `#${encodeURIComponent(version)}`
      }`,
  };
}
