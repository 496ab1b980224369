import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool, type Tool } from '../contract/tool.ts';
import { describeTool } from './describe-tool.ts';

function toolWith(change: Partial<Tool>): Tool {
  const tool = defineTool({
    title: 'Count words',
    description: 'Counts words.',
    input: z.object({ path: z.string().describe('Which file'), limit: z.number().int().default(5) }),
    needs: [],
    access: () => [{ kind: 'none' }],
    effect: 'read',
    summary: () => 'count',
    run: async () => ({ text: '' }),
  });
  return { ...(tool as unknown as Tool), ...change };
}

describe('describeTool', () => {
  test('[K01] names, types, texts and required arguments stand in the schema, and 30 s is the timeout without a figure', () => {
    const described = describeTool('count_words', 'files', toolWith({}));
    expect(described).toMatchObject({ name: 'count_words', group: 'files', timeoutMs: 30_000, maxChars: 20_000 });
    expect(described.inputSchema).toEqual({
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Which file' },
        limit: { type: 'integer', default: 5 },
      },
      required: ['path'],
      additionalProperties: false,
    });
    expect(described).not.toHaveProperty('outputSchema');
    expect(JSON.parse(JSON.stringify(described))).toEqual(described);
  });

  test('a tool says its own figures', () => {
    const described = describeTool(
      'x',
      'files',
      toolWith({
        timeoutMs: 5_000,
        maxChars: 10,
        enabledByDefault: false,
        smallModels: true,
        platforms: ['linux'],
        aliases: ['y'],
        output: z.object({ count: z.number() }),
      }),
    );
    expect(described).toMatchObject({
      timeoutMs: 5_000,
      maxChars: 10,
      enabledByDefault: false,
      smallModels: true,
      platforms: ['linux'],
      aliases: ['y'],
      outputSchema: { type: 'object', required: ['count'] },
    });
  });

  test('a timeout that depends on the input is the one of a call that names only what is required', () => {
    const perLimit = toolWith({ timeoutMs: (input) => (input as { limit: number }).limit * 1_000 });
    expect(describeTool('x', 'files', perLimit).timeoutMs).toBe(5_000);
    const perPath = toolWith({ timeoutMs: (input) => (input as { path: string }).path.length });
    expect(describeTool('x', 'files', perPath).timeoutMs).toBe(30_000);
    const never = toolWith({ timeoutMs: () => Number.NaN });
    expect(describeTool('x', 'files', never).timeoutMs).toBe(30_000);
  });

  test('an input that is no object is refused', () => {
    expect(() => describeTool('x', 'files', toolWith({ input: z.string() }))).toThrow(/must be a zod object/);
  });
});
