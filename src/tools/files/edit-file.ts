/** edit_file: an exact piece of a file, replaced. */
import { z } from 'zod';
import { explainMismatch } from '../../base/explain-mismatch.ts';
import { oneLine } from '../../base/one-line.ts';
import { replaceText } from '../../base/replace-text.ts';
import { ToolFailure } from '../../contract/failure.ts';
import type { Files } from '../../contract/services.ts';
import { defineTool } from '../../contract/tool.ts';
import { readTextFile, toDiffView, type TextFile } from './_text-file.ts';

const maxAttempts = 20;
const maxNamedLines = 20;

type Edit = {
  readonly path: string;
  readonly oldString: string;
  readonly newString: string;
  readonly shouldReplaceAll: boolean;
};

export default defineTool({
  title: 'Edit file',
  description:
    'Replace an exact piece of an existing file. oldString must match to the space and occur only once, unless shouldReplaceAll is set. Read the file first.',
  isCore: true,
  input: z.strictObject({
    path: z.string().describe('Absolute, or relative to the workspace'),
    oldString: z.string().describe('Exact text to replace'),
    newString: z.string().describe('Text to put in its place'),
    shouldReplaceAll: z.boolean().default(false).describe('Replace every occurrence'),
  }),
  output: z.object({ success: z.boolean(), path: z.string(), replacementCount: z.number() }),
  needs: ['files'],
  access: ({ path }) => [{ kind: 'path', path, mode: 'write' }],
  async preview(edit, { files }) {
    const { file, text } = await planEdit(edit, files);
    return toDiffView(file.path, file.text, text);
  },
  effect: 'once',
  summary: ({ path }) => oneLine(path),
  async run(edit, { files }, { signal }) {
    for (let attempt = 1; ; attempt += 1) {
      signal.throwIfAborted();
      const { file, text, count } = await planEdit(edit, files);
      try {
        await files.write(edit.path, Buffer.from(text), { expected: file.bytes });
      } catch (error) {
        // Another edit of the same response came first: this one is for the same exact text, so it is planned anew.
        if (error instanceof ToolFailure && error.code === 'conflict' && attempt < maxAttempts) continue;
        throw error;
      }
      return {
        text: `Replaced ${count === 1 ? 'one occurrence' : `${count} occurrences`} in ${file.path}.`,
        view: toDiffView(file.path, file.text, text),
        data: { success: true, path: file.path, replacementCount: count },
      };
    }
  },
});

async function planEdit(
  edit: Edit,
  files: Files,
): Promise<{ readonly file: TextFile; readonly text: string; readonly count: number }> {
  if (edit.oldString === '')
    throw new ToolFailure(
      'invalid_input',
      'oldString is empty. Give the exact text to replace; to make a new file use write_file.',
    );
  if (edit.oldString === edit.newString)
    throw new ToolFailure(
      'invalid_input',
      'oldString and newString are the same, so nothing would change. Give the new text.',
    );
  const file = await readTextFile(files, edit.path);
  const result = replaceText(file.text, edit.oldString, edit.newString, edit.shouldReplaceAll);
  if (result.kind === 'missing') {
    throw new ToolFailure(
      'invalid_input',
      `oldString was not found in ${file.path}. ${explainMismatch(file.text, edit.oldString)} Read the place again and copy it exactly.`,
    );
  }
  if (result.kind === 'several') {
    const named = result.lines.slice(0, maxNamedLines).join(', ') + (result.lines.length > maxNamedLines ? ' ...' : '');
    throw new ToolFailure(
      'invalid_input',
      `oldString occurs ${result.lines.length} times in ${file.path}, on lines ${named}. Add lines around it until it is unique, or set shouldReplaceAll.`,
    );
  }
  return { file, ...result };
}
