/** read_artifact: pages of a result that was cut. */
import { z } from 'zod';
import { oneLine } from '../../base/one-line.ts';
import { defineTool } from '../../contract/tool.ts';

export default defineTool({
  title: 'Read kept result',
  description:
    'Read more of a result that was cut: a page by offset, or only the lines that match a pattern. The cut result names the id.',
  isCore: true,
  input: z.strictObject({
    id: z.string().describe('Artifact id'),
    offset: z.int().min(0).default(0).describe('First character, from 0'),
    limit: z.int().min(1).max(19_000).default(19_000).describe('Most characters'),
    pattern: z.string().optional().describe('RE2 pattern: only matching lines'),
  }),
  output: z.object({
    id: z.string(),
    content: z.string(),
    total_chars: z.number(),
    next_offset: z.number().optional(),
  }),
  needs: ['artifacts'],
  access: () => [{ kind: 'none' }],
  effect: 'read',
  summary: ({ id, pattern }) => oneLine(pattern === undefined ? id : `${pattern} in ${id}`),
  async run({ id, offset, limit, pattern }, { artifacts }) {
    const { text, totalChars, nextOffset } = await artifacts.read(id, {
      offset,
      limit,
      ...(pattern !== undefined && { pattern }),
    });
    const data = {
      id,
      content: text,
      total_chars: totalChars,
      ...(nextOffset !== undefined && { next_offset: nextOffset }),
    };
    if (text === '')
      return { text: pattern === undefined ? '(The result is empty.)' : `No line matches ${pattern}.`, data };
    if (nextOffset === undefined) return { text, data };
    return {
      text: `${text}\n[Characters ${offset} to ${nextOffset} of ${totalChars}. Continue with offset ${nextOffset}.]`,
      data,
      truncated: true,
    };
  },
});
