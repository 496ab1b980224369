/** `bin/handrail run bash` and its other name: limits, output, environment and the questions it raises. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createProgramWorld, type ProgramWorld } from '../kit/program.ts';
import { callTool, dataOf } from '../kit/tool-call.ts';

const shell = (world: ProgramWorld, command: string, more: object = {}, flags: readonly string[] = []) =>
  callTool(world, 'bash', { command, ...more }, { flags });

test('[E14] bash gives command, exit code, both streams apart and the summary; a failing command is a result', async () => {
  const world = createProgramWorld();
  const { outcome, code } = await shell(world, 'echo out; echo err >&2; exit 7', { summary: 'try it' });
  expect(outcome).toMatchObject({
    ok: true,
    data: {
      command: 'echo out; echo err >&2; exit 7',
      exit_code: 7,
      stdout: 'out\n',
      stderr: 'err\n',
      summary: 'try it',
      timed_out: false,
      cwd: world.workspace,
      rung: 'namespaces',
    },
  });
  expect(code).toBe(0);
  expect((await callTool(world, 'execute_shell_command', { command: 'kill -9 $$' })).outcome.data).toMatchObject({
    stdout: '',
  });
});

test('[K58] working_dir, env, and a home of its own; what the command writes is on the disk', async () => {
  const world = createProgramWorld();
  world.write('sub/x', '');
  const data = await dataOf(world, 'bash', {
    command: 'pwd; echo "$A"; printf %s "$A" >made; echo ~; cd ~ && pwd',
    working_dir: 'sub',
    env: { A: 'ä $(id) `id`', PATH: '/usr/bin:/bin' },
  });
  expect(data['stdout']).toBe(`${world.workspace}/sub\nä $(id) \`id\`\n/home/handrail\n/home/handrail\n`);
  expect(world.read('sub/made')).toBe('ä $(id) `id`');
  const wrong = await shell(world, 'pwd', { working_dir: '/no/such' });
  expect(wrong.outcome.error?.code).toBe('not_found');
  const name = await shell(world, 'env', { env: { 'A B': '1' } });
  expect(name.outcome.error?.code).toBe('invalid_input');
});

describe('time', () => {
  test('[K05][K59] a command that passes its timeout fails with timeout, keeps its output and leaves no process', async () => {
    const world = createProgramWorld();
    const start = performance.now();
    const { outcome, code } = await shell(
      world,
      'echo before; trap "" INT TERM; setsid sleep 601 & sleep 602; echo after',
      { timeout: 1 },
    );
    expect(performance.now() - start).toBeLessThan(10_000);
    expect([code, outcome.error?.code]).toEqual([1, 'timeout']);
    expect(outcome.data).toMatchObject({ timed_out: true, exit_code: null, stdout: 'before\n' });
    expect(outcome.text).toMatch(/before[\s\S]*1 s/u);
    await world.untilQuiet();
  });

  test('[K59] a timeout that is too long is lowered and the result says so; a setting raises the ceiling', async () => {
    const world = createProgramWorld();
    const lowered = await callTool(world, 'execute_shell_command', { command: 'true', timeout: 9_999 });
    expect(lowered.outcome.text).toMatch(/9999 s.*120 s/u);
    expect(lowered.outcome.data?.['notes']).toEqual([expect.stringContaining('120 s')]);
    expect((await shell(world, 'true', { timeout: 9_999 })).outcome.text).toContain('180 s');
    world.writeSettings({ shell: { timeoutSeconds: 1, maxTimeoutSeconds: 10_000 } });
    expect((await shell(world, 'true', { timeout: 9_999 })).outcome.data?.['notes']).toBeUndefined();
    const short = await callTool(world, 'execute_shell_command', { command: 'sleep 600' });
    expect(short.outcome.error?.code).toBe('timeout');
    for (const timeout of [0, -1, 'soon', '-1']) {
      expect((await shell(world, 'true', { timeout })).outcome.error?.code).toBe('invalid_input');
    }
  });
});

describe('output', () => {
  test('[K65][K66] 40,000 characters on each stream: each is cut in its middle on its own', async () => {
    const world = createProgramWorld();
    const print = (name: string) =>
      `echo first-${name}; head -c 40000 /dev/zero | tr "\\0" ${name[0]}; echo; echo last-${name}`;
    const { outcome } = await shell(world, `${print('out')}; { ${print('err')}; } >&2`);
    expect(outcome).toMatchObject({
      ok: true,
      truncated: true,
      data: { stdout_truncated: true, stderr_truncated: true },
    });
    for (const name of ['out', 'err']) {
      const text = outcome.data?.[`std${name}`] as string;
      expect(text.length).toBeLessThanOrEqual(15_000);
      expect(text).toMatch(new RegExp(`^first-${name}\\n[\\s\\S]*\\nlast-${name}\\n$`, 'u'));
      expect(outcome.data?.[`std${name}_bytes`]).toBe(40_000 + 2 * `first-${name}\n`.length);
    }
    expect(outcome.text.length).toBeLessThanOrEqual(20_000);
    const { artifact } = outcome;
    expect(artifact).toEqual({ id: expect.any(String), path: expect.any(String), bytes: expect.any(Number) });
    expect(await readWhole(world, artifact?.id ?? '')).toBe(readFileSync(artifact?.path ?? '', 'utf8'));
  });

  test('[K07] 50,000 characters: cut, the true length named, and the whole opens page by page without a gap', async () => {
    const world = createProgramWorld();
    const { outcome } = await shell(world, 'seq -w 1 10000 | head -c 50000');
    expect(outcome.truncated).toBe(true);
    expect(outcome.text).toContain('50000');
    const whole = await readWhole(world, outcome.artifact?.id ?? '');
    expect(whole).toContain(
      `${Array.from({ length: 8_333 }, (_, at) => String(at + 1).padStart(5, '0')).join('\n')}\n`,
    );
    const found = await dataOf(world, 'read_artifact', { id: outcome.artifact?.id, pattern: '0777[67]' });
    expect((found['content'] as string).match(/0777\d/gu)).toEqual(['07776', '07777']);
    for (const [id, code] of [
      ['no-such-artifact', 'not_found'],
      ['../../settings.json', 'not_found'],
    ]) {
      expect((await callTool(world, 'read_artifact', { id })).outcome.error?.code).toBe(code);
    }
    const behind = await callTool(world, 'read_artifact', { id: outcome.artifact?.id, offset: 10_000_000 });
    expect(behind.outcome.error?.code).toBe('invalid_input');
  });

  test('[E15] 11 MB: the artifact holds the first and the last 5 MB, and the true length is told', async () => {
    const world = createProgramWorld();
    const { outcome } = await shell(world, 'echo begin; head -c 11000000 /dev/zero | tr "\\0" x; echo; echo end');
    expect(outcome).toMatchObject({ ok: true, truncated: true, data: { stdout_bytes: 11_000_011 } });
    const bytes = statSync(outcome.artifact?.path ?? '').size;
    expect(bytes).toBe(outcome.artifact?.bytes);
    expect(bytes).toBeGreaterThan(9_990_000);
    expect(bytes).toBeLessThan(10_600_000);
    const kept = readFileSync(outcome.artifact?.path ?? '', 'utf8');
    expect([kept.includes('begin\nxxx'), kept.includes('xxx\nend\n')]).toEqual([true, true]);
    expect(outcome.text).toMatch(/11,?000,?011/u);
  });

  test('bytes that are no text, terminal codes and NUL come through as JSON', async () => {
    const world = createProgramWorld();
    const { outcome } = await shell(world, String.raw`printf '\377\376 a\000b \033[31mred \342\200\256 \r\n'`);
    expect(outcome.data?.['stdout']).toBe('\ufffd\ufffd a\0b \u001b[31mred \u202e \r\n');
  });
});

describe('questions', () => {
  test('[E16][E17] what destroys work is denied when nobody can be asked, and done with a yes', async () => {
    const world = createProgramWorld();
    world.write('keep.txt', 'x');
    world.write('.git/HEAD', 'ref: refs/heads/main\n');
    const asked = [
      'rm keep.txt',
      'rm -rf .',
      'echo hi && rm -f keep.txt',
      'git commit -am x',
      'git push',
      'git reset --hard',
      'git rebase main',
    ];
    for (const command of asked) {
      const { outcome } = await shell(world, command, {}, ['--approve', 'ask']);
      expect([command, outcome.error?.code]).toEqual([command, 'denied']);
    }
    expect((await shell(world, 'echo fine', { isDangerous: true })).outcome.error?.code).toBe('denied');
    expect(existsSync(path.join(world.workspace, 'keep.txt'))).toBe(true);
    expect((await shell(world, 'rm -f ~/nothing; echo own >~/x && rm ~/x; git status')).outcome.ok).toBe(true);
    expect((await shell(world, 'rm keep.txt', {}, ['--approve', 'all'])).outcome.ok).toBe(true);
    expect(existsSync(path.join(world.workspace, 'keep.txt'))).toBe(false);
  });

  test('[A16][A17][A19] no spelling hides a removal: what cannot be read with certainty is asked about, at once', async () => {
    const world = createProgramWorld();
    const spellings = [
      `${'true && '.repeat(10_000)}rm keep.txt`,
      'echo a\rrm keep.txt',
      'rm\u00a0keep.txt',
      'r\u200bm keep.txt',
      String.raw`$'\x72m' "keep".txt`,
      'X=rm; $X keep.txt',
      'eval "r""m keep.txt"',
      'sh <<E\nrm keep.txt\nE',
      'echo cm0ga2VlcC50eHQ= | base64 -d | bash',
      'ls | xargs rm',
      'find . -name keep.txt -delete',
      'f() { command rm -- "$@"; }; f keep.txt',
      '[[ a[$(rm keep.txt)] -eq 1 ]]',
      'rm -rf $UNSET/*',
      'echo "unterminated; rm keep.txt',
    ];
    for (const command of spellings) {
      world.write('keep.txt', 'kept');
      const { outcome } = await shell(world, command);
      expect([command.slice(-60), outcome.error?.code]).toEqual([command.slice(-60), 'denied']);
      expect(world.read('keep.txt')).toBe('kept');
    }
    // The twin: the same with a yes.
    expect((await shell(world, 'f() { command rm -- "$@"; }; f keep.txt', {}, ['--approve', 'all'])).outcome.ok).toBe(
      true,
    );
    expect(existsSync(path.join(world.workspace, 'keep.txt'))).toBe(false);
  });

  test('[K57][K60] the host rung: off until turned on, then asked about, and no variable changes what runs', async () => {
    const world = createProgramWorld();
    const all = ['--approve', 'all'];
    world.writeSettings({ sandbox: { rung: 'host' } });
    expect((await shell(world, 'touch made', {}, all)).outcome.error?.code).toBe('denied');
    world.writeSettings({ sandbox: { rung: 'host' }, tool_enabled_execute_shell_command: true });
    expect((await shell(world, 'touch made')).outcome.error?.code).toBe('denied');
    expect(readdirSync(world.workspace)).toEqual([]);
    const names = [
      'PATH',
      'LD_PRELOAD',
      'LD_LIBRARY_PATH',
      'DYLD_INSERT_LIBRARIES',
      'DYLD_LIBRARY_PATH',
      'DYLD_FRAMEWORK_PATH',
    ];
    for (const name of names) {
      const { outcome } = await shell(world, 'touch made', { env: { [name]: '/tmp' } }, all);
      expect([outcome.ok, outcome.text]).toEqual([false, expect.stringContaining(name)]);
    }
    expect(readdirSync(world.workspace)).toEqual([]);
    const long = await shell(world, 'touch made; head -c 40000 /dev/zero | tr "\\0" x', {}, all);
    expect(long.outcome.data).toMatchObject({ rung: 'host', exit_code: 0, stdout_bytes: 40_000 });
    expect((long.outcome.data?.['stdout'] as string).length).toBeGreaterThan(29_000);
    expect(readdirSync(world.workspace)).toEqual(['made']);
  });
});

async function readWhole(world: ProgramWorld, id: string): Promise<string> {
  let text = '';
  let offset: unknown = 0;
  while (offset !== undefined) {
    const data: Readonly<Record<string, unknown>> = await dataOf(world, 'read_artifact', { id, offset });
    text += data['content'] as string;
    offset = data['next_offset'];
  }
  return text;
}
