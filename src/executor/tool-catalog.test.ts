/** Tool search: what is found, what never is, and how small a request stays. */
import { describe, expect, it } from 'vitest';
import type { ToolDescriptor } from '../contract/tool.ts';
import { offeredTools } from './offered-tools.ts';
import { createToolCatalog } from './tool-catalog.ts';

const tool = (name: string, change: Partial<ToolDescriptor> = {}): ToolDescriptor => ({
  name,
  group: 'test',
  title: name.replaceAll('_', ' '),
  description: `Does ${name}.`,
  aliases: [],
  inputSchema: { type: 'object', properties: {} },
  effect: 'read',
  timeoutMs: 1,
  maxChars: 1,
  enabledByDefault: true,
  smallModels: false,
  platforms: [],
  ...change,
});

const some = [
  tool('read_file', { isCore: true, description: 'Read a text file.' }),
  tool('filesystem', { group: 'files', description: 'Move, copy or delete files and folders.', aliases: ['fs'] }),
  tool('check_email', { group: 'email', description: 'List unread mail.' }),
  tool('compose_email', { group: 'email', description: 'Draft a message to somebody.' }),
  tool('get_local_time', { group: 'system', description: 'Date and time in {environment}.' }),
];
const find = (query: string, tools: readonly ToolDescriptor[] = some, limit = 5) =>
  createToolCatalog(() => tools, 'a sandbox')
    .forCall({} as never)
    .find(query, limit)
    .map(({ name }) => name);

describe('find_tools', () => {
  it.each<[string, string]>([
    ['move files', 'filesystem'],
    ['moving a file', 'filesystem'],
    ['filesystem', 'filesystem'],
    ['fs', 'filesystem'],
    ['Get Local Time', 'get_local_time'],
    ['unread mails', 'check_email'],
    ['what time is it', 'get_local_time'],
    ['write an email', 'compose_email'],
  ])('[K02] "%s" finds %s', (query, name) => {
    expect(find(query).slice(0, 2)).toContain(name);
  });

  it('[K02] puts an exact name first and keeps to the limit', () => {
    expect(find('compose_email')[0]).toBe('compose_email');
    expect(find('email', some, 1)).toHaveLength(1);
  });

  it.each(['', '   ', 'the of and', 'zzzzqqq', '🙂', '\u0000', '.*', 'x'.repeat(500)])(
    '[K02] finds nothing, and does not fail, for %j',
    (query) => expect(find(query)).toEqual([]),
  );

  it('[K78] names only what is on at that moment', () => {
    let tools: readonly ToolDescriptor[] = some;
    const catalog = createToolCatalog(() => tools, 'a sandbox').forCall({} as never);
    expect(catalog.find('email', 5).map(({ name }) => name)).toEqual(['check_email', 'compose_email']);
    tools = some.filter(({ group }) => group !== 'email');
    expect(catalog.find('email', 5)).toEqual([]);
  });

  it('fills in what is only known at run time', () => {
    const [found] = createToolCatalog(() => some, 'a sandbox')
      .forCall({} as never)
      .find('get_local_time', 1);
    expect(found?.description).toBe('Date and time in a sandbox.');
  });
});

describe('the tools in a request', () => {
  const finder = tool('find_tools', { isCore: true, needs: ['toolCatalog'], description: 'Find more ({groups}).' });
  const names = (found: readonly string[], tools = [...some, finder]) =>
    offeredTools(tools, { isSmall: false }, 'a sandbox', found).map(({ name }) => name);

  it('[K02] are the core and, behind it and in order, what was found', () => {
    expect(names([])).toEqual(['read_file', 'find_tools']);
    expect(names(['check_email', 'filesystem'])).toEqual(['read_file', 'find_tools', 'check_email', 'filesystem']);
    expect(names(['check_email', 'read_file', 'gone'])).toEqual(['read_file', 'find_tools', 'check_email']);
  });

  it('[K02] are all of them where the finder is off', () => {
    expect(names([], some)).toEqual(some.map(({ name }) => name));
  });

  it('[K02] take the same room however many there are', () => {
    const many = (count: number) => [
      ...some,
      finder,
      ...Array.from({ length: count }, (_, at) => tool(`own_${at}`, { group: 'user' })),
    ];
    const size = (count: number) => JSON.stringify(offeredTools(many(count), { isSmall: false }, '', [])).length;
    expect(size(500)).toBe(size(60));
  });

  it('[K78] names the groups of tools that are on, and no others', () => {
    const text = (tools: readonly ToolDescriptor[]) =>
      offeredTools(tools, { isSmall: false }, '').find(({ name }) => name === 'find_tools')?.description;
    expect(text([...some, finder])).toBe('Find more (files, email, system).');
    expect(text([...some.filter(({ group }) => group !== 'email'), finder])).toBe('Find more (files, system).');
  });

  it('[K82] are those for small models alone, whatever was found', () => {
    const small = tool('get_local_time', { smallModels: true });
    const offered = offeredTools([...some.slice(0, 4), small, finder], { isSmall: true }, '', ['filesystem']);
    expect(offered.map(({ name }) => name)).toEqual(['get_local_time']);
  });
});
