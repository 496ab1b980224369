/** npm run new-tool <group> <tool-name>: writes a tool and its test that pass the checks, and the generated pages with them. */
import path from 'node:path';
import { readSourceFiles } from './check/source-files.ts';
import { writeDocs } from './docs/generated-docs.ts';
import { writeTool } from './new-tool/write-tool.ts';

const root = path.join(import.meta.dirname, '..');
const [group = '', name = '', ...rest] = process.argv.slice(2);
const refusal = rest.length > 0 ? 'Usage: npm run new-tool <group> <tool-name>' : await writeTool(root, group, name);
if (refusal !== undefined) {
  console.error(refusal);
  process.exitCode = 2;
} else {
  await writeDocs(root, await readSourceFiles(root));
  console.log(`src/tools/${group}/${name}.ts\nsrc/tools/${group}/${name}.test.ts`);
}
