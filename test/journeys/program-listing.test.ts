/** What the program says about itself: its tools, what is offered of them, its health, its secrets, its help. */
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ToolStatus } from '../../src/contract/handrail.ts';
import { startModelServer } from '../kit/model-server.ts';
import { runPlainly, runScript } from '../kit/private-mounts.ts';
import { createProgramWorld, programFile, type ProgramWorld } from '../kit/program.ts';
import { callTool, dataOf, expectNoStack, expectOneLine } from '../kit/tool-call.ts';

const fileTools = [
  'edit_file',
  'filesystem',
  'find_files',
  'glob',
  'grep',
  'read_artifact',
  'read_file',
  'search_in_files',
  'write_file',
];
const spineTools = [...fileTools, 'execute_shell_command', 'get_local_time'];

async function list(world: ProgramWorld, ...flags: string[]): Promise<readonly ToolStatus[]> {
  const end = await runPlainly(world, ['tools', '--json', ...flags]);
  expect([end.code, end.stderr]).toEqual([0, '']);
  return JSON.parse(end.stdout) as readonly ToolStatus[];
}

const namesOf = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name).sort();

describe('tools', () => {
  test('[K01][K80] --json shows every tool whole: schema, timeout, group, aliases, and whether it is on', async () => {
    const tools = await list(createProgramWorld());
    expect(namesOf(tools)).toEqual(expect.arrayContaining(spineTools));
    for (const tool of tools) {
      expect(tool).toMatchObject({
        name: expect.stringMatching(/^[a-z][a-z0-9_]*$/u),
        title: expect.stringMatching(/^[A-Z]/u),
        description: expect.stringMatching(/\S{2,} \S+/u),
        group: expect.stringMatching(/^[a-z-]+$/u),
        aliases: expect.any(Array),
        inputSchema: { type: 'object', additionalProperties: false },
        effect: expect.stringMatching(/^(read|idempotent|once)$/u),
        isEnabled: true,
        reason: '',
      });
      expect([tool.name, tool.timeoutMs >= 30_000 && tool.maxChars >= 20_000]).toEqual([tool.name, true]);
      expect(tool.description).not.toContain('{environment}');
      const schema = tool.inputSchema as { properties?: Record<string, { description?: string }> };
      const bare = Object.entries(schema.properties ?? {}).filter(([, property]) => !property.description);
      expect([tool.name, bare]).toEqual([tool.name, []]);
    }
    const shell = tools.find(({ name }) => name === 'execute_shell_command');
    expect(shell?.aliases).toEqual(['bash']);
    expect(shell?.inputSchema).toMatchObject({
      required: ['command'],
      properties: Object.fromEntries(
        ['command', 'timeout', 'working_dir', 'env', 'background', 'fresh', 'isDangerous', 'summary'].map((name) => [
          name,
          {},
        ]),
      ),
    });
    expect(tools.find(({ name }) => name === 'get_local_time')?.aliases).toEqual(['get_current_datetime']);
    expect(tools.find(({ name }) => name === 'read_file')?.maxChars).toBe(100_000);
    // [K62] the model learns what machine commands see.
    expect(shell?.description).toMatch(/sandbox .*Linux.*bash/u);
  });

  test('[K57][K78][K79][L03][L05] --offered is the enabled set for each gate, switch and list', async () => {
    const world = createProgramWorld();
    const offered = async (settings: object) => {
      world.writeSettings(settings);
      const [some, all] = [await list(world, '--offered'), await list(world)];
      expect(namesOf(some)).toEqual(namesOf(all.filter(({ isEnabled }) => isEnabled)));
      for (const tool of all) expect([tool.name, tool.reason === '']).toEqual([tool.name, tool.isEnabled]);
      return namesOf(some);
    };
    const everything = await offered({});
    const without = (...names: string[]) => everything.filter((name) => !names.includes(name));
    // [K63] and what has no use without it.
    const shell = ['execute_shell_command', 'manage_process', 'ssh_exec'];
    const onItsOwn = ['code_exec', 'terminal'];
    expect(await offered({ tool_enabled_grep: false, tool_enabled_bash: false })).toEqual(without('grep', ...shell));
    expect(await offered({ tools: { disallowed: ['glob', 'bash'] } })).toEqual(without('glob', ...shell));
    expect(await offered({ tools: { allowed: ['glob', 'grep'], disallowed: ['grep'] } })).toEqual(['glob']);
    const host = { sandbox: { rung: 'host' } };
    const allOfShell = [...shell, ...onItsOwn, 'ssh_configure_host'];
    expect(await offered(host)).toEqual(without(...allOfShell));
    // [K33] only the sandbox's own ssh is set up by a tool.
    expect(await offered({ ...host, tool_enabled_execute_shell_command: true })).toEqual(
      without(...onItsOwn, 'ssh_configure_host'),
    );
    expect(await offered({ features: { sandbox: false } })).toEqual(without(...allOfShell));
    expect(await offered({ features: { memory: false, scheduling: false, email: false, mcp: false } })).toEqual(
      everything,
    );
    const blocked = await callTool(world, 'grep', { pattern: 'x' }, { flags: ['--approve', 'all'] });
    expect(blocked.outcome.ok).toBe(true);
    world.writeSettings({ tool_enabled_grep: false });
    const off = await callTool(world, 'grep', { pattern: 'x' }, { flags: ['--approve', 'all'] });
    expect(off.outcome.error).toMatchObject({ code: 'denied', message: expect.stringContaining('tool_enabled_grep') });
  });

  test('[K02][L05] a model is sent tools that are listed as offered, with their schemas, and finds all others', async () => {
    const server = await startModelServer({ dialect: 'openai-chat', turns: () => ({ text: 'Yes.' }) });
    onTestFinished(() => server.close());
    const world = createProgramWorld({ OPENAI_BASE_URL: server.url, HANDRAIL_MODEL: 'openai-chat/test' });
    world.writeSettings({ tool_enabled_glob: false, tools: { disallowed: ['filesystem'] } });
    await world.run(['ask', 'hi']);
    const sent = (server.requests[0]?.body['tools'] as { function: { name: string; description: string } }[]).map(
      (tool) => tool.function,
    );
    const offered = await list(world, '--offered');
    const core = offered.filter((tool) => tool.isCore);
    expect(namesOf(sent)).toEqual(namesOf(core));
    expect(namesOf(offered)).not.toEqual(expect.arrayContaining(['glob']));
    for (const { name } of offered) {
      const { outcome } = await callTool(world, 'find_tools', { query: name, limit: 1 });
      expect((outcome.data?.['tools'] as { name: string }[])[0]?.name).toBe(name);
    }
    for (const { name, description } of sent) {
      expect(description).toBe(offered.find((tool) => tool.name === name)?.description);
    }
  });

  test('without --json each is one line, also through a pipe', async () => {
    const { stdout, code } = await runPlainly(createProgramWorld(), ['tools']);
    const lines = stdout.trimEnd().split('\n');
    expect([code, lines.map((line) => line.trim().split(' ')[0]).sort()]).toEqual([
      0,
      expect.arrayContaining(spineTools),
    ]);
    expect(lines.filter((line) => !/^ {2}[a-z_]+ +[A-Z]/u.test(line))).toEqual([]);
  });
});

describe('doctor', () => {
  test('says what is well and what to mend, as text and as JSON, and writes no secret', async () => {
    const world = createProgramWorld({ ANTHROPIC_API_KEY: 'Canary-anthropic' });
    const text = await world.run(['doctor']);
    expectNoStack(text);
    expect(text.code).toBe(0);
    for (const area of ['node', 'sandbox', 'models', 'database', 'secrets', 'state'])
      expect(text.stdout).toMatch(new RegExp(`^[✓!✗] ${area} `, 'mu'));
    expect(text.stdout).toContain('namespaces (bubblewrap');
    expect(text.stdout).toContain('anthropic/');
    const json = await runPlainly(world, ['doctor', '--json']);
    const report = JSON.parse(json.stdout) as { version: string; findings: { area: string; state: string }[] };
    expect(report.version).toMatch(/^\d+\.\d+\.\d+$/u);
    expect(report.findings.filter(({ state }) => !['good', 'warning', 'bad'].includes(state))).toEqual([]);
    expect(`${text.stdout}${json.stdout}`).not.toContain('Canary');
  });

  test('works where there can be no workspace, and ends with 1 when something is bad', async () => {
    const world = createProgramWorld();
    expect((await world.run(['doctor'], { cwd: world.home })).code).toBe(0);
    world.writeSettings({ sandbox: { rung: 'nonsense' } });
    const bad = await world.run(['doctor']);
    expect([bad.code, bad.stdout]).toEqual([1, expect.stringMatching(/^✗ settings .*sandbox\.rung/mu)]);
    expect(bad.stdout).toMatch(/^✓ sandbox /mu);
  });

  test('[A33] calls proot compatibility, not isolation, in doctor, in the list of tools and in every result', async () => {
    const world = createProgramWorld();
    world.writeSettings({ sandbox: { rung: 'proot' } });
    const doctor = await world.run(['doctor']);
    expect(doctor.stdout).toMatch(/^! sandbox +compatibility, not isolation/mu);
    const tools = await world.run(['tools', '--json']);
    expect(tools.stdout).toContain('compatibility, not isolation');
    const asked = await world.run(['run', 'bash', '{"command":"true"}', '--json']);
    expect(JSON.parse(asked.stdout)).toMatchObject({ ok: false, error: { code: 'denied' } });
    const done = await world.run(['run', 'bash', '{"command":"echo hi"}', '--json', '--approve', 'all']);
    expect(JSON.parse(done.stdout)).toMatchObject({ ok: true, data: { stdout: 'hi\n', rung: 'proot' } });
    expect(done.stdout).toContain('compatibility, not isolation');
  });

  test('[K48] a weaker sandbox from settings that were changed counts once it is confirmed, and not before', async () => {
    const world = createProgramWorld();
    const rungNow = async (): Promise<unknown> => {
      const end = await world.run(['run', 'bash', '{"command":"true"}', '--json', '--approve', 'all']);
      return (JSON.parse(end.stdout) as { data?: { rung?: string } }).data?.rung;
    };
    expect(await rungNow()).toBe('namespaces');
    world.writeSettings({ sandbox: { rung: 'host' }, tool_enabled_execute_shell_command: true });
    expect(await rungNow()).toBe('namespaces');
    expect((await world.run(['doctor'])).stdout).toMatch(/^! settings .*"host".*\n +→ handrail confirm/mu);
    expect((await world.run(['confirm'])).code).toBe(2);
    expect(await rungNow()).toBe('namespaces');
    expect(await world.run(['confirm', '--yes'])).toMatchObject({ code: 0 });
    expect(await rungNow()).toBe('host');
    expect((await world.run(['confirm'])).stdout).toBe('Everything is in force as the settings say.\n');
  });
});

describe('secrets', () => {
  test('[A23] are set from standard input, listed by name and removed; the value is in one closed file only', async () => {
    const world = createProgramWorld();
    const set = await world.run(['secrets', 'set', 'MY_KEY'], { stdin: 'Canary-value\n' });
    expect([set.code, set.stdout]).toEqual([0, '']);
    await world.run(['secrets', 'set', 'A_KEY'], { stdin: 'other' });
    const listed = await world.run(['secrets', 'list']);
    expect([listed.code, listed.stdout, listed.stderr]).toEqual([0, 'A_KEY\nMY_KEY\n', '']);
    const file = path.join(world.stateFolder, 'secrets.json');
    expect(readFileSync(file, 'utf8')).toMatch(/"Canary-value"/u);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await world.run(['secrets', 'set', 'MY_KEY'], { stdin: 'newer' })).code).toBe(0);
    expect(readFileSync(file, 'utf8')).not.toContain('Canary-value');
    expect((await world.run(['secrets', 'remove', 'MY_KEY'])).code).toBe(0);
    expect((await world.run(['secrets', 'list'])).stdout).toBe('A_KEY\n');
    expect(expectOneLine(await world.run(['secrets', 'remove', 'MY_KEY']), 2)).toContain('MY_KEY');
  });

  test('a name or value that cannot be one is refused, and the store stays', async () => {
    const world = createProgramWorld();
    await world.run(['secrets', 'set', 'A_KEY'], { stdin: 'kept' });
    const refused: readonly [string, string][] = [
      ['lower case', 'x'],
      ['A_KEY', ''],
      ['A_KEY', '\n'],
      ['A_KEY', 'two\nlines'],
      ['A_KEY', 'a\u0007b'],
    ];
    for (const [name, stdin] of refused) {
      const end = await world.run(['secrets', 'set', name], { stdin });
      expect([name, stdin, end.code === 0, end.stderr]).toEqual([
        name,
        stdin,
        false,
        expect.stringMatching(/^handrail: [^\n]+\n$/u),
      ]);
    }
    expect(readFileSync(path.join(world.stateFolder, 'secrets.json'), 'utf8')).toContain('kept');
  });

  test('a key that was set there is used, and one in the environment goes first', async () => {
    const server = await startModelServer({ dialect: 'openai-chat', turns: () => ({ text: 'Yes.' }) });
    onTestFinished(() => server.close());
    const world = createProgramWorld({ OPENAI_BASE_URL: server.url, HANDRAIL_MODEL: 'openai-chat/test' });
    await world.run(['secrets', 'set', 'OPENAI_API_KEY'], { stdin: 'from-the-store\n' });
    await world.run(['ask', 'hi']);
    await world.run(['ask', 'hi'], { env: { OPENAI_API_KEY: 'from-the-environment' } });
    expect(server.requests.map(({ headers }) => headers['authorization'])).toEqual([
      'Bearer from-the-store',
      'Bearer from-the-environment',
    ]);
  });
});

test('demo plays to its end with every face, needs no key, and leaves nothing', async () => {
  const world = createProgramWorld();
  const temporary = path.join(world.root, 'tmp');
  mkdirSync(temporary);
  const env = { TMPDIR: temporary };
  const text = await world.run(['demo'], { env });
  expect([text.code, text.stdout]).toEqual([0, expect.stringMatching(/^I am a script, not a model/u)]);
  expect(text.stderr).toMatch(/demonstration: the model is a script/u);
  const json = await world.run(['demo', '--json'], { env });
  expect([json.code, json.events.at(-1)]).toEqual([0, expect.objectContaining({ type: 'turn-end', reason: 'answer' })]);
  const ends = json.events.filter((event) => event.type === 'tool-end');
  expect(ends.some((event) => event.outcome.ok) && ends.some((event) => event.outcome.error?.code === 'denied')).toBe(
    true,
  );
  expect([readdirSync(temporary), readdirSync(world.workspace)]).toEqual([[], []]);
  const [{ conversationId } = { conversationId: '' }] = json.events;
  expect(await world.eventsKept(conversationId)).toEqual([]);
  await world.untilQuiet();
});

test('--version and --help answer on standard output for every command', async () => {
  const world = createProgramWorld();
  const { version } = JSON.parse(readFileSync(path.resolve(programFile, '../../package.json'), 'utf8')) as {
    version: string;
  };
  for (const flag of ['--version', '-v']) expect((await world.run([flag])).stdout).toBe(`${version}\n`);
  for (const command of ['', 'chat', 'ask', 'run', 'tools', 'mcp', 'doctor', 'demo', 'confirm', 'secrets']) {
    const args = command === '' ? ['--help'] : [command, '--help'];
    const end = await world.run(args);
    expect([command, end.code, end.stderr]).toEqual([command, 0, '']);
    expect(end.stdout).toMatch(new RegExp(`^Usage: handrail ${command}`, 'u'));
  }
  // Asking for help needs no state, and makes none.
  expect(readdirSync(world.root).sort()).toEqual(['home', 'workspace']);
});

test('looking at tools, health and help works from any directory and through a link', async () => {
  const world = createProgramWorld();
  expect((await world.run(['tools'], { cwd: '/' })).code).toBe(0);
  expect((await world.run(['doctor'], { cwd: tmpdir() })).code).toBe(0);
  const link = path.join(world.root, 'linked');
  const { stdout } = await dataOf(world, 'bash', { command: 'echo linked' });
  expect(stdout).toBe('linked\n');

  const end = await runScript(
    world,
    `ln -s "$H" ${link} && cd / && env -i HOME="$HOME" HANDRAIL_HOME="$HANDRAIL_HOME" ${link} --version`,
  );
  expect([end.code, end.stdout]).toEqual([0, expect.stringMatching(/^\d/u)]);
});
