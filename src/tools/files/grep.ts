/** grep: text in files by regular expression. */
import { z } from 'zod';
import { oneLine } from '../../base/one-line.ts';
import type { TextMatch } from '../../contract/services.ts';
import { defineTool } from '../../contract/tool.ts';

const maxMatches = 1000;

export default defineTool({
  title: 'Search in files',
  description:
    'Search file contents, line by line, by regular expression (RE2). Leaves out binary files, .git and what .gitignore names. First 1000 matches.',
  isCore: true,
  input: z.strictObject({
    pattern: z.string().describe('RE2 pattern; (?i) ignores case'),
    path: z.string().default('.').describe('Folder or file'),
    include: z.string().optional().describe('Glob for files, such as *.ts'),
    output_mode: z.enum(['content', 'file']).default('content').describe('Matching lines, or files only'),
  }),
  output: z.object({
    pattern: z.string(),
    base_path: z.string(),
    output_mode: z.enum(['content', 'file']),
    matches: z.array(z.object({ file: z.string(), line_number: z.number(), line: z.string() })).optional(),
    files: z.array(z.string()).optional(),
    count: z.number(),
    truncated: z.boolean().optional(),
  }),
  needs: ['search'],
  access: ({ path }) => [{ kind: 'path', path, mode: 'read' }],
  effect: 'read',
  summary: ({ pattern, path }) => oneLine(path === '.' ? pattern : `${pattern} in ${path}`),
  async run({ pattern, path, include, output_mode }, { search }) {
    const filesOnly = output_mode === 'file';
    const found = await search.grep({
      pattern,
      path,
      ...(include !== undefined && { include }),
      limit: maxMatches,
      filesOnly,
      honourIgnoreFiles: true,
    });
    const { matches, truncated } = found;
    const head = { pattern, base_path: found.basePath, output_mode };
    const tail = { count: matches.length, ...(truncated && { truncated }) };
    const data = filesOnly
      ? { ...head, files: matches.map((match) => match.file), ...tail }
      : {
          ...head,
          matches: matches.map(({ file, lineNumber, line }) => ({ file, line_number: lineNumber, line })),
          ...tail,
        };
    if (matches.length === 0)
      return {
        text: `No match for ${pattern} below ${found.basePath}. (Binary files and files that .gitignore names are left out.)`,
        data,
      };
    const text = filesOnly ? matches.map((match) => match.file).join('\n') : toText(matches);
    return {
      text:
        text +
        (truncated
          ? `\n[The first ${maxMatches} ${filesOnly ? 'files' : 'matches'}; there are more. Use a narrower pattern, path or include.]`
          : ''),
      view: {
        kind: 'files',
        files: matches.map(({ file, lineNumber, line }) =>
          filesOnly ? { path: file } : { path: file, line: lineNumber, snippet: line },
        ),
      },
      data,
      ...(truncated && { truncated }),
    };
  },
});

/** Each file once, its lines below it. */
function toText(matches: readonly TextMatch[]): string {
  const lines: string[] = [];
  let file = '';
  for (const match of matches) {
    if (match.file !== file) lines.push(match.file);
    file = match.file;
    lines.push(`  ${match.lineNumber}: ${match.line}`);
  }
  return lines.join('\n');
}
