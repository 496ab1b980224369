import { describe, expect, test } from 'vitest';
import { MisuseFailure } from '../../contract/failure.ts';
import type { ToolStatus } from '../../contract/handrail.ts';
import { createToolList, describeForClient } from './tool-list.ts';

function tool(name: string, change: Partial<ToolStatus> = {}): ToolStatus {
  return {
    name,
    group: 'files',
    title: name,
    description: name,
    aliases: [],
    inputSchema: { type: 'object' },
    effect: 'once',
    timeoutMs: 1,
    maxChars: 1,
    enabledByDefault: true,
    smallModels: false,
    platforms: [],
    isEnabled: true,
    reason: '',
    ...change,
  };
}

const problems: string[] = [];
const listOf = (tools: readonly ToolStatus[], only?: readonly string[]) =>
  createToolList({ listTools: () => Promise.resolve(tools) }, only, (line) => problems.push(line));

describe('the list of tools', () => {
  test('[K78] offers what is on, and finds what is off so that a call of it is answered', async () => {
    const list = await listOf([tool('a', { aliases: ['x'] }), tool('b', { isEnabled: false, reason: 'off' })]);
    expect((await list.offered()).map((each) => each.name)).toEqual(['a']);
    expect((await list.find('x'))?.name).toBe('a');
    expect((await list.find('b'))?.isEnabled).toBe(false);
    expect(await list.find('constructor')).toBeUndefined();
  });

  test('a tool that is switched on later is offered then', async () => {
    let isEnabled = false;
    const list = await createToolList(
      { listTools: () => Promise.resolve([tool('a', { isEnabled })]) },
      undefined,
      () => undefined,
    );
    expect(await list.names()).toEqual([]);
    isEnabled = true;
    expect(await list.names()).toEqual(['a']);
  });

  test('a chosen subset hides the rest; a name that is no tool is misuse; one that is off is reported', async () => {
    const tools = [tool('a', { aliases: ['x'] }), tool('b'), tool('c', { isEnabled: false, reason: 'switched off' })];
    const list = await listOf(tools, ['x', 'c']);
    expect(await list.names()).toEqual(['a']);
    expect(await list.find('b')).toBeUndefined();
    expect(problems).toEqual(['c is not offered: switched off']);
    await expect(listOf(tools, ['a', 'zz', 'yy'])).rejects.toThrow(MisuseFailure);
    await expect(listOf(tools, ['a', 'zz', 'yy'])).rejects.toThrow(/"zz", "yy"/u);
    expect(await (await listOf(tools, [])).names()).toEqual([]);
  });

  test('an alias never hides a tool of that name', async () => {
    const list = await listOf([tool('a', { aliases: ['b'] }), tool('b')]);
    expect((await list.find('b'))?.name).toBe('b');
  });
});

describe('the description for a client', () => {
  test('hints follow from the effect and the group', () => {
    const hints = (change: Partial<ToolStatus>) => describeForClient(tool('t', change)).annotations;
    expect(hints({ effect: 'read' })).toEqual({
      title: 't',
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    });
    expect(hints({ effect: 'idempotent' })).toMatchObject({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
    });
    expect(hints({ effect: 'once', group: 'web' })).toMatchObject({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    });
  });

  test('an output schema that is no object is left out, as older protocols know none', () => {
    expect(describeForClient(tool('t', { outputSchema: { type: 'array' } }))).not.toHaveProperty('outputSchema');
    expect(describeForClient(tool('t', { outputSchema: { type: 'object', title: 'o' } }))).toMatchObject({
      outputSchema: { title: 'o' },
    });
  });
});
