/** npm run docs: writes the pages that are made from the source. */
import path from 'node:path';
import { readSourceFiles } from './check/source-files.ts';
import { writeDocs } from './docs/generated-docs.ts';

const root = path.join(import.meta.dirname, '..');
await writeDocs(root, await readSourceFiles(root));
