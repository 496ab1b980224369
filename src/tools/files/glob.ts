/** glob: files by pattern. */
import { z } from 'zod';
import { splitGlob } from '../../base/match-glob.ts';
import { oneLine } from '../../base/one-line.ts';
import { defineTool } from '../../contract/tool.ts';

const maxFiles = 1000;

export default defineTool({
  title: 'Find files by pattern',
  description:
    'List files by glob such as *.go (at any depth) or src/**/*.{ts,tsx}. Leaves out .git and what .gitignore names; a folder named in the pattern is always searched. First 1000.',
  isCore: true,
  input: z.strictObject({
    pattern: z.string().describe('Glob below path'),
    path: z.string().default('.').describe('Base folder'),
  }),
  output: z.object({
    pattern: z.string(),
    base_path: z.string(),
    files: z.array(z.string()),
    count: z.number(),
    truncated: z.boolean().optional(),
  }),
  needs: ['search'],
  access: (input) => [{ kind: 'path', path: toRequest(input).path, mode: 'read' }],
  effect: 'read',
  summary: ({ pattern, path }) => oneLine(path === '.' ? pattern : `${pattern} in ${path}`),
  async run(input, { search }) {
    const { basePath, files, truncated } = await search.glob({ ...toRequest(input), limit: maxFiles });
    const data = {
      pattern: input.pattern,
      base_path: basePath,
      files,
      count: files.length,
      ...(truncated && { truncated }),
    };
    if (files.length === 0)
      return {
        text: `No file below ${basePath} matches ${input.pattern}. (Files that .gitignore names are left out unless path names their folder.)`,
        data,
      };
    return {
      text:
        files.join('\n') +
        (truncated ? `\n[The first ${maxFiles} files; there are more. Use a narrower pattern or path.]` : ''),
      view: { kind: 'files', files: files.map((path) => ({ path })) },
      data,
      ...(truncated && { truncated }),
    };
  },
});

/** Models write whole paths into the pattern: its fixed folders are then the base. */
function toRequest({ pattern, path }: { readonly pattern: string; readonly path: string }): {
  readonly pattern: string;
  readonly path: string;
} {
  if (!/^(?:\/|~\/)/.test(pattern)) return { pattern, path };
  const { folder, rest } = splitGlob(pattern);
  return { pattern: `./${rest}`, path: folder };
}
