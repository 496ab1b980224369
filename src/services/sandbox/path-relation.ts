/** How two absolute paths lie to each other. Pure: no link is followed. */

/** True when `path` lies below `folder`, and is not the folder itself. */
export function isInside(path: string, folder: string): boolean {
  return folder === '/' ? path !== '/' && path.startsWith('/') : path.startsWith(`${folder}/`);
}
