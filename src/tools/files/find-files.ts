/** find_files: files by a part of their name, through the machine's index where there is one. */
import { z } from 'zod';
import { oneLine } from '../../base/one-line.ts';
import { defineTool } from '../../contract/tool.ts';

export default defineTool({
  title: 'Find files by name',
  description:
    'Find files anywhere by a part of their name or a glob, whatever the case, fast through the locate index. Use glob for source trees.',
  input: z.strictObject({
    pattern: z.string().describe('Part of the name, or a glob such as *.pdf'),
    path: z.string().default('.').describe('Folder to search in'),
    max_results: z.int().min(1).max(1000).default(50).describe('Most results'),
    include_hidden: z.boolean().default(false).describe('Also hidden files and folders'),
  }),
  output: z.object({ results: z.array(z.object({ path: z.string() })), truncated: z.boolean(), backend: z.string() }),
  needs: ['search'],
  access: ({ path }) => [{ kind: 'path', path, mode: 'read' }],
  effect: 'read',
  summary: ({ pattern, path }) => oneLine(path === '.' ? pattern : `${pattern} in ${path}`),
  async run({ pattern, path, max_results: limit, include_hidden: includeHidden }, { search }) {
    const { basePath, files, truncated, backend } = await search.findByName({ pattern, path, limit, includeHidden });
    const data = { results: files.map((file) => ({ path: file })), truncated, backend };
    if (files.length === 0)
      return {
        text: `No file below ${basePath} has ${pattern} in its name.${includeHidden ? '' : ' Hidden files were left out.'}`,
        data,
      };
    const fromIndex =
      backend === 'find' ? '' : `\n[From the ${backend} index; files made since it was last updated may be missing.]`;
    return {
      text:
        files.join('\n') +
        (truncated
          ? `\n[The first ${limit}; there are more. Use a narrower pattern or path, or raise max_results.]`
          : '') +
        fromIndex,
      view: { kind: 'files', files: files.map((file) => ({ path: file })) },
      data,
      ...(truncated && { truncated }),
    };
  },
});
