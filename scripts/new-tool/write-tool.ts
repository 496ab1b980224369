/** Writes the two files of a new tool. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

const kebabCase = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** Undefined when both files are there; else one line that says why nothing was written. */
export async function writeTool(root: string, group: string, name: string): Promise<string | undefined> {
  if (!kebabCase.test(group) || !kebabCase.test(name)) {
    return 'Usage: npm run new-tool <group> <tool-name>, both in kebab-case: npm run new-tool web fetch-url';
  }
  const tools = path.join(root, 'src/tools');
  const taken = (await readdir(tools, { recursive: true })).find((file) => path.basename(file) === `${name}.ts`);
  if (taken !== undefined) return `There is a tool of that name: src/tools/${taken}`;
  const folder = path.join(tools, group);
  await mkdir(folder, { recursive: true });
  // `wx`: a file that came meanwhile is somebody's work.
  await writeFile(path.join(folder, `${name}.ts`), toolText(name), { flag: 'wx' });
  await writeFile(path.join(folder, `${name}.test.ts`), testText(name), { flag: 'wx' });
  return undefined;
}

const words = (name: string): string => name.replaceAll('-', ' ');
const title = (name: string): string => words(name).replace(/^./, (letter) => letter.toUpperCase());
const variable = (name: string): string => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

function toolText(name: string): string {
  return `/** ${title(name)}: what the tool does, in one line. */
import { z } from 'zod';
import { ToolFailure } from '../../contract/failure.ts';
import { defineTool } from '../../contract/tool.ts';

export default defineTool({
  title: '${title(name)}',
  description: 'What it does. When to use it. When to use something else.',
  input: z.strictObject({ text: z.string().describe('What the model is to put here') }),
  needs: [],
  access: () => [{ kind: 'none' }],
  effect: 'read',
  summary: ({ text }) => text.replaceAll(/\\s+/g, ' ').slice(0, 80),
  async run({ text }) {
    if (text.trim() === '') throw new ToolFailure('invalid_input', 'The text is empty. Say what is wanted.');
    return { text, data: { text } };
  },
});
`;
}

function testText(name: string): string {
  const tool = variable(name);
  return `import { expect, test } from 'vitest';
import type { ToolContext } from '../../contract/tool.ts';
import ${tool} from './${name}.ts';

const context: ToolContext = {
  signal: new AbortController().signal,
  conversation: { id: 'test', workspace: '/nowhere', isThrowaway: true },
  emit: () => {},
};

test('${words(name)} gives back what it was given', async () => {
  const output = await ${tool}.run({ text: 'hello' }, {}, context);
  expect(output).toEqual({ text: 'hello', data: { text: 'hello' } });
});

test('${words(name)} refuses an empty text and says what to do', async () => {
  await expect(${tool}.run({ text: ' ' }, {}, context)).rejects.toMatchObject({ code: 'invalid_input' });
});
`;
}
