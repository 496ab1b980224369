/** A damaged database, a new one, and the way back to a copy, exactly as the page about it says. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createProgramWorld, programFile } from '../kit/program.ts';
import { callTool } from '../kit/tool-call.ts';

const page = path.resolve(import.meta.dirname, '../../docs/backups.md');

test('a damaged database is set aside, said once and named by doctor; a copy is put back as the page says', async () => {
  const world = createProgramWorld();
  world.write('a.txt', 'hello');
  const read = async () => callTool(world, 'read_file', { path: 'a.txt' }, { flags: ['--conversation', 'old'] });
  expect((await read()).outcome.ok).toBe(true);
  // A copy, as one is made before a change of the tables.
  const backups = path.join(world.stateFolder, 'backups');
  const copy = path.join(backups, 'handrail.sqlite.version-3.2026-03-04T05-06-07.008Z');
  const database = new DatabaseSync(path.join(world.stateFolder, 'handrail.sqlite'));
  mkdirSync(backups, { recursive: true });
  database.prepare('vacuum into ?').run(copy);
  database.close();

  writeFileSync(path.join(world.stateFolder, 'handrail.sqlite'), 'not a database any more '.repeat(1_000));
  const first = await read();
  expect(first.outcome).toMatchObject({ ok: true, text: expect.stringContaining('hello') });
  expect(first.stderr).toMatch(/could not be read.*handrail\.sqlite\.damaged-.*a new one was begun.*handrail doctor/);
  expect((await read()).stderr).toBe('');
  const doctor = await world.run(['doctor']);
  expect(doctor.stdout).toMatch(/set aside: .*handrail\.sqlite\.damaged-/);
  expect(doctor.stdout).toContain(`in ${backups}: 1, the newest handrail.sqlite.version-3`);

  const [, commands = ''] = /## Back to a copy[^]*?```sh\n([^]*?)```/.exec(readFileSync(page, 'utf8')) ?? [];
  expect(commands.split('\n').length).toBeGreaterThan(4);
  const environment = { ...world.environment, PATH: `${path.dirname(programFile)}:${world.environment['PATH'] ?? ''}` };
  const done = spawnSync('sh', ['-euc', commands], { cwd: world.workspace, env: environment, encoding: 'utf8' });
  expect([done.status, done.stderr]).toEqual([0, expect.not.stringContaining('rror')]);
  expect(done.stdout).toMatch(/database/);
  const list = await world.run(['conversations', '--json']);
  expect(JSON.parse(list.stdout)).toMatchObject({ conversations: [{ id: 'old' }] });
  expect((await read()).outcome.ok).toBe(true);
  expect(readdirSync(path.join(world.stateFolder, 'handrail.before'))).toContain('handrail.sqlite');
});

test('tables of a newer version are refused with what to do, and left as they are', async () => {
  const world = createProgramWorld();
  world.write('a.txt', 'hello');
  await callTool(world, 'read_file', { path: 'a.txt' });
  const database = new DatabaseSync(path.join(world.stateFolder, 'handrail.sqlite'));
  database.exec(`insert into schema_versions (version, name, applied_at) values (1000, 'later', '')`);
  database.close();
  const { outcome } = await callTool(world, 'read_file', { path: 'a.txt' });
  expect(outcome.error?.message).toMatch(/written by a newer Handrail.*update Handrail/);
  expect(readdirSync(world.stateFolder).filter((name) => name.includes('damaged'))).toEqual([]);
});
