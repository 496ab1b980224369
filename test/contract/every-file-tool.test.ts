import { readdir } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Tool } from '../../src/contract/tool.ts';
import { describeTool } from '../../src/executor/describe-tool.ts';

const folder = new URL('../../src/tools/files/', import.meta.url);
const names = (await readdir(folder)).filter((name) => !name.startsWith('_') && !name.endsWith('.test.ts'));
/** In the first request of every conversation. */
const always = new Set(['read_file', 'write_file', 'edit_file', 'glob', 'grep', 'read_artifact']);

describe.each(names)('%s', (file) => {
  const load = async (): Promise<Tool> =>
    ((await import(new URL(file, folder).href)) as { readonly default: Tool }).default;
  const name = file.slice(0, -3).replaceAll('-', '_');

  it('describes itself and every parameter, in few bytes', async () => {
    const described = describeTool(name, 'files', await load());
    const properties = (
      described.inputSchema as { readonly properties: Readonly<Record<string, { readonly description?: string }>> }
    ).properties;
    for (const [key, property] of Object.entries(properties)) expect(property.description, key).toMatch(/\S/);
    expect(described.outputSchema).toBeDefined();
    const bytes = Buffer.byteLength(
      JSON.stringify({ name, description: described.description, parameters: described.inputSchema }),
    );
    expect(bytes).toBeLessThan(always.has(name) ? 680 : 1_100);
  });

  it('declares its accesses for any input, and sums it up in one line', async () => {
    const tool = await load();
    const schema = z.toJSONSchema(tool.input, { io: 'input' }) as {
      readonly properties: Readonly<Record<string, { readonly type?: string; readonly enum?: readonly string[] }>>;
      readonly required?: readonly string[];
    };
    const valueOf = (property: {
      readonly type?: string;
      readonly enum?: readonly string[];
    }): fc.Arbitrary<unknown> => {
      if (property.enum) return fc.constantFrom(...property.enum);
      return property.type === 'integer'
        ? fc.integer({ min: 1, max: 500 })
        : property.type === 'boolean'
          ? fc.boolean()
          : fc.string();
    };
    const inputs = fc.record(
      Object.fromEntries(Object.entries(schema.properties).map(([key, property]) => [key, valueOf(property)])),
      { requiredKeys: [...(schema.required ?? [])] },
    );
    fc.assert(
      fc.property(inputs, (raw) => {
        const { success, data: parsed } = tool.input.safeParse(raw);
        // What it does not take has no accesses: a path that must be relative, say.
        fc.pre(success);
        expect(tool.access(parsed).length).toBeGreaterThan(0);
        expect(tool.access(parsed)).toEqual(tool.access(parsed));
        expect(tool.summary(parsed)).not.toMatch(/[\n\r]/);
      }),
    );
    expect(tool.input.safeParse({ unknown_key: 1 }).success).toBe(false);
  });
});
