/** search_in_files: plain text in files. */
import { z } from 'zod';
import { oneLine } from '../../base/one-line.ts';
import { defineTool } from '../../contract/tool.ts';

export default defineTool({
  title: 'Search text in files',
  description:
    'Find a plain text (no pattern) in files, whatever the case, and give the lines. Leaves out what .gitignore names. Use grep for regular expressions.',
  input: z.strictObject({
    query: z.string().describe('Text to find'),
    path: z.string().default('.').describe('Folder or file'),
    file_pattern: z.string().optional().describe('Glob for files, such as *.md'),
    case_sensitive: z.boolean().default(false).describe('Match case exactly'),
    max_results: z.int().min(1).max(1000).default(30).describe('Most results'),
  }),
  output: z.object({
    results: z.array(z.object({ path: z.string(), line_number: z.number(), snippet: z.string() })),
    truncated: z.boolean(),
    backend: z.string(),
  }),
  needs: ['search'],
  access: ({ path }) => [{ kind: 'path', path, mode: 'read' }],
  effect: 'read',
  summary: ({ query, path }) => oneLine(path === '.' ? query : `${query} in ${path}`),
  async run({ query, path, file_pattern: include, case_sensitive: isCaseSensitive, max_results: limit }, { search }) {
    const found = await search.grep({
      pattern: query,
      path,
      limit,
      ...(include !== undefined && { include }),
      isLiteral: true,
      ignoreCase: !isCaseSensitive,
      honourIgnoreFiles: true,
    });
    const { matches, truncated, backend } = found;
    const data = {
      results: matches.map(({ file, lineNumber, line }) => ({
        path: file,
        line_number: lineNumber,
        snippet: line.trim(),
      })),
      truncated,
      backend,
    };
    if (matches.length === 0) return { text: `${query} was not found below ${found.basePath}.`, data };
    const lines = matches.map(({ file, lineNumber, line }) => `${file}:${lineNumber}: ${line.trim()}`);
    return {
      text:
        lines.join('\n') +
        (truncated
          ? `\n[The first ${limit}; there are more. Use a narrower path or file_pattern, or raise max_results.]`
          : ''),
      view: {
        kind: 'files',
        files: matches.map(({ file, lineNumber, line }) => ({ path: file, line: lineNumber, snippet: line.trim() })),
      },
      data,
      ...(truncated && { truncated }),
    };
  },
});
