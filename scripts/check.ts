/** npm run check: everything that can be known without running the program. Prints only what is wrong, a line each. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { checkGuides } from './check/check-guides.ts';
import { checkImports } from './check/check-imports.ts';
import { checkNames, type NameExceptions } from './check/check-names.ts';
import { checkShape } from './check/check-shape.ts';
import { checkSizes, type SizeExceptions } from './check/check-sizes.ts';
import { checkStartPath } from './check/check-start-path.ts';
import { programChecks, runProgram } from './check/run-program.ts';
import { type Problem, readSourceFiles } from './check/source-files.ts';
import { findOutdatedDocs } from './docs/generated-docs.ts';

const root = path.join(import.meta.dirname, '..');

type Check = { readonly title: string; readonly run: () => Promise<readonly string[]> };

async function listChecks(): Promise<readonly Check[]> {
  const files = await readSourceFiles(root);
  const architecture = await readFile(path.join(root, 'ARCHITECTURE.md'), 'utf8');
  const { sizes, names } = await readExceptions();
  const ours: Readonly<Record<string, () => readonly Problem[] | Promise<readonly Problem[]>>> = {
    imports: () => checkImports(files, architecture),
    'start path': () => checkStartPath(files, architecture),
    shape: () => checkShape(files),
    sizes: () => checkSizes(files, sizes),
    names: () => checkNames(files, names),
    guides: () => checkGuides(files, root),
    'generated docs': () => findOutdatedDocs(root, files),
  };
  return [
    // The programs first: they run while ours do.
    ...programChecks.map((check) => ({ title: check.title, run: () => runProgram(root, check) })),
    ...Object.entries(ours).map(([title, run]) => ({ title, run: async () => (await run()).map(toLine) })),
  ];
}

async function readExceptions(): Promise<{ readonly sizes: SizeExceptions; readonly names: NameExceptions }> {
  return JSON.parse(await readFile(path.join(import.meta.dirname, 'check/exceptions.json'), 'utf8')) as {
    sizes: SizeExceptions;
    names: NameExceptions;
  };
}

function toLine({ file, line, text }: Problem): string {
  return `${file}${line > 0 ? `:${line}` : ''}: ${text}`;
}

let found = 0;
await Promise.all(
  (await listChecks()).map(async ({ title, run }) => {
    const startedAt = Date.now();
    const lines = await run();
    found += lines.length;
    for (const line of lines) console.log(`${title}: ${line}`);
    if (process.argv.includes('--times')) console.log(`${title} took ${Date.now() - startedAt} ms`);
  }),
);
if (found > 0) {
  console.log(`${found} problems`);
  process.exitCode = 1;
}
