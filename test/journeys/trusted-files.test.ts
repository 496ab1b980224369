/** What commands leave in places that the machine obeys, seen through the real program by whoever runs it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeOrdinaryFolder, runAsOrdinaryUser, runAsOurselves } from '../kit/ordinary-user.ts';
import { createProgramWorld } from '../kit/program.ts';
import { callTool, dataOf } from '../kit/tool-call.ts';

describe('through the real program', () => {
  it('[A22] [A25] a hook is set aside, listed, shown as a diff, accepted; git goes on', async () => {
    const world = createProgramWorld();
    const command =
      'git init -q . && echo evil > .git/hooks/pre-commit && git config user.name N && git config core.fsmonitor evil';
    const data = await dataOf(world, 'bash', { command });
    expect(String(data['notes'])).toContain('set aside: .git/hooks/pre-commit');
    expect(existsSync(join(world.workspace, '.git/hooks/pre-commit'))).toBe(false);
    expect(world.read('.git/config')).toContain('name = N');
    expect(world.read('.git/config')).not.toContain('fsmonitor');
    const listed = await world.run(['trusted', 'list', '--json']);
    const [hook] = (JSON.parse(listed.stdout) as { id: string; path: string }[]).filter(({ path }) =>
      path.includes('hooks'),
    );
    const shown = await world.run(['trusted', 'show', hook?.id ?? '']);
    expect(shown.stdout).toContain('+evil');
    expect((await world.run(['trusted', 'accept', hook?.id ?? ''])).code).toBe(0);
    expect(world.read('.git/hooks/pre-commit')).toBe('evil\n');
    expect((await dataOf(world, 'bash', { command: 'true' }))['notes']).toBeUndefined();
    expect(world.read('.git/hooks/pre-commit')).toBe('evil\n');
    expect((await world.run(['trusted', 'accept', 'nothing'])).code).toBe(2);
  });

  it('[A22] a background job is watched by its supervisor, and the note stands with the job', async () => {
    const world = createProgramWorld();
    const flags = ['--conversation', 'c'];
    await callTool(world, 'bash', { command: 'sleep 0.3; echo evil > .envrc', background: true }, { flags });
    let jobs = '';
    while (!jobs.includes('finished with'))
      jobs = (await callTool(world, 'manage_process', { action: 'list' }, { flags })).outcome.text;
    expect(jobs).toContain('set aside: .envrc');
    expect(existsSync(join(world.workspace, '.envrc'))).toBe(false);
    await world.run(['jobs', 'stop-all']);
    await world.untilQuiet();
  });

  it('[A22] [A30] nothing inside the sandbox reaches what was set aside', async () => {
    const world = createProgramWorld();
    await dataOf(world, 'bash', { command: 'echo evil > .envrc' });
    const folder = join(world.stateFolder, 'trusted-files');
    expect(existsSync(folder)).toBe(true);
    const data = await dataOf(world, 'bash', { command: `ls ${folder} ~/trusted-files; ls -a .` });
    expect(data['stdout']).not.toContain('envrc');
    expect(readFileSync(join(world.stateFolder, 'settings.json'), { encoding: 'utf8', flag: 'a+' })).toBe('');
  });
});

describe('whoever runs it', () => {
  const expected = {
    ...{
      envrc: 'mine\n',
      mode: '600',
      hook: false,
      hooksMode: '500',
      config: false,
      kept: 'evil\n',
      accepted: true,
      notes: 4,
    },
  };

  it.each([
    ['as whoever runs the tests', runAsOurselves],
    ['as an ordinary user', runAsOrdinaryUser],
  ] as const)('[A22] closed files and folders do not keep it from looking, %s', async (_who, runAs) => {
    const folder = makeOrdinaryFolder();
    onTestFinished(() => folder.remove());
    const given = { folder: folder.path };
    const result =
      runAs === runAsOrdinaryUser
        ? await runAsOrdinaryUser('test/fixtures/trusted-session.ts', given, folder.path)
        : await runAsOurselves('test/fixtures/trusted-session.ts', given, { HOME: folder.path });
    expect(result).toEqual(expected);
  });
});
