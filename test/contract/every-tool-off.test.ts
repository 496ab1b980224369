/** Each real tool and each family switched off: no request, no search and no description names it any more. */
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Settings } from '../../src/contract/settings.ts';
import { discoverTools, listToolFiles } from '../../src/executor/discover.ts';
import { createToolRegistry } from '../../src/executor/registry.ts';
import { createToolSet } from '../../src/executor/tool-set.ts';
import { createGate } from '../../src/permission/gate.ts';
import { createPolicy } from '../../src/permission/policy.ts';
import { defaultSettings } from '../../src/services/settings/default-settings.ts';

const toolsFolder = path.resolve(import.meta.dirname, '../../src/tools');
const registry = createToolRegistry();
await discoverTools(toolsFolder, registry);
const all = registry.descriptors();
const files = await listToolFiles(toolsFolder);

function toolSet(change: Partial<Settings>) {
  const settings = { ...defaultSettings, ...change };
  const gate = createGate(settings, createPolicy(settings), registry.getDescriptor);
  const facts = async () => ({ os: 'Linux', distribution: 'Debian 12', shell: 'bash', rung: 'namespaces' }) as const;
  return createToolSet(registry, gate, facts);
}

/** All that a model is ever told: requests of both kinds with everything found, and every answer of the search. */
async function told(change: Partial<Settings>) {
  const tools = toolSet(change);
  const names = all.map(({ name }) => name);
  const catalog = (await tools.catalog()).forCall({} as never);
  const found = [...names, ...all.map(({ group }) => group)].flatMap((query) => catalog.find(query, 99));
  const offered = await tools.offered({ isSmall: false }, names);
  const small = await tools.offered({ isSmall: true }, names);
  const listed = (await tools.list()).filter(({ isEnabled }) => isEnabled);
  return { offered, small, found, listed };
}

const namesIn = (tools: readonly { readonly name: string }[]) => new Set(tools.map(({ name }) => name));

function expectUnnamed(said: Awaited<ReturnType<typeof told>>, off: readonly string[]): void {
  const text = JSON.stringify(said);
  const aliases = all.filter(({ name }) => off.includes(name)).flatMap((tool) => [tool.name, ...tool.aliases]);
  for (const name of aliases) {
    expect(namesIn([...said.offered, ...said.small, ...said.found, ...said.listed])).not.toContain(name);
    // A name that is a word as well may be meant as that word.
    if (name.includes('_')) expect(text).not.toMatch(new RegExp(String.raw`\b${name}\b`));
  }
}

describe('what is offered', () => {
  test.each(all.map(({ name }) => name))('[K78] [L05] %s, switched off, is named nowhere', async (name) => {
    const said = await told({ tools: { allowed: [], disallowed: [name] } });
    const off = all.filter((tool) => tool.name === name || tool.follows === name).map((tool) => tool.name);
    expectUnnamed(said, off);
    expect(namesIn(said.offered)).toEqual(new Set(all.map((tool) => tool.name).filter((each) => !off.includes(each))));
    // What --offered lists is what a request and a search can give together.
    expect(namesIn(said.listed)).toEqual(namesIn(said.offered));
  });

  test.each(Object.keys(defaultSettings.features) as (keyof Settings['features'])[])(
    '[K78] nothing of the family %s is named once it is off',
    async (feature) => {
      const said = await told({ features: { ...defaultSettings.features, [feature]: false } });
      const off = all.filter(({ name }) => !namesIn(said.listed).has(name)).map(({ name }) => name);
      const groups: Readonly<Record<string, string>> = { sandbox: 'shell', scheduling: 'schedule' };
      const expected = files.filter(({ group }) => group === (groups[feature] ?? feature)).map(({ name }) => name);
      expect(off.toSorted()).toEqual(expected.toSorted());
      expectUnnamed(said, off);
      expect(namesIn(said.found)).toEqual(namesIn(said.listed));
    },
  );

  test('[K82] a small model is offered at most its eight, and hears of no other', async () => {
    const eight = [
      'get_local_time',
      'get_location_from_ip',
      'web_search',
      'open_url',
      'memory_store',
      'memory_forget',
      'memory_reinforce',
      'execute_shell_command',
    ];
    const { small } = await told({});
    expect([...namesIn(small)].filter((name) => !eight.includes(name))).toEqual([]);
    expect(small.length).toBeGreaterThan(1);
    const text = JSON.stringify(small);
    for (const { name } of all) if (name.includes('_') && !namesIn(small).has(name)) expect(text).not.toContain(name);
  });
});
