/** read_file: a text file, page by page. */
import { z } from 'zod';
import { oneLine } from '../../base/one-line.ts';
import { countLines, pageText } from '../../base/page-text.ts';
import { ToolFailure } from '../../contract/failure.ts';
import { defineTool } from '../../contract/tool.ts';
import { continuation, readTextFile } from './_text-file.ts';

const maxChars = 100_000;
/** Room for the sentence that names the next page. */
const noticeChars = 200;

export default defineTool({
  title: 'Read file',
  description:
    'Read a UTF-8 text file under 10 MB. A long file comes in pages: the result names the offset to go on with.',
  isCore: true,
  input: z.strictObject({
    path: z.string().describe('Absolute, or relative to the workspace'),
    offset: z.int().min(1).default(1).describe('First line, from 1'),
    limit: z.int().min(1).default(2000).describe('Most lines'),
    char_offset: z.int().min(0).default(0).describe('Only to go on within a very long line'),
  }),
  output: z.object({
    path: z.string(),
    content: z.string(),
    bytes_read: z.number(),
    next_offset: z.number().optional(),
    next_char_offset: z.number().optional(),
    total_lines: z.number().optional(),
  }),
  needs: ['files'],
  access: ({ path }) => [{ kind: 'path', path, mode: 'read' }],
  effect: 'read',
  summary: ({ path, offset }) => oneLine(offset > 1 ? `${path} from line ${offset}` : path),
  maxChars,
  async run({ path, offset, limit, char_offset: skipChars }, { files }) {
    const file = await readTextFile(files, path);
    const cut = (chars: number) => pageText(file.text, { line: offset, skipChars, maxLines: limit, maxChars: chars });
    const whole = cut(maxChars);
    const page = whole?.next === undefined ? whole : cut(maxChars - noticeChars);
    if (page === undefined) throw behindEnd(file.path, countLines(file.text), offset, skipChars);
    const { content, next, totalLines } = page;
    const data = {
      path: file.path,
      content,
      bytes_read: Buffer.byteLength(content),
      ...(next && { next_offset: next.line, total_lines: totalLines }),
      ...(next && next.skipChars > 0 && { next_char_offset: next.skipChars }),
    };
    if (next === undefined) return { text: content === '' ? '(The file is empty.)' : content, data };
    return { text: `${content}${content.endsWith('\n') ? '' : '\n'}${continuation(page)}`, data, truncated: true };
  },
});

function behindEnd(path: string, totalLines: number, offset: number, skipChars: number): ToolFailure {
  if (offset <= totalLines)
    return new ToolFailure(
      'invalid_input',
      `Line ${offset} of ${path} has no more than ${skipChars} characters. Leave char_offset out, or go on with offset ${offset + 1}.`,
    );
  return new ToolFailure(
    'invalid_input',
    `${path} has ${totalLines} lines; offset ${offset} is behind its end. Choose an offset from 1 to ${Math.max(1, totalLines)}.`,
  );
}
