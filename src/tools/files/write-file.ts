/** write_file: a whole file, new or replaced. */
import { z } from 'zod';
import { oneLine } from '../../base/one-line.ts';
import { defineTool } from '../../contract/tool.ts';
import { viewOfWrite } from './_text-file.ts';

export default defineTool({
  title: 'Write file',
  description:
    'Create a file, or replace all of its content; parent folders are made. To change a part of a file use edit_file.',
  isCore: true,
  input: z.strictObject({
    path: z.string().describe('Absolute, or relative to the workspace'),
    content: z.string().describe('The whole new content'),
  }),
  output: z.object({ path: z.string(), bytes_written: z.number(), created: z.boolean() }),
  needs: ['files'],
  access: ({ path }) => [{ kind: 'path', path, mode: 'write' }],
  preview: ({ path, content }, { files }) => viewOfWrite(files, path, content),
  effect: 'idempotent',
  summary: ({ path }) => oneLine(path),
  async run({ path, content }, { files }) {
    const view = await viewOfWrite(files, path, content);
    const bytes = Buffer.from(content);
    const written = await files.write(path, bytes);
    return {
      text: `${written.created ? 'Created' : 'Replaced'} ${written.path} (${bytes.length} bytes).`,
      view,
      data: { path: written.path, bytes_written: bytes.length, created: written.created },
    };
  },
});
