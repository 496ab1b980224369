import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SetupFailure } from '../../contract/failure.ts';
import { defaultSettings } from './default-settings.ts';
import { loadSettings } from './load-settings.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'handrail-settings-'));
  file = join(folder, 'settings.json');
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function load(content: string | Buffer | object) {
  const isRaw = typeof content === 'string' || Buffer.isBuffer(content);
  writeFileSync(file, isRaw ? content : JSON.stringify(content), { mode: 0o600 });
  return loadSettings(file);
}

/** One line, that names the file and leaves it as it was. */
async function refusal(content: string | Buffer | object): Promise<string> {
  const failure = await load(content).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(SetupFailure);
  const { message } = failure as SetupFailure;
  expect(message).toContain(file);
  expect(message).toContain('Nothing was changed.');
  expect(message).not.toMatch(/[\n\x1b]/);
  const isRaw = typeof content === 'string' || Buffer.isBuffer(content);
  expect(readFileSync(file).equals(Buffer.from(isRaw ? content : JSON.stringify(content)))).toBe(true);
  return message.replaceAll(file, 'FILE');
}

describe('what is missing', () => {
  test('without a file the defaults hold, and zod is not loaded', async () => {
    expect(await loadSettings(file)).toEqual({ settings: defaultSettings, problems: [] });
    expect(await loadSettings(join(folder, 'none', 'settings.json'))).toEqual({
      settings: defaultSettings,
      problems: [],
    });
    expect(loadsZod()).toBe(false);
    writeFileSync(file, '{}');
    expect(loadsZod()).toBe(true);
  });

  test.each(['{}', '\ufeff{}', ' {\r\n} ', '{"$schema":"https://example.org/schema.json"}'])(
    '%j gives the defaults',
    async (text) => {
      expect(await load(text)).toEqual({ settings: defaultSettings, problems: [] });
    },
  );

  test('what a part leaves out keeps its default', async () => {
    const { settings } = await load({
      sandbox: { network: { mode: 'off' } },
      features: { email: false },
      limits: { rounds: 7 },
    });
    expect(settings).toEqual({
      ...defaultSettings,
      sandbox: { ...defaultSettings.sandbox, network: { mode: 'off', allow: [], deny: [] } },
      features: { ...defaultSettings.features, email: false },
      limits: { ...defaultSettings.limits, rounds: 7 },
    });
  });
});

describe('what is said', () => {
  test('every key arrives', async () => {
    const models = [
      {
        service: 'gateway',
        dialect: 'openai-chat',
        baseUrl: 'http://127.0.0.1:8080/v1',
        keyName: 'GATEWAY_KEY',
        models: ['big', 'vendor/small'],
        contextWindow: 8192,
        maxOutputTokens: 1024,
        nativeCalls: false,
        isSmall: true,
      },
    ];
    const sandbox = {
      rung: 'host',
      root: 'userland',
      network: { mode: 'on', allow: ['a.example'], deny: ['b.example'] },
      userland: { distribution: 'debian', version: '12', mirrors: ['https://m.example/alpine'], dns: ['9.9.9.9'] },
      limits: {
        memoryMegabytes: 512,
        processes: 64,
        cpus: 0.5,
        openFiles: 1024,
        fileMegabytes: 10,
        diskMegabytes: 100,
        files: 1000,
        freeMegabytes: 0,
        freeFiles: 0,
      },
    };
    const rules = { deny: ['bash'], ask: ['glob(/etc/**)'], allow: ['a_tool(git status)'] };
    const permissions = { ...rules, askAgainAfterUntrusted: false, grantHours: 8 };
    const tools = { allowed: ['a_tool'], disallowed: ['b_tool'] };
    const features = { memory: false, scheduling: false, email: false, mcp: false, sandbox: false };
    const shell = { timeoutSeconds: 60, maxTimeoutSeconds: 600 };
    const limits = { rounds: 3, modelRetries: 0, modelIdleSeconds: 20 };
    const budgets = { conversation: { tokens: 1000 }, day: { usd: 1.5 }, schedule: {} };
    const prices = { 'gateway/*': { input: 1, output: 2, cachedInput: 0.1, cacheWrite: 1.25 } };
    const net = { allowPrivate: ['127.0.0.1:8123', '[::1]:80', 'localhost:1'] };
    const terminal = { allowedCommands: ['ls', 'git status *'] };
    const files = { allowedPaths: ['/data', '~/notes'] };
    const mcpServers = { files: { command: 'npx', args: ['-y', 'server'], env: { TOKEN_LIMIT: '5' } } };
    const agent = { instructions: 'Answer in German.' };
    const hands = { sandbox, net, terminal, files, shell, limits, mcpServers, agent };
    const parts = { models, fallback: ['ollama/qwen3:8b'], permissions, tools, features, prices, budgets, ...hands };
    const { settings } = await load({
      ...parts,
      model: 'gateway/vendor/small',
      tool_enabled_a_tool: false,
      tool_enabled_b2: true,
    });
    expect(settings).toEqual({
      ...parts,
      defaultModel: 'gateway/vendor/small',
      toolEnabled: { a_tool: false, b2: true },
    });
  });

  test('keys of later parts are accepted', async () => {
    const later = {
      search: { provider: 'searxng', baseUrl: 'http://127.0.0.1:1' },
      geo: { baseUrl: 'https://geo.example' },
      email: [{ address: 'me@example.org', passwordName: 'MAIL_PASSWORD' }],
      mcpServers: { files: { command: 'npx', args: ['-y', 'server'], env: { TOKEN_LIMIT: '5' } } },
      profiles: { default: 'coder' },
      appearance: { theme: 'dark', tokens: 3 },
    };
    const { mcpServers } = later;
    expect(await load(later)).toEqual({ settings: { ...defaultSettings, mcpServers }, problems: [] });
  });

  test.each([
    [{ timeoutSeconds: 300 }, { timeoutSeconds: 300, maxTimeoutSeconds: 300 }],
    [{ maxTimeoutSeconds: 10 }, { timeoutSeconds: 10, maxTimeoutSeconds: 10 }],
    [{ timeoutSeconds: 5 }, { timeoutSeconds: 5, maxTimeoutSeconds: 120 }],
  ])('one time limit said alone, %j, agrees with the other', async (shell, expected) => {
    expect((await load({ shell })).settings.shell).toEqual(expected);
  });
});

describe('an unknown key is refused with its path and the nearest known one', () => {
  test.each<[object, string]>([
    [{ sandbx: {} }, 'unknown key "sandbx"; did you mean "sandbox"?'],
    [{ sandbox: { netwrok: { mode: 'on' } } }, 'unknown key "sandbox.netwrok"; did you mean "sandbox.network"?'],
    [
      { sandbox: { network: { Mode: 'on' } } },
      'unknown key "sandbox.network.Mode"; did you mean "sandbox.network.mode"?',
    ],
    [{ timeoutSeconds: 5 }, 'unknown key "timeoutSeconds"; did you mean "shell.timeoutSeconds"?'],
    [{ models: [{ service: 'a', dialect: 'gemini', url: 'x' }] }, 'unknown key "models[0].url"'],
    [
      { models: [{ service: 'a', dialect: 'gemini', baseURL: 'x' }] },
      'unknown key "models[0].baseURL"; did you mean "models[].baseUrl"?',
    ],
    [{ tool_enabled_: true }, 'unknown key "tool_enabled_"; did you mean "tool_enabled_<id>"?'],
    [{ 'tool_enabled_../x': true }, 'unknown key "tool_enabled_../x"'],
    [{ zebra: 1 }, 'unknown key "zebra": remove it'],
    [{ constructor: 1 }, 'unknown key "constructor": remove it'],
    [JSON.parse('{"__proto__":{"a":1}}') as object, 'unknown key "__proto__": remove it'],
    [{ 'a\x1b[31m\n': 1 }, 'unknown key "a\\x1b[31m\\n"'],
    [{ limits: { rounds: 3, round: 1 } }, 'unknown key "limits.round"; did you mean "limits.rounds"?'],
  ])('%j', async (content, expected) => {
    expect(await refusal(content)).toContain(expected);
  });

  test('twin: the key it named is accepted', async () => {
    expect((await load({ sandbox: { network: { mode: 'on' } } })).settings.sandbox.network.mode).toBe('on');
  });
});

describe('a secret in plain text is refused, and not repeated', () => {
  test.each<[object, string]>([
    [{ models: [{ service: 'a', dialect: 'gemini', apiKey: 'canary' }] }, 'models[0].apiKey'],
    [{ OPENAI_API_KEY: 'canary' }, 'OPENAI_API_KEY'],
    [{ email: [{ imap: { password: 'canary' } }] }, 'email[0].imap.password'],
    [{ mcpServers: { git: { env: { GITHUB_TOKEN: 'canary' } } } }, 'mcpServers.git.env.GITHUB_TOKEN'],
    [{ mcpServers: { git: { headers: { Authorization: 'Bearer canary' } } } }, 'mcpServers.git.headers.Authorization'],
    [{ search: { key: 'canary' } }, 'search.key'],
    [{ clientSecret: 'canary' }, 'clientSecret'],
  ])('%j', async (content, path) => {
    const message = await refusal(content);
    expect(message).toContain(
      `"${path}" looks like a secret in plain text: put it in the secret store with \`handrail secrets set NAME\``,
    );
    expect(message).not.toContain('canary');
  });

  test.each([
    { models: [{ service: 'a', dialect: 'gemini', keyName: 'sk-canary-1234' }] },
    { models: [{ service: 'a', dialect: 'gemini', baseUrl: 'https://me:canary@host/' }] },
    '{"model": "canary-canary-canary-canary" "x"}',
  ])('nor is one in another place repeated: %j', async (content) => {
    const failure = await load(content).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SetupFailure);
    expect(inspect(failure, { depth: 9 })).not.toContain('canary-');
    expect(inspect(failure, { depth: 9 })).not.toContain('me:canary');
  });
});

describe('a wrong value is refused with its path and what it must be', () => {
  test.each<[object | string, string]>([
    [
      { sandbox: { rung: 'docker' } },
      '"sandbox.rung" must be one of namespaces, namespaces-shared-network, container, proot, host',
    ],
    [{ tools: { allowed: 'a_tool' } }, '"tools.allowed" must be a list in brackets [ ]'],
    [{ tools: { allowed: [1] } }, '"tools.allowed[0]" must be a text in double quotes'],
    [{ permissions: { deny: [''] } }, '"permissions.deny[0]" must not be empty'],
    [{ shell: null }, '"shell" must be an object in braces { }'],
    [{ shell: { timeoutSeconds: 1.5 } }, '"shell.timeoutSeconds" must be a whole number'],
    [
      { shell: { timeoutSeconds: 90, maxTimeoutSeconds: 60 } },
      '"shell" must have a maxTimeoutSeconds that is not less',
    ],
    [{ limits: { rounds: 0 } }, '"limits.rounds" must be at least 1'],
    [{ features: { memory: 'yes' } }, '"features.memory" must be true or false'],
    [{ tool_enabled_bash: 'off' }, '"tool_enabled_bash" must be true or false'],
    [{ model: 'gpt' }, '"model" must be written service/model'],
    [
      { models: [{ service: 'a', dialect: 'gemini', baseUrl: 'ftp://x' }] },
      '"models[0].baseUrl" must be a web address',
    ],
    [
      {
        models: [
          { service: 'a', dialect: 'gemini' },
          { service: 'a', dialect: 'gemini' },
        ],
      },
      '"models" names the service "a" twice',
    ],
    [{ models: [{ dialect: 'gemini' }] }, '"models[0].service" must be a text in double quotes'],
    [{ net: { allowPrivate: ['127.0.0.1'] } }, '"net.allowPrivate[0]" must be an exact host and port'],
    [{ email: {} }, '"email" must be a list in brackets [ ]'],
    [{ limits: { rounds: 0, modelRetries: -1 } }, '(and 1 more)'],
    ['[]', 'settings are an object, in braces { }'],
    ['null', 'settings are an object, in braces { }'],
  ])('%j', async (content, expected) => {
    expect(await refusal(content)).toContain(expected);
  });
});

describe('a text that is no JSON is refused with line, column and a piece of it', () => {
  test.each<[string | Buffer, string]>([
    ['{\n  "model": "a/b",\n  "tools": }', 'FILE, line 3, column 12: a value is expected here'],
    ['{"a":1,}', 'FILE, line 1, column 7: there may be no comma before "}" (near {"a":1,})'],
    ['{ // my settings\n}', 'FILE, line 1, column 3: comments are not allowed'],
    ['{"a":1 "b":2}', 'FILE, line 1, column 8: a comma or "}" is missing before this'],
    ['{"a":1,"a":2}', 'FILE, line 1, column 8: this name was said before'],
    ['{"ü😀": x}', 'FILE, line 1, column 8: a value is expected'],
    ['\ufeff{"a" 1}', 'FILE, line 1, column 6: a colon is missing'],
    ['{"a":"\x1b[31m"}', 'near {"a":"\\x1b[31m"}'],
    ['', 'FILE, line 1, column 1: the file is empty: write {}'],
    ['{"a":1}\n{}', 'FILE, line 2, column 1: nothing may follow'],
    [Buffer.from([0x7b, 0x0a, 0x22, 0xc3, 0xa4, 0xff, 0x22]), 'FILE is no UTF-8 text at line 2, column 3'],
    [Buffer.from('{}', 'utf16le'), 'FILE, line 1, column 2'],
    [
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('{}', 'utf16le')]),
      'FILE is no UTF-8 text at line 1, column 1',
    ],
  ])('%j', async (content, expected) => {
    expect(await refusal(content)).toContain(expected);
  });
});

describe('the file itself', () => {
  test.each([0o620, 0o602, 0o666])('of mode %o is used, with a warning and the command that mends it', async (mode) => {
    await load({ limits: { rounds: 5 } });
    chmodSync(file, mode);
    const { settings, problems } = await loadSettings(file);
    expect(settings.limits.rounds).toBe(5);
    expect(problems).toEqual([`${file} can be changed by other users: run "chmod go-w '${file}'".`]);
    spawnSync('chmod', ['go-w', file]);
    expect((await loadSettings(file)).problems).toEqual([]);
  });

  test.runIf(process.getuid?.() === 0)('of another user is used with a warning', async () => {
    await load({});
    chownSync(file, 4242, 4242);
    expect((await loadSettings(file)).problems).toEqual([
      expect.stringContaining('belongs to another user (number 4242)'),
    ]);
  });

  test('that is a folder, a pipe, too large, or a link to itself is refused', async () => {
    mkdirSync(file);
    await expect(loadSettings(file)).rejects.toThrow(/is no file: move it away/);
    rmSync(file, { recursive: true });
    spawnSync('mkfifo', [file]);
    await expect(loadSettings(file)).rejects.toThrow(/is no file: move it away/);
    rmSync(file);
    await expect(load(`{"a":"${'x'.repeat(1024 * 1024)}"}`)).rejects.toThrow(/larger than 1 MB/);
    rmSync(file);
    symlinkSync(file, file);
    await expect(loadSettings(file)).rejects.toThrow(/leads to itself/);
    await expect(loadSettings(join('/etc/passwd', 'settings.json'))).rejects.toThrow(SetupFailure);
  });
});

/** Looks at what a fresh process has loaded after reading the settings. */
function loadsZod(): boolean {
  const address = pathToFileURL(join(import.meta.dirname, 'load-settings.ts')).href;
  const script = `import { registerHooks } from 'node:module';
    let seen = false;
    registerHooks({ resolve(name, context, next) { seen ||= name.startsWith('zod'); return next(name, context); } });
    const { loadSettings } = await import(${JSON.stringify(address)});
    await loadSettings(${JSON.stringify(file)});
    console.log(seen);`;
  const result = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(result.stderr).toBe('');
  return result.stdout.trim() === 'true';
}
