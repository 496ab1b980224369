import { describe, expect, it } from 'vitest';
import { isTrustedPath } from './trusted-paths.ts';

describe('isTrustedPath', () => {
  it.each([
    '.git',
    '.git/config',
    '.git/hooks',
    '.git/hooks/pre-commit',
    'sub/repo/.git/hooks/post-merge',
    '.git/modules/lib/config',
    '.git/modules/lib/hooks/x',
    '.git/worktrees/a/config.worktree',
    '.git/commondir',
    '.git/rebase-merge/git-rebase-todo',
    '.GIT/Config',
    '.gitconfig',
    '.gitmodules',
    '.config/git/config',
    '.hg/hgrc',
    '.bashrc',
    '.bash_profile',
    '.profile',
    '.zshrc',
    '.zshenv',
    '.envrc',
    'deep/below/.envrc',
    '.mcp.json',
    '.vscode/tasks.json',
    '.idea/workspace.xml',
    '.cursor/mcp.json',
    '.claude/settings.json',
    '.devcontainer/devcontainer.json',
    '.devcontainer.json',
    '.husky/pre-commit',
    'lefthook.yml',
    '.pre-commit-config.yaml',
    '.npmrc',
    '.yarnrc.yml',
    '.cargo/config.toml',
    '.config/autostart/x.desktop',
    '.config/systemd/user/x.service',
    '.ssh/authorized_keys',
    '.vimrc',
  ])('[A22] %s is run or obeyed later', (path) => {
    expect(isTrustedPath(path.split('/'))).toBe(true);
  });

  it.each([
    '',
    'src/main.ts',
    '.gitignore',
    '.gitattributes',
    '.git/HEAD',
    '.git/objects/ab/cd',
    '.git/info/exclude',
    'git/hooks/x',
    'hooks/pre-commit',
    'config',
    'bashrc',
    '.bashrc.md',
    '.github/workflows/ci.yml',
    'vscode/x',
    '.vscode-test',
    '.env',
    '.cargo/registry/x',
    '.config/app.json',
    'package.json',
    'Makefile',
  ])('%s is ordinary', (path) => {
    expect(isTrustedPath(path.split('/').filter(Boolean))).toBe(false);
  });
});
