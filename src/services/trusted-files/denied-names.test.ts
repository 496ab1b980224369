/** The 27 names that sandbox-runtime denies by hand, as cases: none of them can be put there by a command, nor without asking by a tool. */
import { afterAll, describe, expect, it } from 'vitest';
import { createTrustedWorld, leftOfTrustedWorlds } from '../../../test/kit/trusted-world.ts';
import { isTrustedPath } from '../files/trusted-paths.ts';

afterAll(() => expect(leftOfTrustedWorlds()).toEqual([]));

const names = [
  '.gitconfig', '.gitmodules', '.bashrc', '.bash_profile', '.zshrc', '.zprofile', '.profile', '.ripgreprc', '.mcp.json',
  'sub/.gitconfig', 'sub/.bashrc', 'sub/.mcp.json', 'sub/.gitmodules',
  '.vscode/settings.json', '.vscode/new.json', '.idea/workspace.xml', '.claude/commands/x.md', '.claude/agents/x.md',
  'pkg/.vscode/tasks.json', 'pkg/.claude/commands/a.md',
  '.git/hooks/pre-commit', '.git/hooks/post-merge', 'sub/.git/hooks/pre-push', '.git/config',
  '.BASHRC', '.VsCode/tasks.json', '.Git/hooks/pre-commit',
]; // prettier-ignore

/** Of git's own files only what carries a command: the rest is ordinary work. */
const commands: Readonly<Record<string, string>> = {
  '.gitconfig': '[core]\n\tfsmonitor = touch /tmp/owned\n',
  '.gitmodules': '[submodule "x"]\n\tpath = x\n\turl = ./x\n\tupdate = !touch /tmp/owned\n',
  config: '[core]\n\trepositoryformatversion = 0\n\tfsmonitor = touch /tmp/owned\n',
};

describe.each(names)('[A25] %s', (name) => {
  const git = commands[name.slice(name.lastIndexOf('/') + 1)];

  it('is asked about by the file tools, also where it does not exist', () => {
    expect(isTrustedPath(name.split('/'))).toBe(true);
  });

  it('is set aside after a command, also when it is renamed into place', async () => {
    const world = createTrustedWorld();
    world.write('text', git ?? 'evil\n');
    const folder = name.includes('/') ? name.slice(0, name.lastIndexOf('/')) : '.';
    const begin = name === '.git/config' ? 'git init -q . && ' : '';
    const notes = await world.command(`${begin}mkdir -p '${folder}' && cp text made && mv -f made '${name}'`);
    expect(notes.join('\n')).toContain(name);
    if (git === undefined) expect(world.has(name)).toBe(false);
    else expect(world.has(name) ? world.read(name) : '').not.toContain('owned');
  });
});

it('[A25] twin: other names stay where a command put them', async () => {
  const world = createTrustedWorld();
  expect(await world.command('mkdir -p sub && echo x >bashrc && echo x >sub/gitconfig && echo x >mcp.txt')).toEqual([]);
  expect(['bashrc', 'sub/gitconfig', 'mcp.txt'].map((name) => isTrustedPath(name.split('/')))).toEqual([
    false,
    false,
    false,
  ]);
});
