/** What people have allowed, seen and taken back; tools switched on and off: by the commands that a user types. */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Grant } from '../../src/contract/permission.ts';
import { openObedientWorld } from '../kit/obedient-world.ts';
import { createProgramWorld, type ProgramWorld } from '../kit/program.ts';
import { callTool, expectOneLine } from '../kit/tool-call.ts';

type Listed = Grant & { readonly uses: number; readonly isExpired: boolean };

async function grantsOf(world: ProgramWorld, ...flags: string[]): Promise<readonly Listed[]> {
  const end = await world.run(['grants', '--json', ...flags]);
  expect([end.code, end.stderr]).toEqual([0, '']);
  return (JSON.parse(end.stdout) as { grants: Listed[] }).grants;
}

const outside = { path: '../elsewhere/letter.txt' };
const reads = { tool: 'read_file', input: outside, origin: 'library', approve: 'ask' } as const;

describe('grants', () => {
  test('are listed with scope, origin, time and uses, by conversation and all', async () => {
    const { world, withHandrail, yes } = await openObedientWorld();
    await withHandrail(async (handrail) => {
      for (const conversationId of ['one', 'two']) await handrail.runTool({ ...reads, conversationId, asker: yes });
      for (let count = 0; count < 3; count += 1) {
        const outcome = await handrail.runTool({ ...reads, conversationId: 'one' });
        expect(outcome.ok, outcome.text).toBe(true);
      }
    });
    const all = await grantsOf(world);
    expect(all.map(({ conversationId, uses }) => [conversationId, uses])).toEqual([
      ['one', 3],
      ['two', 0],
    ]);
    const [here] = await grantsOf(world, '--conversation', 'one');
    expect(here).toEqual({
      id: expect.any(String),
      ...{ tool: 'read_file', pattern: `read ${world.root}/elsewhere/letter.txt`, scope: 'conversation' },
      ...{ conversationId: 'one', origin: 'test', createdAt: expect.stringMatching(/^2/), uses: 3, isExpired: false },
      usedAt: expect.stringMatching(/^2/),
    });
    const { stdout } = await world.run(['grants']);
    expect(stdout).toContain(`${here?.id}  read_file: read ${world.root}/elsewhere/letter.txt\n`);
    expect(stdout).toMatch(/in conversation one, allowed \d{4}-\d\d-\d\d \d\d:\d\d UTC \(test\), used 3 times, last /);
    expect(stdout).toContain('not used yet');
    // The reason of a call names the allowance that made it a yes.
    const events = await world.eventsKept('one');
    const reasons = events.flatMap((event) => (event.type === 'tool-end' ? [event.decision.reason] : []));
    expect(reasons.at(-1)).toMatch(/^you allowed it on \d{4}-\d\d-\d\d at \d\d:\d\d UTC for this conversation$/);
  });

  test('of a tool count under its other name, and for no other tool', async () => {
    const { world, withHandrail, yes } = await openObedientWorld();
    world.write('a.txt', 'a');
    const removes = (tool: string, asker?: typeof yes) =>
      withHandrail((handrail) => {
        const input = tool === 'filesystem' ? { action: 'delete', path: 'a.txt' } : { command: 'rm -f a.txt' };
        const request = { tool, input, origin: 'library', approve: 'ask', conversationId: 'one' } as const;
        return handrail.runTool({ ...request, ...(asker === undefined ? {} : { asker }) });
      });
    expect((await removes('bash', yes)).ok).toBe(true);
    expect((await grantsOf(world)).map(({ tool, pattern }) => [tool, pattern])).toEqual([
      ['execute_shell_command', 'remove files'],
    ]);
    expect((await removes('execute_shell_command')).ok).toBe(true);
    expect((await removes('bash')).ok).toBe(true);
    world.write('a.txt', 'a');
    expect((await removes('filesystem')).error?.code).toBe('denied');
  });

  test('that are revoked do nothing from the next call on, also in a program that is running', async () => {
    const { world, withHandrail, yes, port } = await openObedientWorld({
      permissions: { askAgainAfterUntrusted: false },
    });
    await withHandrail(async (handrail) => {
      const curl = { tool: 'bash', input: { command: `curl -sS -m 20 --noproxy '' http://127.0.0.1:${port}/` } };
      const fetches = { ...curl, origin: 'library', approve: 'ask', conversationId: 'one' } as const;
      await handrail.runTool({ ...reads, conversationId: 'one', asker: yes });
      expect((await handrail.runTool({ ...fetches, asker: yes })).text).toContain('IGNORE');
      expect((await handrail.runTool({ ...reads, conversationId: 'one' })).ok).toBe(true);
      expect((await handrail.runTool(fetches)).text).toContain('IGNORE');
      const [first] = await grantsOf(world);
      const one = await world.run(['grants', 'revoke', first?.id ?? '']);
      expect([one.code, one.stderr]).toEqual([0, 'Revoked 1 grant.\n']);
      expect((await handrail.runTool({ ...reads, conversationId: 'one' })).error?.code).toBe('denied');
      expect((await handrail.runTool(fetches)).text).toContain('IGNORE');
      const all = await world.run(['grants', 'revoke', '--all']);
      expect([all.code, all.stderr]).toEqual([0, 'Revoked 1 grant.\n']);
      expect((await handrail.runTool(fetches)).text).toMatch(/127\.0\.0\.1:\d+ was not reached: .*nobody is here/);
    });
    expect(await grantsOf(world)).toEqual([]);
  });

  test('end when the settings say so', async () => {
    const { world, withHandrail, yes } = await openObedientWorld({ permissions: { grantHours: 0.0001 } });
    await withHandrail(async (handrail) => {
      await handrail.runTool({ ...reads, conversationId: 'one', asker: yes });
      const [grant] = await grantsOf(world);
      expect(grant?.expiresAt).toMatch(/^2/);
      while (new Date().toISOString() <= (grant?.expiresAt ?? ''))
        await new Promise((resolve) => setTimeout(resolve, 20));
      expect((await handrail.runTool({ ...reads, conversationId: 'one' })).error?.code).toBe('denied');
    });
    expect((await grantsOf(world)).map(({ isExpired }) => isExpired)).toEqual([true]);
    expect((await world.run(['grants'])).stdout).toContain(', expired ');
  });

  test('what cannot be meant is misuse', async () => {
    const world = createProgramWorld();
    expect(expectOneLine(await world.run(['grants', 'revoke']), 2)).toContain('grants revoke --all');
    expect(expectOneLine(await world.run(['grants', 'revoke', 'x', '--all']), 2)).toContain('Name one grant');
    expect(expectOneLine(await world.run(['grants', 'revoke', 'nope']), 2)).toContain('There is no grant nope');
    const empty = await world.run(['grants']);
    expect([empty.code, empty.stdout]).toEqual([0, '']);
  });
});

describe('tools enable and disable', () => {
  const settingsOf = (world: ProgramWorld) => path.join(world.stateFolder, 'settings.json');
  const offered = async (world: ProgramWorld) => (await world.run(['tools', '--offered'])).stdout;

  test('[K79] switch one tool, by name or alias, and it stays so', async () => {
    const world = createProgramWorld();
    expect((await world.run(['tools', 'disable', 'grep'])).stdout).toBe(
      'grep is off: it is switched off (settings key tool_enabled_grep)\n',
    );
    expect(await offered(world)).not.toMatch(/^ +grep /m);
    expect((await world.run(['tools', 'disable', 'bash'])).code).toBe(0);
    expect(JSON.parse(readFileSync(settingsOf(world), 'utf8'))).toEqual({
      tool_enabled_grep: false,
      tool_enabled_execute_shell_command: false,
    });
    expect(await offered(world)).not.toMatch(/execute_shell_command|manage_process/);
    expect((await callTool(world, 'bash', { command: 'true' })).outcome.error?.code).toBe('denied');
    expect((await world.run(['tools', 'enable', 'BASH'])).stdout).toBe('execute_shell_command is on\n');
    expect((await callTool(world, 'bash', { command: 'true' })).outcome.ok).toBe(true);
    expect(statSync(settingsOf(world)).mode & 0o777).toBe(0o600);
  });

  test('nothing else of the file is lost, and a link to it stays one', async () => {
    const world = createProgramWorld();
    mkdirSync(world.stateFolder, { mode: 0o700 });
    const text =
      '\ufeff{\r\n\t"$schema": "https://example.org/x.json",\r\n\t"limits": { "rounds": 7 },\r\n\t"tool_enabled_glob": false\r\n}\r\n';
    const elsewhere = path.join(world.root, 'my-settings.json');
    writeFileSync(elsewhere, text);
    chmodSync(elsewhere, 0o640);
    symlinkSync(elsewhere, settingsOf(world));
    await world.run(['tools', 'enable', 'glob']);
    await world.run(['tools', 'disable', 'grep']);
    expect(JSON.parse(readFileSync(elsewhere, 'utf8'))).toEqual({
      $schema: 'https://example.org/x.json',
      limits: { rounds: 7 },
      tool_enabled_glob: true,
      tool_enabled_grep: false,
    });
    expect(readFileSync(elsewhere, 'utf8')).toMatch(/^\{\n\t"\$schema"/);
    expect(lstatSync(settingsOf(world)).isSymbolicLink()).toBe(true);
    expect(statSync(elsewhere).mode & 0o777).toBe(0o640);
  });

  test('a file that cannot be read is told and left alone', async () => {
    const world = createProgramWorld();
    mkdirSync(world.stateFolder, { mode: 0o700 });
    writeFileSync(settingsOf(world), '{ "limits": ');
    const end = await world.run(['tools', 'disable', 'grep']);
    expect(end.code).not.toBe(0);
    expect(end.stderr).toMatch(/settings\.json, line 1/);
    expect(readFileSync(settingsOf(world), 'utf8')).toBe('{ "limits": ');
    renameSync(settingsOf(world), path.join(world.root, 'aside'));
    expect((await world.run(['tools', 'disable', 'grep'])).code).toBe(0);
  });

  test('what there is not, and what has no switch, is misuse', async () => {
    const world = createProgramWorld();
    expect(expectOneLine(await world.run(['tools', 'enable', 'gerp']), 2)).toContain('Did you mean grep?');
    expect(expectOneLine(await world.run(['tools', 'enable', 'ssh_configure_host']), 2)).toContain(
      'no switch of its own',
    );
  });

  test('[K57] outside any sandbox a tool is on only once the user has confirmed it', async () => {
    const world = createProgramWorld();
    await callTool(world, 'bash', { command: 'true' });
    world.writeSettings({ sandbox: { rung: 'host' } });
    expect((await world.run(['confirm', '--yes'])).code).toBe(0);
    const end = await world.run(['tools', 'enable', 'bash']);
    expect(end.stdout).toMatch(/^execute_shell_command is off/);
    expect(end.stderr).toContain('handrail confirm');
    await world.run(['confirm', '--yes']);
    expect(await offered(world)).toContain('execute_shell_command');
  });
});

describe('rules', () => {
  test.each([
    ['read file(/etc)', /permissions\.deny\[1\]".*is no permission rule: write a tool's name, or tool\(argument\)/],
    [
      'raed_file(/etc)',
      /permissions\.deny\[1\]: "raed_file\(\/etc\)" names no tool there is.*Did you mean read_file\?/,
    ],
  ])('%s is told at the start, with its place', async (rule, said) => {
    const world = createProgramWorld();
    world.writeSettings({ permissions: { deny: ['grep', rule] } });
    const end = await world.run(['run', 'read_file', '{"path":"a"}', '--json']);
    expect(end.code).not.toBe(0);
    expect(`${end.stdout}${end.stderr}`.replaceAll(String.raw`\"`, '"')).toMatch(said);
  });

  test('[N06] [A20] hold for what lies in folders that are read as a whole', async () => {
    const world = createProgramWorld();
    world.write('secrets/.env', 'needle KEY');
    world.write('src/a.txt', 'needle here');
    world.writeSettings({
      permissions: {
        deny: [
          'grep(secrets/**)',
          'search_in_files(.env)',
          'glob(secrets)',
          'filesystem(secrets/)',
          'find_files(.env)',
        ],
      },
    });
    const found = async (tool: string, input: object) => (await callTool(world, tool, input)).outcome.text;
    for (const [tool, input] of [
      ['grep', { pattern: 'needle' }],
      ['search_in_files', { query: 'needle', path: '.' }],
      ['glob', { pattern: '**/*' }],
      ['filesystem', { action: 'list', path: '.', recursive: true }],
      ['find_files', { pattern: '*', path: '.' }],
    ] as const) {
      const text = await found(tool, input);
      expect(text, tool).toMatch(/a\.txt/);
      expect(text, tool).not.toMatch(/KEY|\.env/);
    }
    expect((await callTool(world, 'filesystem', { action: 'read', path: 'secrets/.env' })).outcome.error?.code).toBe(
      'denied',
    );
    // Of another tool they say nothing.
    expect((await callTool(world, 'read_file', { path: 'secrets/.env' })).outcome.ok).toBe(true);
  });

  test('[N06] no folder can be reached, not even by asking, that the settings do not name', async () => {
    const world = createProgramWorld();
    for (const name of ['data', 'other', 'home/notes']) world.write(`../${name}/a.txt`, 'text');
    world.write('a.txt', 'text');
    world.writeSettings({ files: { allowedPaths: [path.join(world.root, 'data'), '~/notes'] } });
    const read = async (file: string, approve: string) =>
      (await callTool(world, 'filesystem', { action: 'read', path: file }, { flags: ['--approve', approve] })).outcome;
    for (const file of ['../data/a.txt', '../home/notes/a.txt', 'a.txt'])
      expect((await read(file, 'all')).ok).toBe(true);
    expect((await read('../data/a.txt', 'none')).text).toContain('is outside the workspace');
    expect((await read('../other/a.txt', 'all')).text).toContain('outside the folders that the settings allow');
    // The twin: without the setting a yes is enough.
    world.writeSettings({});
    await world.run(['confirm', '--yes']);
    expect((await read('../other/a.txt', 'all')).ok).toBe(true);
  });
});
