/** Builds dist/: sh scripts/node.sh scripts/build.ts [--types]. `--types` adds declarations and leaves nothing old behind. */
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { bundleProgram } from './build/bundle-program.ts';
import { bundleWeb } from './build/bundle-web.ts';
import { emitDeclarations } from './build/emit-declarations.ts';
import { installFiles } from './build/install-files.ts';
import { writeToolManifest } from './build/tool-manifest.ts';

const root = path.join(import.meta.dirname, '..');
const forRelease = process.argv.includes('--types');
const keptForRunningProgramsMs = 24 * 3_600_000;

try {
  const [program, web] = await Promise.all([bundleProgram(root), bundleWeb(root, { forRelease })]);
  const files = new Map<string, string | Uint8Array>([...program, ...web]);
  files.set('tools/manifest.json', await writeToolManifest(path.join(root, 'src/tools')));
  if (forRelease) for (const [name, text] of await emitDeclarations(root)) files.set(name, text);
  await installFiles(path.join(root, 'dist'), files, { keepOldChunksMs: forRelease ? 0 : keptForRunningProgramsMs });
} catch (error) {
  // The bundler paints its messages also where nobody sees colours.
  console.error(stripVTControlCharacters(error instanceof Error ? error.message : String(error)));
  process.exitCode = 1;
}
