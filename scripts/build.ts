/** Builds dist/: sh scripts/node.sh scripts/build.ts [--types]. `--types` adds declarations and leaves nothing old behind. */
import path from 'node:path';
import { bundleProgram } from './build/bundle-program.ts';
import { emitDeclarations } from './build/emit-declarations.ts';
import { installFiles } from './build/install-files.ts';
import { writeToolManifest } from './build/tool-manifest.ts';

const root = path.join(import.meta.dirname, '..');
const dist = path.join(root, 'dist');
const forRelease = process.argv.includes('--types');

const files = await bundleProgram(root);
files.set('tools/manifest.json', await writeToolManifest(path.join(root, 'src/tools')));
if (forRelease) for (const [name, text] of await emitDeclarations(root)) files.set(name, text);
await installFiles(dist, files, { keepOldChunksMs: forRelease ? 0 : 24 * 3_600_000 });
