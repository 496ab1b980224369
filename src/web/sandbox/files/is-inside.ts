/** Whether a path is another or lies below it: by whole parts. */
export const isInside = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);
