/** Who imports whom: the two tables of ARCHITECTURE.md, enforced. */
import { findImports, type Import, packageOf, resolveRelative } from './find-imports.ts';
import { readList, readTable } from './read-table.ts';
import type { Problem, SourceFile } from './source-files.ts';

const everything = '*';

/** What a file of ours belongs to in the table: its folder below src, or itself. Undefined outside of src. */
export function folderOf(name: string): string | undefined {
  const [top, folder] = name.split('/');
  return top === 'src' ? folder : undefined;
}

export function checkImports(files: readonly SourceFile[], architecture: string): readonly Problem[] {
  const allowed = new Map(readTable(architecture, 'imports').map(([folder = '', may = '']) => [folder, readList(may)]));
  const packages = readPackages(architecture);
  const problems = findMutualPairs(allowed);
  const used = new Set<string>();
  for (const file of files) {
    const folder = folderOf(file.name);
    // A test may use real parts of any folder: it builds what main.ts builds.
    if (folder === undefined || file.isTest) continue;
    for (const found of findImports(file)) {
      if (!found.specifier.startsWith('.')) used.add(packageOf(found.specifier));
      const text = judge(file.name, folder, found, allowed, packages);
      if (text !== undefined) problems.push({ file: file.name, line: found.line, text });
    }
  }
  for (const name of packages.keys()) {
    if (!used.has(name)) problems.push(inTable(`the package ${name} is in the table and imported nowhere`));
  }
  return problems;
}

type Packages = ReadonlyMap<string, { readonly folders: readonly string[] }>;

/** Package → the folders that may import it. */
export function readPackages(architecture: string): Packages {
  return new Map(
    readTable(architecture, 'packages').map(([name = '', folders = '']) => [
      name.replaceAll('`', ''),
      { folders: readList(folders) },
    ]),
  );
}

function judge(
  name: string,
  folder: string,
  { specifier, kind }: Import,
  allowed: ReadonlyMap<string, readonly string[]>,
  packages: Packages,
): string | undefined {
  if (specifier.startsWith('node:')) return folder === 'web' ? 'a browser has no modules of Node' : undefined;
  if (!specifier.startsWith('.')) return judgePackage(folder, packageOf(specifier), packages);
  if (!/\.(ts|tsx|json|css)$/.test(specifier)) return `import "${specifier}" with its extension`;
  const target = folderOf(resolveRelative(name, specifier));
  if (target === undefined) return `"${specifier}" leaves src`;
  if (target === folder) return undefined;
  if (folder === 'web' && kind !== 'type') return 'web may import types only: it runs in a browser';
  const may = allowed.get(folder);
  if (may === undefined) return `the folder ${folder} is not in the import table of ARCHITECTURE.md`;
  return may.includes(everything) || may.includes(target)
    ? undefined
    : `${folder} may not import ${target}; take it as an argument, typed by an interface in contract`;
}

function judgePackage(folder: string, name: string, packages: Packages): string | undefined {
  const entry = packages.get(name);
  if (entry === undefined) return `the package ${name} is not in the table of ARCHITECTURE.md; add it with its reason`;
  return entry.folders.includes(folder)
    ? undefined
    : `${folder} may not import ${name}; ${entry.folders.join(', ')} wraps it`;
}

/** No two folders may be allowed to import each other, not even by way of a third. */
function findMutualPairs(allowed: ReadonlyMap<string, readonly string[]>): Problem[] {
  const reaches = (from: string, to: string, seen: Set<string>): boolean =>
    (allowed.get(from) ?? []).some((next) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))));
  return [...allowed.keys()]
    .filter((folder) => reaches(folder, folder, new Set()))
    .map((folder) => inTable(`the table lets ${folder} be imported by what it imports`));
}

const inTable = (text: string): Problem => ({ file: 'ARCHITECTURE.md', line: 0, text });
