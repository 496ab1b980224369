/** The look itself: what it costs, what it survives, and what it does while something goes on. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isRoot } from '../../../test/kit/ordinary-user.ts';
import { openShellWorld } from '../../../test/kit/shell-world.ts';
import { createTrustedWorld, leftOfTrustedWorlds } from '../../../test/kit/trusted-world.ts';
import { createTrustedFiles } from './create-trusted-files.ts';
import { guardCommands } from './guard-commands.ts';

afterAll(() => expect(leftOfTrustedWorlds()).toEqual([]));

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe('while something goes on', () => {
  it('[A22] what a process writes after its command has ended is set aside too, and told with a later result', async () => {
    const world = createTrustedWorld({ intervalMs: 20 });
    const run = await world.trusted.begin(world.workspace);
    let isOver = false;
    run.endWhen(() => isOver);
    expect(await run.check()).toEqual([]);
    world.write('.envrc', 'evil');
    await until(() => !world.has('.envrc'));
    isOver = true;
    await until(() => readdirSync(join(world.stateFolder, 'trusted-files/running')).length === 0);
    expect((await world.command('true'))[0]).toContain('.envrc');
    await world.user('echo mine > .envrc');
    expect(await world.command('true')).toEqual([]);
    expect(world.has('.envrc')).toBe(true);
  });

  it('[A31] the same thing made again and again is one thing to decide', async () => {
    const world = createTrustedWorld();
    for (let round = 0; round < 4; round += 1)
      expect((await world.command('echo evil > .envrc'))[0]).toContain('.envrc');
    expect(await world.trusted.list()).toHaveLength(1);
  });

  it('[A22] two commands at once: each thing is told once', async () => {
    const world = createTrustedWorld();
    const [first, second] = [await world.trusted.begin(world.workspace), await world.trusted.begin(world.workspace)];
    world.write('.envrc', 'evil');
    world.write('.git/hooks/pre-push', 'evil');
    const notes = [...(await first.end()), ...(await second.end())];
    expect(notes.filter((note) => note.includes('.envrc'))).toHaveLength(1);
    expect(await world.trusted.list()).toHaveLength(2);
  });

  it('[A22] what a granted call of the file tools writes meanwhile stays', async () => {
    const world = createTrustedWorld();
    const run = await world.trusted.begin(world.workspace);
    world.trusted.approve(world.workspace, join(world.workspace, '.envrc'), Buffer.from('approved'));
    world.write('.envrc', 'approved');
    expect(await run.end()).toEqual([]);
    expect(world.read('.envrc')).toBe('approved');
  });
});

describe('between processes', () => {
  it('[A22] what a killed process left is set aside by the next one', async () => {
    const world = createTrustedWorld();
    await world.user('git init -q .; echo mine > .git/hooks/pre-push');
    const killed = world.another();
    await killed.begin(world.workspace);
    world.write('.git/hooks/pre-push', 'evil');
    world.write('.envrc', 'evil');
    // The process of the mark is gone: nobody has this number with that birth.
    const folder = join(world.stateFolder, 'trusted-files/running');
    for (const name of readdirSync(folder)) {
      writeFileSync(join(folder, name), JSON.stringify({ sinceMs: Date.now() - 5_000, pid: 1, bornAt: 'never' }));
    }
    expect((await world.command('true')).join('\n')).toMatch(/\.envrc[\s\S]*pre-push|pre-push[\s\S]*\.envrc/);
    expect(world.read('.git/hooks/pre-push')).toBe('mine\n');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('[A22] another process knows what the first one knew, and puts it back', async () => {
    const world = createTrustedWorld();
    await world.user('git init -q .; echo mine > .git/hooks/pre-push');
    await world.command('true');
    await world.trusted.close();
    const next = world.another();
    const run = await next.begin(world.workspace);
    world.write('.git/hooks/pre-push', 'evil');
    expect((await run.end())[0]).toContain('pre-push');
    expect(world.read('.git/hooks/pre-push')).toBe('mine\n');
    await next.close();
  });
});

it('what ends after the close is looked at, and writes nothing where nothing is any more', async () => {
  const world = createTrustedWorld();
  const run = await world.trusted.begin(world.workspace);
  world.write('.envrc', 'evil');
  const [notes] = await Promise.all([run.end(), world.trusted.close()]);
  expect(notes[0]).toContain('.envrc');
  const late = await world.trusted.begin(world.workspace);
  await world.trusted.close();
  rmSync(world.stateFolder, { recursive: true });
  await world.user('mkdir -p new/.git/hooks; echo mine > new/.git/hooks/pre-push');
  await late.end();
  expect(world.has(world.stateFolder)).toBe(false);
});

describe("the user's side", () => {
  it('[A22] accepts a new file in its place, with its mode, and drops another', async () => {
    const world = createTrustedWorld();
    await world.user('git init -q .');
    await world.command('echo hook > .git/hooks/pre-push; chmod 755 .git/hooks/pre-push; echo x > .envrc');
    const [hook] = (await world.trusted.list()).filter(({ path }) => path.endsWith('pre-push'));
    const [other] = (await world.trusted.list()).filter(({ path }) => path === '.envrc');
    await world.trusted.accept(hook?.id ?? '');
    await world.trusted.drop(other?.id ?? '');
    await world.user('test -x .git/hooks/pre-push && test ! -e .envrc');
    expect(await world.trusted.list()).toEqual([]);
    expect(await world.command('true')).toEqual([]);
    expect(world.read('.git/hooks/pre-push')).toBe('hook\n');
  });

  it('[A22] does not overwrite what stands there now', async () => {
    const world = createTrustedWorld();
    await world.command('echo evil > .envrc');
    await world.user('echo mine > .envrc');
    const [aside] = await world.trusted.list();
    await expect(world.trusted.accept(aside?.id ?? '')).rejects.toMatchObject({ code: 'conflict' });
    expect(world.read('.envrc')).toBe('mine\n');
    await expect(world.trusted.show('nothing')).rejects.toThrow('Nothing with the id');
  });

  it('[A20] [A22] an accepted file goes nowhere else when a folder on its way was exchanged for a link', async () => {
    const world = createTrustedWorld();
    await world.command('mkdir -p sub; echo x > sub/.envrc');
    await world.user('mkdir ../outside; rmdir sub; ln -s ../outside sub');
    const [aside] = await world.trusted.list();
    await expect(world.trusted.accept(aside?.id ?? '')).rejects.toMatchObject({ code: 'failed' });
    await world.user('test ! -e ../outside/.envrc');
  });
});

describe('what it costs', () => {
  it('looks through 2,000 folders in well under a second, and not into node_modules', async () => {
    const world = createTrustedWorld();
    for (let each = 0; each < 2_000; each += 1)
      mkdirSync(join(world.workspace, `a${each % 40}/b${each}`), { recursive: true });
    mkdirSync(join(world.workspace, 'node_modules/x/.vscode'), { recursive: true });
    await world.command('true');
    const startedAt = performance.now();
    const run = await world.trusted.begin(world.workspace);
    await run.end();
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });

  it('[A22] [A31] a flood of folders hides no hook', async () => {
    const world = createTrustedWorld({ maxFolders: 200 });
    await world.user('git init -q zz');
    await world.command('true');
    const notes = await world.command('mkdir $(seq 1000); echo evil > zz/.git/hooks/pre-push; echo evil > .envrc');
    expect(notes.join('\n')).toContain('more than 200 folders');
    expect(world.has('zz/.git/hooks/pre-push') || world.has('.envrc')).toBe(false);
  });

  it('[A31] says so when a workspace has more folders than it looks at', async () => {
    const world = createTrustedWorld({ maxFolders: 10 });
    expect((await world.command('mkdir -p $(seq 20)'))[0]).toContain('more than 10 folders');
  });

  it('[A31] keeps no more than fits, and takes the rest away all the same', async () => {
    const world = createTrustedWorld();
    const notes = await world.command(
      'head -c 20M /dev/zero > .envrc; for i in $(seq 30); do mkdir -p .vscode; echo x > .vscode/$i; done',
    );
    expect(notes.join('\n')).toContain('too large');
    expect(notes.join('\n')).toContain('more files');
    expect(world.has('.envrc')).toBe(false);
    expect((await world.trusted.list()).length).toBe(30);
  });
});

describe('in the sandbox', () => {
  it('[A22] [A25] a hook made inside is set aside, and the twin without the look keeps it', async () => {
    const world = openShellWorld();
    const trusted = createTrustedFiles({ folder: join(world.stateFolder, 'trusted-files') });
    try {
      const command = 'git init -q a; echo evil > a/.git/hooks/pre-commit';
      const granted = [
        {
          kind: 'command',
          command,
          cwd: world.workspace,
          isDangerous: false,
          isSandboxed: true,
          heads: [],
          findings: [],
        },
      ] as const;
      const scope = {
        callId: 'call',
        conversation: { id: 'conversation', workspace: world.workspace, isThrowaway: false },
        granted,
        signal: new AbortController().signal,
      };
      const guarded = guardCommands(world.owner, { trusted, stillRuns: world.owner.hasBackground });
      const result = await guarded.forCall(scope).run({ command });
      expect(result.notes.join('\n')).toContain('set aside: a/.git/hooks/pre-commit');
      expect(readdirSync(join(world.workspace, 'a/.git/hooks'))).not.toContain('pre-commit');
      await world.owner.forCall(scope).run({ command });
      expect(readdirSync(join(world.workspace, 'a/.git/hooks'))).toContain('pre-commit');
    } finally {
      await world.close();
      await trusted.close();
    }
  });

  it.runIf(isRoot)("[A22] root puts back the file of the workspace's own user as that user's", async () => {
    const world = createTrustedWorld();
    await world.user('echo mine > .envrc; chown -R 61234:61234 .; chmod 640 .envrc');
    await world.command('echo evil > .envrc');
    await world.user('test "$(stat -c "%u %a" .envrc)" = "61234 640"');
    await world.command('echo evil > .mcp.json');
    const [aside] = (await world.trusted.list()).filter(({ path }) => path === '.mcp.json');
    await world.trusted.accept(aside?.id ?? '');
    await world.user('test "$(stat -c %u .mcp.json)" = 61234');
    expect(world.read('.mcp.json')).toBe('evil\n');
  });
});
