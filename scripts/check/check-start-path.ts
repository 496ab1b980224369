/** What a start loads: no package of the table that is marked for first use, and no tool. */
import { findImports, packageOf, resolveRelative } from './find-imports.ts';
import { readTable } from './read-table.ts';
import type { Problem, SourceFile } from './source-files.ts';

const entry = 'src/main.ts';

export function checkStartPath(files: readonly SourceFile[], architecture: string): readonly Problem[] {
  const onFirstUse = new Set(
    readTable(architecture, 'packages')
      .filter(([, , loaded]) => loaded !== 'start')
      .map(([name = '']) => name.replaceAll('`', '')),
  );
  const byName = new Map(files.map((file) => [file.name, file]));
  const problems: Problem[] = [];
  const via = new Map<string, string>([[entry, '']]);
  for (const name of via.keys()) {
    const file = byName.get(name);
    if (file === undefined) continue;
    for (const found of findImports(file)) {
      if (found.kind !== 'static') continue;
      if (found.specifier.startsWith('.')) {
        const target = resolveRelative(name, found.specifier);
        if (!via.has(target)) via.set(target, name);
      } else if (onFirstUse.has(packageOf(found.specifier))) {
        const text = `every start would load ${found.specifier} (${chain(name, via)}); import it where it is first used`;
        problems.push({ file: name, line: found.line, text });
      }
    }
  }
  return problems;
}

function chain(name: string, via: ReadonlyMap<string, string>): string {
  const names = [];
  for (let at: string | undefined = name; at; at = via.get(at)) names.unshift(at.replace('src/', ''));
  return names.join(' > ');
}
