/** Finds the programs that search uses. */
import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

export type SearchProgram = 'rg' | 'grep' | 'plocate' | 'locate' | 'find';

/** Undefined when the program is not there. */
export type FindBinary = (name: SearchProgram) => Promise<string | undefined>;

/** Looks once per name. ripgrep comes from its package, else from the PATH like the rest. */
export function createFindBinary(path = process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin'): FindBinary {
  const found = new Map<SearchProgram, Promise<string | undefined>>();
  return (name) => {
    let finding = found.get(name);
    if (finding === undefined) {
      finding =
        name === 'rg' ? packagedRipgrep().then((packaged) => packaged ?? onPath(name, path)) : onPath(name, path);
      found.set(name, finding);
    }
    return finding;
  };
}

async function packagedRipgrep(): Promise<string | undefined> {
  try {
    const { rgPath } = await import('@vscode/ripgrep');
    return (await isExecutable(rgPath)) ? rgPath : undefined;
  } catch {
    // The package has no binary for this processor, or was left out of the installation: the machine's own will do.
    return undefined;
  }
}

async function onPath(name: string, path: string): Promise<string | undefined> {
  // A relative entry would let a workspace supply the program.
  for (const folder of path.split(delimiter).filter(isAbsolute)) {
    const file = join(folder, name);
    if (await isExecutable(file)) return file;
  }
  return undefined;
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false; // Not there, or not ours to run: the same to the caller.
  }
}
