/** One suite over every tool there is; a new tool is tested by it without an edit. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Tool } from '../../src/contract/tool.ts';
import { describeTool } from '../../src/executor/describe-tool.ts';
import { listToolFiles } from '../../src/executor/discover.ts';
import { parseInput } from '../../src/executor/parse-input.ts';
import { arbitraryOf } from '../kit/arbitrary-input.ts';
import { soak } from '../kit/soak.ts';

const files = await listToolFiles(path.join(import.meta.dirname, '../../src/tools'));
const tools = await Promise.all(
  files.map(async ({ group, name, file }) => {
    const { default: tool } = (await import(pathToFileURL(file).href)) as { readonly default: Tool };
    return { name, tool, descriptor: describeTool(name, group, tool) };
  }),
);

it('names and aliases are unique', () => {
  const names = tools.flatMap(({ name, tool }) => [name, ...(tool.aliases ?? [])]);
  expect(new Set(names).size).toBe(names.length);
});

describe.each(tools)('$name', ({ name, tool, descriptor }) => {
  it('[K01] says what it is: title, description, a schema whose every field is described, a timeout', () => {
    expect(tool.title).toMatch(/^[A-Z]/);
    expect(descriptor.description.length).toBeGreaterThan(20);
    expect(descriptor.description.length).toBeLessThanOrEqual(700);
    expect(descriptor.timeoutMs).toBeGreaterThan(0);
    for (const [field, schema] of Object.entries(
      descriptor.inputSchema['properties'] as Record<string, { description?: string }>,
    )) {
      expect(schema.description, field).toBeTruthy();
    }
    expect(descriptor.outputSchema, 'the shape of its data').toBeDefined();
  });

  it('is plain ASCII for the model: one other character doubles the size of every request in memory', () => {
    expect(JSON.stringify([descriptor.description, descriptor.inputSchema])).toMatch(/^[\x20-\x7e]*$/);
  });

  it('[K04] refuses unknown keys and what is no object', () => {
    for (const input of [{ no_such_key_at_all: 1 }, [], 'text', 5]) {
      expect(() => parseInput(tool, name, input)).toThrow();
    }
  });

  it('access is total and pure, and the summary is one short line, for every input that fits', () => {
    fc.assert(
      fc.property(arbitraryOf(descriptor.inputSchema), (raw) => {
        const parsed = tool.input.safeParse(raw);
        if (!parsed.success) return;
        const before = JSON.stringify(parsed.data);
        const accesses = tool.access(parsed.data);
        expect(tool.access(parsed.data)).toEqual(accesses);
        expect(accesses.length).toBeGreaterThan(0);
        expect(tool.summary(parsed.data)).not.toMatch(/[\n\r]/);
        expect(JSON.stringify(parsed.data)).toBe(before);
      }),
      { numRuns: soak(200) },
    );
  });
});
