import { describe, expect, it } from 'vitest';
import type { ToolCatalog } from '../../contract/tool-catalog.ts';
import findTools from './find-tools.ts';

const run = (catalog: ToolCatalog, query: string) =>
  findTools.run({ query, limit: 5 }, { toolCatalog: catalog }, {} as never);

describe('find_tools', () => {
  it('[K02] gives names and descriptions to the model, and the same as data', async () => {
    const tools = [{ name: 'filesystem', title: 'Filesystem', description: 'Move files.' }];
    const output = await run({ find: () => tools }, 'move');
    expect(output.text).toBe('filesystem: Move files.');
    expect(output.data).toEqual({ query: 'move', tools });
  });

  it('[K02] says what to try when nothing fits', async () => {
    const output = await run({ find: () => [] }, 'teleport');
    expect(output.text).toContain('Nothing fits "teleport"');
    expect(output.data).toEqual({ query: 'teleport', tools: [] });
  });
});
