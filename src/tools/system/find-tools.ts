/** Finds tools that are not in the request, so that it stays small. */
import { z } from 'zod';
import { oneLine } from '../../base/one-line.ts';
import { defineTool } from '../../contract/tool.ts';

export default defineTool({
  title: 'Find tools',
  description:
    'Find more tools by keywords, or one by its name. You have others than those listed here ({groups}). ' +
    'What is found can be called by its name in your next step.',
  isCore: true,
  input: z.strictObject({
    query: z.string().min(1).max(500).describe('What it should do, e.g. "move files"'),
    limit: z.number().int().min(1).max(20).default(5).describe('Tools at most'),
  }),
  output: z.object({
    query: z.string(),
    tools: z.array(z.object({ name: z.string(), title: z.string(), description: z.string() })),
  }),
  needs: ['toolCatalog'],
  access: () => [{ kind: 'none' }],
  effect: 'read',
  summary: ({ query }) => oneLine(query),
  async run({ query, limit }, { toolCatalog }) {
    const tools = toolCatalog.find(query, limit);
    const lines = tools.map((tool) => `${tool.name}: ${tool.description}`);
    const nothing = `Nothing fits "${query}". Try other words for what it should do.`;
    return {
      text: lines.join('\n') || nothing,
      view: {
        kind: 'table',
        columns: ['Tool', 'What it does'],
        rows: tools.map((tool) => [tool.title, tool.description]),
      },
      data: { query, tools },
      offers: tools.map((tool) => tool.name),
    };
  },
});
