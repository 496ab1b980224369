/** Which shared libraries our own Node runs with, so that it can be started where the system has others. */
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

export type NodeLibraries = {
  /** File name inside → real path on the machine. */
  readonly files: ReadonlyMap<string, string>;
  /** Its name among them. Undefined: a program that loads nothing. */
  readonly loader: string | undefined;
};

/** proc(5). What add-ons brought along is not Node's own; those lie beside packages. */
export function findNodeLibraries(maps: string = readFileSync('/proc/self/maps', 'utf8')): NodeLibraries {
  const files = new Map<string, string>();
  for (const line of maps.split('\n')) {
    const path = /\s(\/\S+\.so(?:\.\d+)*)$/.exec(line)?.[1];
    if (path === undefined || path.includes('/node_modules/')) continue;
    files.set(libraryName(path), join(dirname(path), basename(path)));
  }
  const loader = [...files.keys()].find((name) => /^ld(-linux|-musl|64|\.so)/.test(name));
  return { files, loader };
}

/** ld.so(8): a library is asked for by its name and first number (libstdc++.so.6), whatever its file is called. */
function libraryName(path: string): string {
  const name = basename(path);
  return /^(.*?\.so(?:\.\d+)?)/.exec(name)?.[1] ?? name;
}
