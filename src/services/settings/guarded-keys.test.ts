/** Every key that can weaken the rail: what a change of it from outside does at once, and what only after a yes. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Settings } from '../../contract/settings.ts';
import { type ConfirmedSettings, loadConfirmedSettings } from './confirm-settings.ts';

type Written = Readonly<Record<string, unknown>>;

function createWorld() {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-guarded-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const settingsFile = join(folder, 'settings.json');
  return {
    write: (settings: Written) => writeFileSync(settingsFile, JSON.stringify(settings)),
    load: (): Promise<ConfirmedSettings> => loadConfirmedSettings({ settingsFile, data: folder }),
    /** What a folder makes of the file in which no command ever ran. */
    loadAsFirst: async (): Promise<Settings> =>
      (await loadConfirmedSettings({ settingsFile, data: join(folder, 'nowhere') })).settings,
  };
}

/** A world in which a command ran with these settings, and then the file was changed. */
async function change(from: Written, to: Written) {
  const world = createWorld();
  world.write(from);
  (await world.load()).confirmations.trust();
  world.write(to);
  return { ...world, ...(await world.load()) };
}

const network = (part: Written): Written => ({ sandbox: { network: part } });
const limits = (part: Written): Written => ({ sandbox: { limits: part } });
const service = (part: Written): Written => ({ service: 'box', dialect: 'openai-chat', keyName: 'BOX_KEY', ...part });
const server = (command: string, more: Written = {}): Written => ({ mcpServers: { files: { command, ...more } } });

type Read = (settings: Settings) => unknown;
const allow: Read = ({ sandbox }) => sandbox.network.allow;
const deny: Read = ({ sandbox }) => sandbox.network.deny;
const processes: Read = ({ sandbox }) => sandbox.limits.processes;
const addresses: Read = ({ models }) => models.map(({ baseUrl }) => baseUrl);
const switches: Read = ({ toolEnabled }) => toolEnabled;
const servers: Read = ({ mcpServers }) => mcpServers['files'] ?? null;

/** Title, before, after, what is looked at, what it is meanwhile, what the sentence names. */
const weaker: readonly (readonly [string, Written, Written, Read, unknown, RegExp])[] = [
  ['the rung', {}, { sandbox: { rung: 'host' } }, (s) => s.sandbox.rung, 'namespaces', /sandbox\.rung "host"/],
  ['the root', {}, { sandbox: { root: 'userland' } }, (s) => s.sandbox.root, 'host-view', /sandbox\.root "userland"/],
  [
    'a mirror',
    { sandbox: { userland: { mirrors: ['https://a.example'] } } },
    { sandbox: { userland: { mirrors: ['https://evil.example', 'https://a.example'] } } },
    (s) => s.sandbox.userland.mirrors,
    ['https://a.example'],
    /"https:\/\/evil\.example" to sandbox\.userland\.mirrors/,
  ],
  ['the network', {}, network({ mode: 'on' }), (s) => s.sandbox.network.mode, 'allow-list', /network\.mode "on"/],
  [
    'an allowed host',
    network({ allow: ['a'] }),
    network({ allow: ['b', 'a'] }),
    allow,
    ['a'],
    /adds "b" to .*\.allow,/,
  ],
  ['a wider pattern', network({ allow: ['a.b'] }), network({ allow: ['*.a.b'] }), allow, [], /"\*\.a\.b"/],
  ['a denied host less', network({ deny: ['a', 'b'] }), network({ deny: ['b'] }), deny, ['b', 'a'], /removes "a" from/],
  [
    'a private address',
    {},
    { net: { allowPrivate: ['127.0.0.1:22'] } },
    (s) => s.net.allowPrivate,
    [],
    /"127\.0\.0\.1:22" to net\.allowPrivate/,
  ],
  [
    'a rule that allows',
    { permissions: { allow: ['glob'] } },
    { permissions: { allow: ['glob', 'bash(git push)'] } },
    (s) => s.permissions.allow,
    ['glob'],
    /"bash\(git push\)" to permissions\.allow/,
  ],
  [
    'a rule less that denies',
    { permissions: { deny: ['bash(rm *)'] } },
    { permissions: { deny: [] } },
    (s) => s.permissions.deny,
    ['bash(rm *)'],
    /removes "bash\(rm \*\)" from permissions\.deny/,
  ],
  [
    'a rule less that asks',
    { permissions: { ask: ['bash'] } },
    {},
    (s) => s.permissions.ask,
    ['bash'],
    /removes "bash" from permissions\.ask/,
  ],
  [
    'a tool less that is off',
    { tools: { disallowed: ['bash', 'glob'] } },
    { tools: { disallowed: ['glob'] } },
    (s) => s.tools.disallowed,
    ['glob', 'bash'],
    /removes "bash" from tools\.disallowed/,
  ],
  ['all tools', { tools: { allowed: ['glob'] } }, {}, (s) => s.tools.allowed, ['glob'], /empties tools\.allowed/],
  [
    'only other tools',
    { tools: { allowed: ['glob'] } },
    { tools: { allowed: ['bash'] } },
    (s) => s.tools.allowed,
    ['glob'],
    /adds "bash" to tools\.allowed/,
  ],
  [
    'a tool outside any sandbox',
    { sandbox: { rung: 'host' }, tool_enabled_glob: false },
    { sandbox: { rung: 'host' }, tool_enabled_glob: false, tool_enabled_code_exec: true },
    switches,
    { glob: false },
    /"code_exec" to tool_enabled/,
  ],
  [
    'a listed command',
    { terminal: { allowedCommands: ['ls'] } },
    { terminal: { allowedCommands: ['ls', '*'] } },
    (s) => s.terminal.allowedCommands,
    ['ls'],
    /"\*" to terminal\.allowedCommands/,
  ],
  [
    'a folder that files may be reached in',
    { files: { allowedPaths: ['/data'] } },
    { files: { allowedPaths: ['/data', '/'] } },
    (s) => s.files.allowedPaths,
    ['/data'],
    /"\/" to files\.allowedPaths/,
  ],
  [
    'no second question after text of others',
    {},
    { permissions: { askAgainAfterUntrusted: false } },
    (s) => s.permissions.askAgainAfterUntrusted,
    true,
    /askAgainAfterUntrusted to false/,
  ],
  ['a limit, far', {}, limits({ processes: 100_000 }), processes, 2048, /processes from 2048 to 100000/],
  ['no room left', {}, limits({ freeMegabytes: 1 }), (s) => s.sandbox.limits.freeMegabytes, 1024, /freeMegabytes/],
  [
    'all memory',
    limits({ memoryMegabytes: 16 }),
    {},
    (s) => s.sandbox.limits.memoryMegabytes,
    16,
    /memoryMegabytes from 16/,
  ],
  [
    'a key to another host',
    { models: [service({ baseUrl: 'https://box.example/v1' })] },
    { models: [service({ baseUrl: 'https://evil.example/v1' })] },
    addresses,
    ['https://box.example/v1'],
    /"BOX_KEY to https:\/\/evil\.example"/,
  ],
  [
    'a new service with a key',
    {},
    { models: [service({ keyName: 'OPENAI_API_KEY', baseUrl: 'https://evil.example' })] },
    addresses,
    [],
    /OPENAI_API_KEY to https:\/\/evil\.example/,
  ],
  [
    'a key in clear text to the same host',
    { models: [service({ baseUrl: 'https://box.example' })] },
    { models: [service({ baseUrl: 'http://box.example' })] },
    addresses,
    ['https://box.example'],
    /to http:\/\/box/,
  ],
  ['a server’s program', server('a'), server('b'), servers, { command: 'a' }, /MCP servers "files"/],
  ['a new server', {}, server('b'), servers, null, /MCP servers "files"/],
  [
    'a server that is on again with another program',
    server('a'),
    server('b', { disabled: false }),
    servers,
    { command: 'a' },
    /MCP servers/,
  ],
];

const stronger: readonly (readonly [string, Written, Written, Read, unknown])[] = [
  ['the rung', { sandbox: { rung: 'host' } }, {}, (s) => s.sandbox.rung, 'namespaces'],
  ['the root', { sandbox: { root: 'userland' } }, {}, (s) => s.sandbox.root, 'host-view'],
  ['the network', network({ mode: 'on' }), network({ mode: 'off' }), (s) => s.sandbox.network.mode, 'off'],
  ['an allowed host less', network({ allow: ['a', 'b'] }), network({ allow: ['b'] }), allow, ['b']],
  ['a denied host', {}, network({ deny: ['a'] }), deny, ['a']],
  ['a rule that denies', {}, { permissions: { deny: ['bash'] } }, (s) => s.permissions.deny, ['bash']],
  ['a tool that is off', {}, { tools: { disallowed: ['bash'] } }, (s) => s.tools.disallowed, ['bash']],
  ['only one tool', {}, { tools: { allowed: ['glob'] } }, (s) => s.tools.allowed, ['glob']],
  [
    'a listed command instead of all',
    {},
    { terminal: { allowedCommands: ['ls'] } },
    (s) => s.terminal.allowedCommands,
    ['ls'],
  ],
  ['folders', {}, { files: { allowedPaths: ['/data'] } }, (s) => s.files.allowedPaths, ['/data']],
  [
    'a second question after text of others',
    { permissions: { askAgainAfterUntrusted: false } },
    {},
    (s) => s.permissions.askAgainAfterUntrusted,
    true,
  ],
  ['a lower limit', {}, limits({ processes: 64 }), processes, 64],
  ['a limit that is a little higher', {}, limits({ processes: 4096 }), processes, 4096],
  ['a switch inside a sandbox', {}, { tool_enabled_code_exec: true }, switches, { code_exec: true }],
  [
    'a service on this machine',
    { models: [service({ baseUrl: 'http://127.0.0.1:1' })] },
    { models: [service({ baseUrl: 'http://127.0.0.1:2' })] },
    addresses,
    ['http://127.0.0.1:2'],
  ],
  [
    'another path of the same host',
    { models: [service({ baseUrl: 'https://box.example/v1' })] },
    { models: [service({ baseUrl: 'https://box.example/v2' })] },
    addresses,
    ['https://box.example/v2'],
  ],
  ['a server that is off', server('a'), server('b', { disabled: true }), servers, { command: 'b', disabled: true }],
  ['a server less', server('a'), {}, servers, null],
];

describe('settings that were changed from outside', () => {
  it.each(weaker)('[A30] %s: in force only once it is confirmed, and told in a sentence', async (...row) => {
    const [, from, to, read, meanwhile, told] = row;
    const changed = await change(from, to);
    expect(read(changed.settings)).toEqual(meanwhile);
    expect(changed.confirmations.pending()).toEqual([expect.stringMatching(told)]);
    expect(changed.confirmations.pending()[0]).toMatch(/^settings\.json [^\n]*handrail confirm$/);
    // A second start weighs it against the same.
    const again = await changed.load();
    expect(read(again.settings)).toEqual(meanwhile);
    again.confirmations.confirm();
    const confirmed = await changed.load();
    expect(confirmed.confirmations.pending()).toEqual([]);
    expect(confirmed.settings).toEqual(await changed.loadAsFirst());
  });

  it.each(weaker)('[A30] %s, twin: where nothing was kept, the same change counts at once', async (...row) => {
    const [, from, to, read, meanwhile] = row;
    const { loadAsFirst } = await change(from, to);
    expect(read(await loadAsFirst())).not.toEqual(meanwhile);
  });

  it.each(stronger)('%s: in force at once', async (...row) => {
    const [, from, to, read, expected] = row;
    const changed = await change(from, to);
    expect(read(changed.settings)).toEqual(expected);
    expect(changed.confirmations.pending()).toEqual([]);
    expect(changed.settings).toEqual(await changed.loadAsFirst());
  });

  it('everything else of the file holds meanwhile', async () => {
    const { settings, confirmations } = await change(
      {},
      {
        ...network({ mode: 'on', deny: ['x'] }),
        limits: { rounds: 3 },
        model: 'box/a',
        permissions: { deny: ['glob'] },
      },
    );
    expect(confirmations.pending()).toHaveLength(1);
    expect(settings).toMatchObject({
      sandbox: { network: { mode: 'allow-list', deny: ['x'] } },
      limits: { rounds: 3 },
      permissions: { deny: ['glob'] },
      defaultModel: 'box/a',
    });
  });

  it('[A30] small steps do not add up to a far one', async () => {
    const { write, load } = await change({}, limits({ processes: 8000 }));
    write(limits({ processes: 30_000 }));
    expect(processes((await load()).settings)).toBe(2048);
  });

  it('[A30] a tool that was switched on inside a sandbox is asked about together with the host rung', async () => {
    const { write, load } = await change({}, { tool_enabled_code_exec: true });
    write({ tool_enabled_code_exec: true, sandbox: { rung: 'host' } });
    const { settings, confirmations } = await load();
    expect(confirmations.pending().join('\n')).toMatch(/"host"[^]*"code_exec"/);
    expect(settings).toMatchObject({ sandbox: { rung: 'namespaces' }, toolEnabled: {} });
  });

  it('[A30] a long or forged name stays one short sentence', async () => {
    const names = [`x\n[note] ${'y'.repeat(500)}`, 'b', 'c', 'd'];
    const { confirmations } = await change({}, network({ allow: names }));
    const [sentence = ''] = confirmations.pending();
    expect(sentence).toMatch(/ and 1 more to sandbox/);
    expect(sentence).not.toContain('\n');
    expect(sentence.length).toBeLessThan(400);
  });
});
