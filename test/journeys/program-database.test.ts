/** Databases that cannot be used: what the program says, and that nothing is lost. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { runScript } from '../kit/private-mounts.ts';
import { createProgramWorld } from '../kit/program.ts';
import { callTool, expectOneLine } from '../kit/tool-call.ts';

const time = ['run', 'get_local_time'];

describe('the database', () => {
  test.each(['no database at all', 'SQLite format 3\0 and nothing behind'])(
    'damaged (%j): set aside as it is, said once, and a new one begun',
    async (text) => {
      const world = createProgramWorld();
      await callTool(world, 'get_local_time', {}, { flags: ['--conversation', 'c'] });
      const file = path.join(world.stateFolder, 'handrail.sqlite');
      const good = readFileSync(file);
      writeFileSync(file, text);
      const { outcome, stderr } = await callTool(world, 'write_file', { path: 'x', content: '' });
      expect([outcome.ok, existsSync(path.join(world.workspace, 'x'))]).toEqual([true, true]);
      expect(stderr).toMatch(/handrail\.sqlite could not be read .*It lies in .* now, as it was/u);
      const [aside = '', ...more] = readdirSync(world.stateFolder).filter((name) =>
        /\.damaged-[^-]+-[^-]+-[^-]+-[^-]+-[^-]+Z$/u.test(name),
      );
      expect([readFileSync(path.join(world.stateFolder, aside), 'utf8'), more]).toEqual([text, []]);
      const doctor = await runScript(world, '"$H" doctor --json');
      expect(doctor.stdout).toContain(aside);
      expect(doctor.stderr).toBe('');
      // The way back.
      for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
      writeFileSync(file, good);
      expect((await world.eventsKept('c')).map((event) => event.type)).toEqual(['tool-start', 'tool-end']);
    },
  );

  test.each([
    ['nonsense', /postgres:\/\//u],
    ['postgres://me:Canary9Pass@127.0.0.1:1/db', /127\.0\.0\.1:1 cannot be reached/u],
    ['postgres://me:Canary9Pass@no-such-host.invalid/db', /no-such-host\.invalid/u],
  ])('HANDRAIL_DATABASE_URL=%s', async (url, line) => {
    const world = createProgramWorld({ HANDRAIL_DATABASE_URL: url });
    const said = expectOneLine(await world.run(time), 1);
    expect(said).toMatch(line);
    expect(said).not.toContain('Canary9Pass');
  });

  test('fifty processes at once on one conversation: all are answered and all stand in one journal', async () => {
    const world = createProgramWorld();
    const one = () => callTool(world, 'get_local_time', {}, { flags: ['--conversation', 'shared'] });
    const calls = await Promise.all(Array.from({ length: 50 }, one));
    expect(calls.map(({ outcome }) => outcome.ok)).toEqual(calls.map(() => true));
    const events = await world.eventsKept('shared');
    expect(events.map((event) => event.seq)).toEqual(Array.from({ length: 100 }, (_, at) => at + 1));
  }, 120_000);
});
