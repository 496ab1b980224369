/** How a file can be seen, by the end of its name. The server alone decides how it is served. */

export type FileLook = 'image' | 'pdf' | 'page' | 'markdown' | 'solid' | 'table' | 'text';

const looks: Readonly<Record<string, FileLook>> = {
  png: 'image',
  jpg: 'image',
  jpeg: 'image',
  gif: 'image',
  webp: 'image',
  avif: 'image',
  bmp: 'image',
  ico: 'image',
  svg: 'image',
  pdf: 'pdf',
  html: 'page',
  htm: 'page',
  md: 'markdown',
  markdown: 'markdown',
  stl: 'solid',
  csv: 'table',
  tsv: 'table',
};

/** `text`: it may be one; what it really is shows when it is read. */
export const lookOf = (name: string): FileLook => looks[endingOf(name)] ?? 'text';

/** Has something to see beside its text. */
export const hasPreview = (name: string): boolean => lookOf(name) !== 'text';

/** Is a text that can be edited, whatever it looks like. */
export const isEdited = (name: string): boolean =>
  endingOf(name) === 'svg' || ['page', 'markdown', 'table', 'text'].includes(lookOf(name));

export function endingOf(name: string): string {
  const base = nameOf(name).toLowerCase();
  const at = base.lastIndexOf('.');
  return at <= 0 ? '' : base.slice(at + 1);
}

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export function folderOf(path: string): string {
  const at = path.lastIndexOf('/');
  return at <= 0 ? '/' : path.slice(0, at);
}

export const inFolder = (folder: string, name: string): string => (folder === '/' ? `/${name}` : `${folder}/${name}`);
