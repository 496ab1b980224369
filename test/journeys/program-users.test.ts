/** The whole program as an ordinary user and as root, with canaries where nothing may ever reach them. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startModelServer, type ModelServer } from '../kit/model-server.ts';
import {
  giveToOrdinaryUser,
  isRoot,
  ordinaryUid,
  runAsOrdinaryUser,
  runPlainly,
  type PlaceOptions,
} from '../kit/private-mounts.ts';
import { createProgramWorld, type ProgramWorld, type RunEnd } from '../kit/program.ts';
import { expectNoStack, expectOutcome } from '../kit/tool-call.ts';

const canary = {
  home: 'Canary-home-b81f',
  key: 'Canary-key-77aa',
  secret: 'Canary-secret-c0de',
  state: 'Canary-state-19e4',
  variable: 'Canary-variable-5d5d',
};
const keyVariables = { OPENAI_API_KEY: canary.key, ANTHROPIC_API_KEY: canary.key, MY_TOKEN: canary.variable };

type User = {
  readonly world: ProgramWorld;
  run(args: readonly string[], options?: PlaceOptions): Promise<Pick<RunEnd, 'code' | 'stdout' | 'stderr'>>;
};

/** Who runs the program, whose the workspace is, and whether the commands' user may be another one. */
type Case = { readonly name: string; readonly as: 'root' | 'user'; readonly workspaceOf: 'root' | 'user' };
const ordinary: Case = { name: 'an ordinary user', as: 'user', workspaceOf: 'user' };
const cases: readonly Case[] = isRoot
  ? [
      ordinary,
      { name: 'root in a workspace of root', as: 'root', workspaceOf: 'root' },
      { name: 'root in a workspace of an ordinary user', as: 'root', workspaceOf: 'user' },
    ]
  : [ordinary];

async function becomeUser(each: Case): Promise<User> {
  const world = createProgramWorld();
  world.write('a.txt', 'first line\nneedle\n');
  mkdirSync(path.join(world.home, '.ssh'));
  writeFileSync(path.join(world.home, '.ssh/id_ed25519'), canary.home);
  writeFileSync(path.join(world.home, 'diary.txt'), canary.home);
  mkdirSync(world.stateFolder, { mode: 0o700 });
  writeFileSync(path.join(world.stateFolder, 'handrail.log'), `${canary.state}\n`, { mode: 0o600 });
  if (each.as === 'user') giveToOrdinaryUser(world.root);
  else if (each.workspaceOf === 'user') giveToOrdinaryUser(world.workspace);
  const run: User['run'] = (args, options = {}) => {
    const env = { ...keyVariables, ...options.env };
    if (each.as === 'user') return runAsOrdinaryUser(world, args, { ...options, env });
    return runPlainly(world, args, { ...options, env });
  };
  const kept = await run(['secrets', 'set', 'GEMINI_API_KEY'], { stdin: canary.secret });
  expect([kept.code, kept.stderr], kept.stderr).toEqual([0, expect.stringContaining('Kept GEMINI_API_KEY')]);
  return { world, run };
}

async function outcomeOf(user: User, tool: string, input: object, flags: readonly string[] = []) {
  return expectOutcome(await user.run(['run', tool, JSON.stringify(input), '--json', ...flags]));
}

describe.each(cases)('$name', (each) => {
  test('reads, writes, searches, runs commands, asks a model and serves MCP', async () => {
    const user = await becomeUser(each);
    const { workspace } = user.world;
    expect(await outcomeOf(user, 'read_file', { path: 'a.txt' })).toMatchObject({
      ok: true,
      text: 'first line\nneedle\n',
    });
    expect(await outcomeOf(user, 'write_file', { path: 'sub/b.txt', content: 'b\n' })).toMatchObject({ ok: true });
    expect(await outcomeOf(user, 'grep', { pattern: 'needle' })).toMatchObject({ data: { count: 1 } });
    const command = 'cat a.txt sub/b.txt; echo changed >>a.txt; mkdir -p made && echo x >made/by-command; id -u';
    const ran = await outcomeOf(user, 'bash', { command });
    expect(ran).toMatchObject({ ok: true, data: { exit_code: 0, stderr: '', rung: 'namespaces' } });
    expect(readFileSync(path.join(workspace, 'a.txt'), 'utf8')).toBe('first line\nneedle\nchanged\n');
    // What a command makes belongs to whom the workspace belongs to, and the file tools go on with it.
    const owner = each.workspaceOf === 'root' ? 0 : ordinaryUid;
    expect(statSync(path.join(workspace, 'made/by-command')).uid).toBe(owner);
    const edit = { path: 'made/by-command', oldString: 'x', newString: 'y' };
    expect(await outcomeOf(user, 'edit_file', edit)).toMatchObject({ ok: true });
    expect(await outcomeOf(user, 'bash', { command: 'cat made/by-command' })).toMatchObject({
      data: { stdout: 'y\n' },
    });

    const server = await scriptedModel();
    const asked = await user.run(['ask', 'what is there?', '--json'], { env: modelOf(server) });
    expectNoStack(asked);
    const events = asked.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; answer?: string });
    expect(events.at(-1), asked.stderr).toMatchObject({ type: 'turn-end', reason: 'answer', answer: 'All seen.' });
    expect(server.requests.map(({ problem }) => problem)).toEqual([undefined, undefined]);

    const served = await user.run(['mcp'], { stdin: mcpLines });
    const listed = served.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as McpAnswer);
    const names = listed.find(({ id }) => id === 2)?.result?.tools?.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['read_file', 'execute_shell_command']));
    expect(served.code).toBe(0);
    const doctor = await user.run(['doctor']);
    expect([doctor.code, doctor.stdout]).toEqual([0, expect.stringContaining('✓ sandbox      namespaces')]);
    expect(doctor.stdout.includes('You are root')).toBe(each.as === 'root');
  }, 60_000);

  test('[A20][A49] neither commands nor file tools reach a canary in the home, the state or the environment', async () => {
    const user = await becomeUser(each);
    const { home, stateFolder } = user.world;
    const looks = [
      'env; set; export -p',
      'cat /proc/*/environ /proc/*/cmdline 2>/dev/null | tr "\\0" "\\n"',
      `cat ${home}/diary.txt ${home}/.ssh/* ${stateFolder}/* ../home/* ../state/*`,
      `ls -laR ${home} ${stateFolder} /root /home 2>&1`,
      `cd ~ && cat ../../../../../..${home}/diary.txt /proc/1/root${home}/diary.txt /proc/self/root${home}/diary.txt`,
      `ln -s ${home}/diary.txt ${stateFolder} . ; cat diary.txt state/handrail.log state/secrets.json`,
      `find / -path /proc -prune -o \\( -name diary.txt -o -name secrets.json -o -name handrail.log \\) -exec cat {} + 2>/dev/null`,
      `ls -la /proc/self/fd /proc/$PPID/fd; for fd in /proc/*/fd/*; do timeout 0.2 head -c 4000 "$fd" </dev/null; done 2>&1`,
    ];
    for (const command of looks) {
      const outcome = await outcomeOf(user, 'bash', { command }, ['--approve', 'all']);
      expect([command, JSON.stringify(outcome)]).toEqual([command, expect.not.stringMatching(/Canary-/u)]);
      expect([command, outcome.ok]).toEqual([command, true]);
    }
    // The links that the commands left lead the file tools nowhere either.
    const reads = ['diary.txt', '../home/.ssh/id_ed25519', 'state/secrets.json', `${stateFolder}/handrail.log`];
    for (const name of reads) {
      const outcome = await outcomeOf(user, 'read_file', { path: name });
      expect([name, outcome.ok, outcome.error?.code]).toEqual([
        name,
        false,
        expect.stringMatching(/^(denied|not_found)$/u),
      ]);
    }
    for (const name of reads.slice(1)) {
      const outcome = await outcomeOf(user, 'read_file', { path: name }, ['--approve', 'all']);
      expect([name, outcome.error?.code]).toEqual([name, 'denied']);
    }
    // The twins: what is not secret is found by the same look, and without a sandbox the secret is.
    expect(
      await outcomeOf(user, 'bash', { command: 'find / -path /proc -prune -o -name a.txt -exec cat {} +' }),
    ).toMatchObject({
      data: { stdout: expect.stringContaining('needle') },
    });
    user.world.writeSettings({ sandbox: { rung: 'host' }, tool_enabled_execute_shell_command: true });
    if (each.as === 'user') giveToOrdinaryUser(user.world.stateFolder);
    expect((await user.run(['confirm', '--yes'])).code).toBe(0);
    const unguarded = await outcomeOf(user, 'bash', { command: looks[2] }, ['--approve', 'all']);
    expect(JSON.stringify(unguarded)).toContain(canary.home);
  }, 60_000);

  test('[A49] a key is found in no file of the state but its own, and in nothing that is printed', async () => {
    const user = await becomeUser(each);
    const server = await scriptedModel();
    const printed = [
      await user.run(['ask', 'look', '--json'], { env: modelOf(server) }),
      await user.run(['ask', 'look'], { env: { ...modelOf(server), OPENAI_BASE_URL: `${server.url}/wrong` } }),
      await user.run(['run', 'bash', '{"command":"env; seq 1 30000"}', '--json']),
      await user.run(['secrets', 'list']),
      await user.run(['doctor', '--json']),
      await user.run(['tools', '--json']),
    ];
    expect(JSON.stringify(printed)).not.toContain('Canary-');
    expect(JSON.stringify(server.requests.map(({ body }) => body))).not.toContain('Canary-');
    // The key did reach the one place that it is for.
    expect(server.requests[0]?.headers['authorization']).toBe(`Bearer ${canary.key}`);
    const holders = filesBelow(user.world.stateFolder).filter((file) => readFileSync(file).includes('Canary-'));
    expect(holders.map((file) => path.basename(file)).sort()).toEqual(['handrail.log', 'secrets.json']);
    expect(readFileSync(path.join(user.world.stateFolder, 'handrail.log'), 'utf8')).not.toMatch(
      /Canary-(key|secret|variable)/u,
    );
    expect(readFileSync(path.join(user.world.stateFolder, 'secrets.json'), 'utf8')).not.toMatch(
      /Canary-(key|variable)/u,
    );
    // [A23] and no other user may read any of it.
    const open = [user.world.stateFolder, ...filesBelow(user.world.stateFolder)].filter(
      (file) => (statSync(file).mode & 0o077) !== 0 && !/\/(home|home-of-\d+|sandbox)\//u.test(file),
    );
    expect(open).toEqual([]);
  }, 60_000);
});

type McpAnswer = { readonly id?: number; readonly result?: { readonly tools?: readonly { readonly name: string }[] } };

const mcpLines = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list', params: {} },
]
  .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  .join('');

async function scriptedModel(): Promise<ModelServer> {
  const server = await startModelServer({
    dialect: 'openai-chat',
    turns: [
      {
        calls: [
          { name: 'execute_shell_command', input: { command: 'cat a.txt; env; cat ../state/* ../home/*' } },
          { name: 'read_file', input: { path: '../state/secrets.json' } },
        ],
      },
      { text: 'All seen.' },
    ],
  });
  onTestFinished(() => server.close());
  return server;
}

const modelOf = (server: ModelServer) => ({ OPENAI_BASE_URL: server.url, HANDRAIL_MODEL: 'openai-chat/test' });

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}
