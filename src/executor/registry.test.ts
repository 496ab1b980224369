import { expect, it } from 'vitest';
import { z } from 'zod';
import type { Tool, ToolDescriptor } from '../contract/tool.ts';
import { createToolRegistry } from './registry.ts';

const descriptor = (name: string, aliases: string[] = []): ToolDescriptor => ({
  name,
  group: 'test',
  title: name,
  description: name,
  aliases,
  inputSchema: { type: 'object' },
  effect: 'read',
  timeoutMs: 1_000,
  maxChars: 100,
  enabledByDefault: true,
  smallModels: false,
  platforms: [],
});
const tool: Tool = {
  title: 'T',
  description: 'T',
  input: z.object({}),
  needs: [],
  access: () => [],
  effect: 'read',
  summary: () => '',
  run: async () => ({ text: '' }),
};
const counted = () => {
  const factory = Object.assign(() => ((factory.calls += 1), tool), { calls: 0 });
  return factory;
};

it('[L06] registering and listing a hundred tools calls no factory, a use calls one once', async () => {
  const registry = createToolRegistry();
  const factories = Array.from({ length: 100 }, () => counted());
  factories.forEach((factory, at) => registry.add(descriptor(`tool_${at}`), factory));
  expect(registry.descriptors()).toHaveLength(100);
  expect(factories.every((factory) => factory.calls === 0)).toBe(true);
  await registry.get('tool_7');
  await registry.get('tool_7');
  expect(factories[7]?.calls).toBe(1);
  expect(registry.loadedNames()).toEqual(['tool_7']);
});

it('[L07] with unload-after-use the instance goes after each call, per tool or by the default', async () => {
  const registry = createToolRegistry({ unloadAfterUse: true });
  registry.add(descriptor('goes'), counted());
  registry.add(descriptor('stays'), counted(), false);
  for (const name of ['goes', 'stays']) {
    await registry.get(name);
    registry.release(name);
  }
  expect(registry.loadedNames()).toEqual(['stays']);
});

it('[L10] a tool is found by name and alias, an unknown one is undefined', async () => {
  const registry = createToolRegistry();
  registry.add(descriptor('long_name', ['short']), () => tool);
  expect(registry.getDescriptor('short')?.name).toBe('long_name');
  expect(await registry.get('short')).toBe(tool);
  expect(registry.names()).toEqual(['long_name']);
  expect(await registry.get('nope')).toBeUndefined();
});

it('[L11] unload says whether it was loaded, unloadAll which were', async () => {
  const registry = createToolRegistry();
  registry.add(descriptor('one'), () => tool);
  registry.add(descriptor('two'), () => tool);
  await registry.get('one');
  expect(registry.unload('two')).toBe(false);
  expect(registry.unload('nope')).toBe(false);
  expect(registry.unloadAll()).toEqual(['one']);
  expect(registry.unload('one')).toBe(false);
});

it('a name or alias that is taken is refused', () => {
  const registry = createToolRegistry();
  registry.add(descriptor('one', ['uno']), () => tool);
  expect(() => registry.add(descriptor('two', ['one']), () => tool)).toThrow('registered already');
  expect(() => registry.add(descriptor('uno'), () => tool)).toThrow('registered already');
});

it('a factory that failed is tried again by the next use', async () => {
  const registry = createToolRegistry();
  let isBroken = true;
  registry.add(descriptor('one'), () => {
    if (isBroken) throw new Error('not now');
    return tool;
  });
  await expect(registry.get('one')).rejects.toThrow('not now');
  expect(registry.loadedNames()).toEqual([]);
  isBroken = false;
  expect(await registry.get('one')).toBe(tool);
});
