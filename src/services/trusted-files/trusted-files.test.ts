/** What commands leave in places that the machine obeys later, and what the user's own work leaves there. */
import { afterAll, describe, expect, it } from 'vitest';
import { createTrustedWorld, leftOfTrustedWorlds } from '../../../test/kit/trusted-world.ts';

afterAll(() => expect(leftOfTrustedWorlds()).toEqual([]));

const hook = '#!/bin/sh\ntouch /tmp/owned\n';

describe('what a command makes', () => {
  it('[A22] sets aside a new git hook, names it, and leaves the samples', async () => {
    const world = createTrustedWorld();
    await world.user('git init -q .');
    const notes = await world.command(`printf '%s' '${hook}' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit`);
    expect(notes[0]).toMatch(
      /^set aside: \.git\/hooks\/pre-commit \(made by this command\).*handrail trusted show [0-9a-f]{8}/,
    );
    expect(world.has('.git/hooks/pre-commit')).toBe(false);
    expect(world.has('.git/hooks/pre-commit.sample')).toBe(true);
    const [aside] = await world.trusted.list();
    expect(await world.trusted.show(aside?.id ?? '')).toMatchObject({
      path: '.git/hooks/pre-commit',
      newText: hook,
      oldText: '',
      isNew: true,
    });
  });

  it.each([
    '.envrc',
    '.mcp.json',
    '.vscode/tasks.json',
    '.idea/workspace.xml',
    '.claude/settings.json',
    '.bashrc',
    '.npmrc',
    '.husky/pre-commit',
    '.pre-commit-config.yaml',
    'sub/dir/.envrc',
    'a/.config/fish/config.fish',
    '.VSCode/tasks.json',
    '.devcontainer/devcontainer.json',
    '.cargo/config.toml',
    '.cursor/mcp.json',
    'deep/er/.git/hooks/post-checkout',
  ])('[A22] [A25] sets aside %s, which was not there before', async (name) => {
    const world = createTrustedWorld();
    const notes = await world.command(`mkdir -p "$(dirname ${name})"; echo evil > ${name}`);
    expect(notes[0]).toContain(`set aside: ${name}`);
    expect(world.has(name)).toBe(false);
  });

  it('[A22] twin: ordinary files are left alone', async () => {
    const world = createTrustedWorld();
    const names = [
      'package.json',
      'Makefile',
      'src/config',
      'hooks/pre-commit',
      '.gitignore',
      '.editorconfig',
      'README.md',
    ];
    const notes = await world.command(
      names.map((name) => `mkdir -p "$(dirname ${name})"; echo x > ${name}`).join('\n'),
    );
    expect(notes).toEqual([]);
    for (const name of names) expect(world.has(name)).toBe(true);
  });

  it("[A22] puts back the user's file that a command changed, with its mode, and keeps the new one", async () => {
    const world = createTrustedWorld();
    await world.user(
      'git init -q .; echo "echo mine" > .git/hooks/pre-commit; chmod 755 .git/hooks/pre-commit; echo a > .envrc',
    );
    const notes = await world.command('echo evil >> .git/hooks/pre-commit; echo b > .envrc');
    expect(notes.filter((note) => note.startsWith('set aside:'))).toHaveLength(2);
    expect(world.read('.git/hooks/pre-commit')).toBe('echo mine\n');
    expect(world.read('.envrc')).toBe('a\n');
    const [first] = (await world.trusted.list()).filter(({ path }) => path === '.envrc');
    expect(await world.trusted.show(first?.id ?? '')).toMatchObject({ oldText: 'a\n', newText: 'b\n', isNew: false });
  });

  it('leaves what the user had and no command touched, also when it came between two commands', async () => {
    const world = createTrustedWorld();
    await world.user('git init -q .; echo one > .git/hooks/pre-commit');
    expect(await world.command('echo x > a')).toEqual([]);
    await world.user(
      'echo two > .git/hooks/pre-commit; mkdir -p .vscode; echo "{}" > .vscode/settings.json; git config core.pager delta',
    );
    expect(await world.command('echo y > a; mkdir -p .vscode')).toEqual([]);
    expect(world.read('.git/hooks/pre-commit')).toBe('two\n');
    expect(world.has('.vscode/settings.json')).toBe(true);
    expect(world.read('.git/config')).toContain('delta');
  });

  it.each([
    [
      'renames a prepared folder into place',
      'mkdir -p p; echo evil > p/tasks.json',
      'mv p .vscode',
      '.vscode/tasks.json',
    ],
    ['renames a prepared file into place', 'echo evil > p', 'mv p .envrc', '.envrc'],
    ['makes a hard link', 'echo evil > p', 'ln p .envrc', '.envrc'],
    ['makes a link', 'echo evil > p', 'ln -s p .envrc', '.envrc'],
    [
      'exchanges the whole .git',
      'true',
      'cp -r .git g; echo evil > g/hooks/pre-push; mv .git old; mv g .git',
      '.git/hooks/pre-push',
    ],
    [
      'exchanges the folder of hooks for a link',
      'mkdir p; echo evil > p/pre-push',
      'rm -r .git/hooks; ln -s ../p .git/hooks',
      '.git/hooks',
    ],
    ['sets the times back', 'true', 'echo evil > .envrc; touch -d 2001-01-01 .envrc .', '.envrc'],
    ['closes the folder', 'true', 'echo evil > .git/hooks/pre-push; chmod 500 .git/hooks', '.git/hooks/pre-push'],
    ['closes the file', 'true', 'echo evil > .envrc; chmod 000 .envrc', '.envrc'],
    ['makes a FIFO', 'true', 'mkfifo .envrc', '.envrc'],
    ['uses a name that is no UTF-8', 'true', "mkdir $'\\xff'; echo evil > $'\\xff'/.envrc", '.envrc'],
    ['points .git elsewhere', 'true', 'mkdir s; echo "gitdir: /tmp/elsewhere" > s/.git', 's/.git'],
    ['links .git elsewhere', 'true', 'mkdir s; ln -s /tmp/elsewhere s/.git', 's/.git'],
  ])('[A22] [A21] notices when a command %s', async (_how, prepare, act, name) => {
    const world = createTrustedWorld();
    await world.user('git init -q .');
    expect(await world.command(prepare)).toEqual([]);
    await world.user('true');
    const notes = await world.command(act);
    expect(notes.join('\n')).toContain(name);
    expect(await world.command('true')).toEqual([]);
  });

  it('[A21] a changed file that the hook is a hard link of is noticed, and the hook has its old content again', async () => {
    const world = createTrustedWorld();
    await world.user('git init -q .; echo mine > .git/hooks/pre-push; ln .git/hooks/pre-push other');
    expect((await world.command('echo evil > other'))[0]).toContain('.git/hooks/pre-push');
    expect(world.read('.git/hooks/pre-push')).toBe('mine\n');
  });

  it('[A22] a hook that was not executable does not become so', async () => {
    const world = createTrustedWorld();
    await world.user('git init -q .; echo mine > .git/hooks/pre-push; chmod 644 .git/hooks/pre-push');
    expect((await world.command('chmod +x .git/hooks/pre-push'))[0]).toContain('made executable');
    await world.user('! test -x .git/hooks/pre-push');
  });
});

describe('repositories by any name', () => {
  it('[A22] a bare repository put together over several commands is one as soon as git takes it for one', async () => {
    const world = createTrustedWorld();
    await world.command(
      'mkdir -p x/hooks; printf "[core]\\n\\tfsmonitor = evil\\n\\tbare = true\\n" > x/config; echo evil > x/hooks/pre-push',
    );
    await world.user('true');
    expect(await world.command('mkdir x/objects x/refs')).toEqual([]);
    await world.user('true');
    const notes = (await world.command('echo "ref: refs/heads/main" > x/HEAD')).join('\n');
    expect(notes).toContain('x/config (core.fsmonitor)');
    expect(notes).toContain('x/hooks/pre-push');
    expect(world.read('x/config')).toBe('[core]\n\tbare = true\n');
  });

  it('[A22] a commondir and a .git file count only where they lead to a repository of the workspace', async () => {
    const world = createTrustedWorld();
    await world.user('git init -q .; git commit -q --allow-empty -m x');
    expect(await world.command('git worktree add -q wt; git init -q sub; cd wt; git status')).toEqual([]);
    expect(world.has('wt/.git')).toBe(true);
    const notes = await world.command('echo ../../../evil > .git/worktrees/wt/commondir');
    expect(notes[0]).toContain('.git/worktrees/wt/commondir');
    expect(world.read('.git/worktrees/wt/commondir')).toBe('../..\n');
  });

  it('[A22] files that a setting of the user names count as if they stood in .git', async () => {
    const world = createTrustedWorld();
    await world.user(
      'git init -q .; mkdir -p tools/h; echo mine > tools/h/pre-push; echo "[user]" > inc; git config core.hooksPath tools/h; git config include.path ../inc',
    );
    const notes = (
      await world.command(
        'echo evil > tools/h/pre-push; echo evil > tools/h/post-merge; printf "[core]\\nsshCommand = evil\\n" >> inc',
      )
    ).join('\n');
    for (const name of ['tools/h/pre-push', 'tools/h/post-merge', 'inc (core.sshcommand)'])
      expect(notes).toContain(name);
    expect(world.read('tools/h/pre-push')).toBe('mine\n');
    expect(world.read('inc')).toBe('[user]\n[core]\n');
  });
});
