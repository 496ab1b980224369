/** What a machine and a user can get wrong: each gives one clear line (or one object), the right exit code, and loses nothing. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startModelServer } from '../kit/model-server.ts';
import { giveToOrdinaryUser, runAsOrdinaryUser, runScript, runWithMounts } from '../kit/private-mounts.ts';
import { createProgramWorld, programFile, type ProgramWorld } from '../kit/program.ts';
import { callTool, dataOf, expectNoStack, expectOneLine, expectOutcome } from '../kit/tool-call.ts';

const time = ['run', 'get_local_time'];
const settingsOf = (world: ProgramWorld) => path.join(world.stateFolder, 'settings.json');

describe('settings', () => {
  const cases: readonly (readonly [string, string | Buffer, RegExp])[] = [
    ['no JSON', '{"model":', /line 1, column 10/u],
    ['nothing', '', /empty/u],
    ['a list', '[]', /object/u],
    ['comments', '{ // mine\n}', /comments are not allowed/u],
    ['invalid UTF-8', Buffer.from('{"model":"\xff"}', 'latin1'), /no UTF-8 text at line 1, column 11/u],
    ['an unknown key', '{"sandbox":{"rong":"host"}}', /"sandbox\.rong"; did you mean "sandbox\.rung"/u],
    ['a wrong type', '{"limits":{"rounds":"many"}}', /limits\.rounds/u],
    ['a switch that is no switch', '{"tool_enabled_grep":"no"}', /tool_enabled_grep/u],
    ['a rule that is none', '{"permissions":{"deny":["read_file("]}}', /no permission rule/u],
    ['a secret in plain text', '{"OPENAI_API_KEY":"sk-proj-Canary5kTb0aQx81LmZ4Wv"}', /secrets set/u],
  ];

  test.each(cases)(
    'with %s: one line that names the place, and the file stays as it is',
    async (_name, bytes, line) => {
      const world = createProgramWorld();
      world.writeSettings({});
      writeFileSync(settingsOf(world), bytes);
      const plain = expectOneLine(await world.run(time), 1);
      expect(plain).toMatch(line);
      expect(plain).not.toContain('Canary5kTb0aQx81LmZ4Wv');
      const { outcome, code } = await callTool(world, 'get_local_time');
      expect([code, outcome.error]).toEqual([1, { code: 'unavailable', message: expect.stringMatching(line) }]);
      expect(readFileSync(settingsOf(world))).toEqual(Buffer.from(bytes));
    },
  );

  test('that cannot be read: a folder, or closed to the user', async () => {
    const world = createProgramWorld();
    mkdirSync(settingsOf(world), { recursive: true });
    chmodSync(world.stateFolder, 0o700);
    expect(expectOneLine(await world.run(time), 1)).toContain('is no file');
    rmSync(settingsOf(world), { recursive: true });
    world.writeSettings({});
    chmodSync(settingsOf(world), 0);
    giveToOrdinaryUser(world.root);
    expect(expectOneLine(await runAsOrdinaryUser(world, time), 1)).toMatch(/settings\.json cannot be read: .*chmod/u);
    const doctor = await runAsOrdinaryUser(world, ['doctor', '--json']);
    // It looks past them, and says so.
    expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringMatching(/"settings",\s+"state": "bad"/u)]);
    expect(doctor.stdout).toMatch(/"area": "sandbox"/u);
  });
});

describe('the state folder', () => {
  test('read-only, of another user, a file, or relative', async () => {
    const world = createProgramWorld();
    mkdirSync(world.stateFolder, { mode: 0o500 });
    giveToOrdinaryUser(world.root);
    expect(expectOneLine(await runAsOrdinaryUser(world, time), 1)).toMatch(/cannot be written .* HANDRAIL_HOME/u);
    expect(expectOneLine(await runAsOrdinaryUser(world, time, { env: { HANDRAIL_HOME: '/root/x' } }), 1)).toContain(
      '/root',
    );
    expect(readdirSync(world.stateFolder)).toEqual([]);
    world.write('file', '');
    expect(expectOneLine(await world.run(time, { env: { HANDRAIL_HOME: 'file' } }), 1)).toContain('is a file');
    expect(expectOneLine(await world.run(time, { env: { HANDRAIL_HOME: '/' } }), 1)).toContain('root folder');
    expect((await world.run(time, { env: { HANDRAIL_HOME: 'own' } })).code).toBe(0);
    expect(statSync(path.join(world.workspace, 'own')).mode & 0o777).toBe(0o700);
  });

  test('on a full disk: nothing runs that could not be written down, and it goes on when there is space', async () => {
    const world = createProgramWorld();
    mkdirSync(world.stateFolder);
    const script = `
      mount -t tmpfs -o size=700k,mode=700 tmpfs "$HANDRAIL_HOME"
      "$H" run write_file '{"path":"first","content":"1"}' --json --conversation c || exit 91
      printf old-secret | "$H" secrets set A_KEY 2>/dev/null || exit 92
      dd if=/dev/zero of="$HANDRAIL_HOME/cache/fill" bs=1k 2>/dev/null
      "$H" run write_file '{"path":"second","content":"2"}' --json --conversation c && exit 93
      "$H" run bash '{"command":"touch third"}' --json --conversation c && exit 94
      head -c 20000 /dev/zero | tr '\\0' y | "$H" secrets set A_KEY && exit 95
      "$H" doctor >/dev/null && exit 96
      rm "$HANDRAIL_HOME/cache/fill"
      "$H" run read_file '{"path":"first"}' --json --conversation c || exit 97
      "$H" secrets list`;
    const end = await runWithMounts(world, script);
    expectNoStack(end);
    const lines = end.stdout.trim().split('\n');
    expect([end.code, lines.length, lines[4]], end.stderr).toEqual([0, 5, 'A_KEY']);
    const outcomes = lines.slice(0, 4).map((line) => JSON.parse(line) as { ok: boolean; text: string });
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, false, true]);
    expect(outcomes[1]?.text).toMatch(/disk .*full/u);
    expect(end.stderr).toMatch(/^handrail: .*disk is full[^\n]*\n$/u);
    expect(readdirSync(world.workspace)).toEqual(['first']);
  });

  test('the twin on a full workspace: the old content of the file stays whole', async () => {
    const world = createProgramWorld();
    world.write('mounted/x', '');
    const input = JSON.stringify({ path: 'old', content: 'y'.repeat(90_000) });
    const script = `
      mount -t tmpfs -o size=40k tmpfs mounted && cd mounted && printf old >old
      "$H" run write_file '${input}' --json; echo "$? $(cat old) $(ls -A | wc -l)"`;
    const [line = '', after] = (await runWithMounts(world, script)).stdout.split('\n');
    expect(JSON.parse(line)).toMatchObject({ ok: false, error: { message: expect.stringContaining('disk is full') } });
    expect(after).toBe('1 old 1');
  });
});

test('without bubblewrap commands are refused with the line that installs it, and everything else works', async () => {
  const world = createProgramWorld();
  world.write('a.txt', 'text\n');
  const script = `
    for folder in /usr/bin /usr/local/bin /bin; do
      if [ -e $folder/bwrap ]; then mount --bind /dev/null $folder/bwrap; fi
    done
    "$H" run bash '{"command":"touch made"}' --json --approve all
    "$H" run read_file '{"path":"a.txt"}' --json`;
  const { stdout } = await runWithMounts(world, script);
  const [refused, read] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { ok: boolean; text: string });
  expect(refused).toMatchObject({
    ok: false,
    error: { code: 'unavailable' },
    text: expect.stringMatching(/bubblewrap.*install/u),
  });
  expect(read).toMatchObject({ ok: true, text: 'text\n' });
  expect(existsSync(path.join(world.workspace, 'made'))).toBe(false);
  // A PATH without it changes nothing: a folder of the user's could hold any program of that name.
  expect((await callTool(world, 'bash', { command: 'true' }, { env: { PATH: '/nowhere' } })).outcome.ok).toBe(true);
});

describe('models', () => {
  const chat = (url: string) => ({
    OPENAI_BASE_URL: url,
    OPENAI_API_KEY: 'sk-Canary77',
    HANDRAIL_MODEL: 'openai-chat/x',
  });

  test('none, an unknown one, and a name that is none', async () => {
    const world = createProgramWorld();
    expect(expectOneLine(await world.run(['ask', 'hi'], { env: { HANDRAIL_MODEL: '' } }), 1)).toContain(
      'No model is connected',
    );
    expect(expectOneLine(await world.run(['ask', 'hi', '--model', 'nobody/x']), 2)).toContain('no model service');
    expect(expectOneLine(await world.run(['ask', 'hi', '--model', 'gpt']), 2)).toContain('service/model');
  });

  test('a wrong key and a connection that is refused: one line, exit code 1, and the message is kept', async () => {
    const server = await startModelServer({ dialect: 'openai-chat', turns: () => ({ error: 'auth' }) });
    onTestFinished(() => server.close());
    const world = createProgramWorld(chat(server.url));
    const wrong = await world.run(['ask', 'hi', '--conversation', 'c']);
    expect(expectOneLine(wrong, 1)).toMatch(/key/iu);
    const nobody = createServer();
    await new Promise<void>((resolve) => nobody.listen(0, '127.0.0.1', resolve));
    const { port } = nobody.address() as AddressInfo;
    await new Promise((resolve) => nobody.close(resolve));
    world.writeSettings({ limits: { modelRetries: 0 } });
    const refused = await world.run(['ask', 'again', '--json', '--conversation', 'c'], {
      env: chat(`http://127.0.0.1:${port}/v1`),
    });
    expectNoStack(refused);
    expect(refused.events.at(-1)).toMatchObject({ type: 'turn-end', reason: 'failed', error: { kind: 'network' } });
    expect([refused.code, refused.stdout.includes('Canary77')]).toEqual([1, false]);
    const kept = await world.eventsKept('c');
    expect(kept.filter((event) => event.type === 'turn-start').length).toBe(2);
  });

  test('a call with 50 MB of arguments is answered, and the turn goes on', async () => {
    const input = { path: 'big.txt', content: 'x'.repeat(50_000_000) };
    const server = await startModelServer({
      dialect: 'openai-chat',
      turns: [{ calls: [{ name: 'write_file', input }], chunkChars: 1_000_000 }, { text: 'Written.' }],
    });
    onTestFinished(() => server.close());
    const world = createProgramWorld(chat(server.url));
    const end = await world.run(['ask', 'write much']);
    expectNoStack(end);
    expect([end.code, end.stdout], end.stderr.slice(0, 500)).toEqual([0, 'Written.\n']);
    expect(statSync(path.join(world.workspace, 'big.txt')).size).toBe(50_000_000);
  }, 60_000);
});

describe('standard input and output', () => {
  test('50 MB of arguments by standard input', async () => {
    const world = createProgramWorld();
    const stdin = JSON.stringify({ path: 'big.txt', content: 'ä'.repeat(25_000_000) });
    expect(await dataOf(world, 'write_file', '-', { stdin })).toMatchObject({ bytes_written: 50_000_000 });
    const long = await callTool(world, 'read_file', '-', { stdin: JSON.stringify({ path: stdin }) });
    expect([long.outcome.ok, long.stdout.length < 1_000]).toEqual([false, true]);
  });

  test('what is no UTF-8, no JSON or no object is misuse, and nothing is done', async () => {
    const world = createProgramWorld();
    const script = `printf '{"path":"x","content":"\\377"}' | "$H" run write_file - --json`;
    const invalid = await runScript(world, script);
    expect([invalid.code, expectOutcome(invalid).text]).toEqual([2, expect.stringContaining('UTF-8')]);
    const asked = await runScript(world, `printf '\\377' | "$H" ask`);
    expect(expectOneLine(asked, 2)).toContain('UTF-8');
    for (const text of ['', '{', '[]', '"x"', 'null', '{"path":"x","content":"y"} more']) {
      const { code, outcome } = await callTool(world, 'write_file', '-', { stdin: text });
      expect([code, outcome.error?.code]).toEqual([2, 'invalid_input']);
    }
    expect(readdirSync(world.workspace)).toEqual([]);
  });

  test('closed, full and broken streams end in the right exit code without a stack', async () => {
    const world = createProgramWorld();
    world.write('a.txt', 'text\n'.repeat(20_000));
    const run = `"$H" run read_file '{"path":"a.txt","limit":20000}'`;
    const ends: Record<string, [number, RegExp, RegExp]> = {
      [`${run} --json <&-`]: [0, /^\{"ok":true/u, /^$/u],
      [`${run} >&-`]: [0, /^$/u, /^$/u],
      [`${run} 2>&-`]: [0, /^text/u, /^$/u],
      [`${run} >/dev/full`]: [1, /^$/u, /^handrail: The output could not be written[^\n]*\n$/u],
      [`"$H" tools --json >/dev/full`]: [1, /^$/u, /^handrail: [^\n]*\n$/u],
      [`"$H" run --json >/dev/full`]: [2, /^$/u, /^handrail: [^\n]*\n$/u],
      [`"$H" run read_file '{' 2>/dev/full`]: [2, /^$/u, /^$/u],
      [`{ ${run}; echo "$?" >&2; } | head -c 4`]: [0, /^text$/u, /^0\n$/u],
      [`{ "$H" tools --json; echo "$?" >&2; } | true`]: [0, /^$/u, /^0\n$/u],
    };
    for (const [script, [code, stdout, stderr]] of Object.entries(ends)) {
      const end = await runScript(world, script);
      expectNoStack(end);
      expect([script, end]).toEqual([
        script,
        { code, stdout: expect.stringMatching(stdout), stderr: expect.stringMatching(stderr) },
      ]);
    }
  });

  test('a socket as standard input that never says anything is not waited for', async () => {
    const world = createProgramWorld();
    const child = spawn(programFile, [...time, '{}', '--json'], {
      cwd: world.workspace,
      env: world.environment,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(0);
  });
});

describe('the command line', () => {
  test('what cannot be meant is misuse: one line, exit code 2, and with --json one object', async () => {
    const world = createProgramWorld();
    const misuses: readonly (readonly [readonly string[], RegExp])[] = [
      [['frobnicate'], /no command "frobnicate"/u],
      [['aks', 'hi'], /Did you mean ask\?/u],
      [['run'], /missing required argument 'tool'/u],
      [['run', 'read_file', '{}', '--frob'], /unknown option '--frob'/u],
      [['run', 'read_file', '{}', 'more'], /too many arguments/u],
      [['run', 'read_file', '{}', '--approve', 'maybe'], /all, ask, none/u],
      [['run', 'read_file', '{}', '--conversation', '../x'], /no conversation id/u],
      [['run', 'read_file', '{}', '--conversation', ''], /no conversation id/u],
      [['run', 'read_file', '{"path":'], /not valid JSON/u],
      [['ask', 'hi', '--max-rounds', '0'], /whole number/u],
      [['ask'], /nothing to ask/u],
      [['ask', '--continue', 'hi', '--model', 'demo/script'], /no earlier conversation/u],
      [['ask', '--conversation', 'none-such', '--continue', '--model', 'demo/script'], /no conversation none-such/iu],
      [['secrets', 'remove', 'NONE'], /no secret named NONE/u],
    ];
    for (const [args, line] of misuses) {
      expect([args, expectOneLine(await world.run(args), 2)]).toEqual([args, expect.stringMatching(line)]);
    }
    for (const args of [
      ['frobnicate', '--json'],
      ['run', '--json'],
      ['run', 'read_file', '[]', '--json'],
      ['tools', '--json', '--frob'],
    ]) {
      const end = await world.run(args);
      expect([end.code, end.stderr, expectOutcome(end).error?.code]).toEqual([2, '', 'invalid_input']);
    }
  });

  test('an unknown tool is a failure that names the nearest, whatever its length', async () => {
    const world = createProgramWorld();
    const near = await callTool(world, 'read_fiel');
    expect([near.code, near.outcome]).toEqual([
      1,
      expect.objectContaining({ text: expect.stringContaining('read_file') }),
    ]);
    for (const name of ['x'.repeat(100_000), '../../etc', '__proto__', 'constructor', '\u001b[31m']) {
      const { outcome, stdout } = await callTool(world, name);
      expect([outcome.error?.code, stdout.length < 2_000]).toEqual(['not_found', true]);
    }
  });

  test('a workspace that would open everything, or is none', async () => {
    const world = createProgramWorld();
    world.write('file', '');
    const { home, stateFolder, root } = world;
    await callTool(world, 'get_local_time');
    const refused: readonly (readonly [string, RegExp])[] = [
      ['/', /whole machine/u],
      [home, /home folder/u],
      [root, /home folder/u],
      [stateFolder, /own state/u],
      [path.join(stateFolder, 'artifacts'), /own state/u],
      ['file', /no folder/u],
      ['missing', /does not exist/u],
      ['', /empty/u],
    ];
    for (const [folder, line] of refused) {
      const { code, outcome } = await callTool(world, 'get_local_time', {}, { flags: ['--workspace', folder] });
      expect([folder, code, outcome.text]).toEqual([folder, 2, expect.stringMatching(line)]);
    }
    const closed = createProgramWorld();
    mkdirSync(path.join(closed.root, 'closed'));
    giveToOrdinaryUser(closed.root);
    chmodSync(path.join(closed.root, 'closed'), 0);
    const inClosed = [...time, '--workspace', path.join(closed.root, 'closed')];
    expect(expectOneLine(await runAsOrdinaryUser(closed, inClosed), 2)).toContain('cannot be opened');
    // Not even its owner could remove it else.
    chmodSync(path.join(closed.root, 'closed'), 0o700);
    expect(expectOneLine(await world.run(time, { cwd: home }), 2)).toContain('home folder');
    const flags = ['--conversation', 'c'];
    mkdirSync(path.join(root, 'other'));
    expect((await callTool(world, 'get_local_time', {}, { flags })).outcome.ok).toBe(true);
    const moved = await callTool(world, 'get_local_time', {}, { flags, cwd: path.join(root, 'other') });
    expect([moved.code, moved.outcome.text]).toEqual([2, expect.stringContaining('belongs to the workspace')]);
  });

  test('a current directory that was removed', async () => {
    const world = createProgramWorld();
    const end = await runScript(
      world,
      `mkdir gone && cd gone && rmdir ../gone && exec "$H" run get_local_time --json 2>/dev/null`,
    );
    expect([end.code, expectOutcome(end).text]).toEqual([2, expect.stringContaining('was removed')]);
    const named = `mkdir gone && cd gone && rmdir ../gone && exec "$H" run get_local_time --json --workspace "$HANDRAIL_HOME/../workspace" 2>/dev/null`;
    expect(expectOutcome(await runScript(world, named)).ok).toBe(true);
  });

  test('an environment with nothing in it, with odd values, and very long arguments', async () => {
    const world = createProgramWorld();
    const odd = [{ HOME: undefined }, { LANG: undefined }, { LANG: 'xx_YY.odd', TZ: 'Odd/Zone' }, { PATH: undefined }];
    for (const env of odd) {
      expect([env, (await callTool(world, 'get_local_time', {}, { env })).outcome.ok]).toEqual([env, true]);
    }
    expect((await callTool(world, 'bash', { command: 'echo' }, { env: { HOME: '' } })).outcome.ok).toBe(true);
    const content = 'é'.repeat(60_000);
    expect(await dataOf(world, 'write_file', { path: 'long', content })).toMatchObject({ bytes_written: 120_000 });
  });
});
