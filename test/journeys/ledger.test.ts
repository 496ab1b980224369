/** The ledger by the real program: every call has its line, also after kills, and `handrail log` shows it to people and scripts. */
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { LedgerEntry } from '../../src/contract/ledger.ts';
import type { Turn } from '../kit/model-server.ts';
import { createProgramWorld, type ProgramWorld } from '../kit/program.ts';
import { soak } from '../kit/soak.ts';
import { callTool } from '../kit/tool-call.ts';
import { createTurnJourney } from '../kit/turn-journey.ts';

async function calls(world: ProgramWorld, ...flags: readonly string[]): Promise<readonly LedgerEntry[]> {
  const { stdout, stderr } = await world.run(['log', '--json', '--limit', '1000', ...flags]);
  expect(stderr).toBe('');
  return (JSON.parse(stdout) as { readonly calls: readonly LedgerEntry[] }).calls;
}

/** As the events say it, read past everything of ours. */
function inJournal(world: ProgramWorld): readonly string[] {
  const database = new DatabaseSync(path.join(world.stateFolder, 'handrail.sqlite'), { readOnly: true });
  const rows = database
    .prepare(
      `select distinct json_extract(body, '$.callId') as id from events where type in ('tool-start', 'tool-end')`,
    )
    .all();
  database.close();
  return rows.map((row) => String(row['id'])).sort();
}

async function expectComplete(world: ProgramWorld): Promise<void> {
  expect((await calls(world)).map((entry) => entry.callId).sort()).toEqual(inJournal(world));
}

test('every call has a line: allowed, failed, denied, unknown, thrown away', async () => {
  const world = createProgramWorld();
  world.write('a.txt', 'hello');
  await callTool(world, 'read_file', { path: 'a.txt' }, { flags: ['--conversation', 'c1'] });
  await callTool(world, 'bash', { command: 'exit 3' });
  await callTool(world, 'read_file', { path: '/etc/shadow' });
  await callTool(world, 'write_file', { path: 1 });
  await callTool(world, 'no_such_tool');
  await expectComplete(world);
  const newestFirst = (await calls(world)).map(({ tool, end }) => [tool, end?.ok, end?.errorCode]);
  expect(newestFirst).toEqual([
    ['no_such_tool', false, 'not_found'],
    ['write_file', false, 'invalid_input'],
    ['read_file', false, 'denied'],
    ['execute_shell_command', true, undefined],
    ['read_file', true, undefined],
  ]);
  expect((await calls(world, '--denied')).map(({ input, end }) => [input, end?.verdict])).toEqual([
    ['{"path":"/etc/shadow"}', 'deny'],
  ]);
  expect(await calls(world, '--failed')).toHaveLength(3);
  expect(await calls(world, '--tool', 'bash')).toHaveLength(1);
  expect(await calls(world, '--conversation', 'c1')).toHaveLength(1);
  expect(await calls(world, '--since', '1h')).toHaveLength(5);
  expect(await calls(world, '--since', '2999-01-01')).toEqual([]);
  expect(await calls(world, '--origin', 'model')).toEqual([]);
});

test('is read on 80 columns, and one call is shown by the end of its id', async () => {
  const world = createProgramWorld();
  const command = `echo ${'long '.repeat(60)}; printf 'two\\nlines\\n'`;
  await callTool(world, 'bash', { command });
  await callTool(world, 'read_file', { path: 'none.txt' });
  const { stdout } = await world.run(['log']);
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toEqual([
    expect.stringMatching(/^\d\d-\d\d \d\d:\d\d:\d\d  [0-9a-f]{8}  ok +[\d.]+ s  execute_shell_command echo long.*…$/),
    expect.stringMatching(/^\d\d-\d\d \d\d:\d\d:\d\d  [0-9a-f]{8}  not_found +[\d.]+ s  read_file none\.txt$/),
  ]);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  const id = lines[0]?.split('  ')[1] ?? '';
  const shown = await world.run(['log', 'show', id]);
  for (const text of ['a program', 'allow: it runs in the sandbox', command.slice(0, 100), 'two\nlines']) {
    expect(shown.stdout).toContain(text);
  }
  expect(JSON.parse((await world.run(['log', 'show', id, '--json'])).stdout)).toMatchObject({
    tool: 'execute_shell_command',
  });
  expect(await world.run(['log', 'show', 'zzzz'])).toMatchObject({ code: 2, stdout: '' });
  expect(await world.run(['log', '--since', 'soon'])).toMatchObject({ code: 2, stdout: '' });
});

test('lacks no call after kills at any time, nor after the turns that go on behind them', async () => {
  const command = (text: string) => ({ name: 'execute_shell_command', input: { command: text } });
  const turns = (_body: unknown, index: number): Turn =>
    index % 2 === 0
      ? {
          calls: [command('echo one'), command('sleep 0.3; echo two'), { name: 'read_file', input: { path: 'a.txt' } }],
        }
      : { text: 'Done.' };
  const journey = await createTurnJourney('openai-responses', turns);
  journey.write('a.txt', 'hello');
  for (let round = 0; round < soak(4); round += 1) {
    const live = journey.startAsk(['--conversation', 'c', 'go on']);
    await live.waitFor('turn-start');
    await sleep(Math.random() * 700);
    live.kill('SIGKILL');
    await live.ended;
    await expectComplete(journey);
  }
  await journey.ask(['--conversation', 'c', 'and now?']);
  await expectComplete(journey);
  const entries = await calls(journey);
  // Whatever was cut off was closed by the next turn.
  expect(entries.filter((entry) => entry.end === undefined)).toEqual([]);
  expect(new Set(entries.map((entry) => entry.origin))).toEqual(new Set(['model']));
});
