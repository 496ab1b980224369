/** Whether one absolute path is another or lies below it: by whole components, never by bare prefix. */

export function isInside(path: string, folder: string): boolean {
  return path === folder || folder === '/' || path.startsWith(`${folder}/`);
}
