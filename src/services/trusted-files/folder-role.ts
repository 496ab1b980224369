/**
 * What a folder of the workspace is to the machine, and which of its files are trusted there. The names are those that the
 * file tools ask about (trusted-paths); of git's own data only what carries commands or leads elsewhere, so that a branch
 * named `config` stays a branch.
 */
import { isTrustedPath, mayBeTrustedName } from '../files/trusted-paths.ts';

/**
 * `plain`: files count by their own names. `git`: a folder that git takes for a repository. `git-inner`: below one.
 * `hooks`, `all`: every file in it and below it counts.
 */
export type Role = 'plain' | 'git' | 'git-inner' | 'hooks' | 'all';

/** How a changed file is judged. `config`: by its entries. `pointer`: by where it leads. `todo`: by its lines. */
export type FileType = 'whole' | 'hook' | 'config' | 'pointer' | 'todo';

/** Too much to look through, and nothing in it is obeyed: history, and what a package manager put there. */
const skippedInGit = new Set(['objects', 'refs', 'logs', 'lfs', 'rr-cache', 'info', 'annex']);

const gitFileTypes: Readonly<Record<string, FileType>> = {
  config: 'config',
  'config.worktree': 'config',
  commondir: 'pointer',
  'git-rebase-todo': 'todo',
  'git-rebase-todo.backup': 'todo',
  todo: 'todo',
};

/** Undefined: not looked into. `parts` are the components of the child itself. */
export function roleOfFolder(parent: Role, parts: readonly string[]): Role | undefined {
  const name = (parts.at(-1) ?? '').toLowerCase();
  switch (parent) {
    case 'hooks':
    case 'all':
      return parent;
    case 'git':
    case 'git-inner':
      if (name === 'hooks') return 'hooks';
      return parent === 'git' && skippedInGit.has(name) ? undefined : 'git-inner';
    case 'plain':
      if (name === '.git') return 'git';
      if (name === 'node_modules') return undefined;
      if (!mayBeTrustedName(name)) return 'plain';
      if (name === '.husky' || name === '.githooks') return 'hooks';
      return isTrustedPath(parts) ? 'all' : 'plain';
  }
}

/** Undefined: an ordinary file. `named`: files that a setting of the user's names, by path. */
export function typeOfFile(role: Role, parts: readonly string[]): FileType | undefined {
  const name = (parts.at(-1) ?? '').toLowerCase();
  switch (role) {
    case 'hooks':
      // What `git init` and `git clone` put there; git runs only the exact names (githooks(5)).
      return name.endsWith('.sample') ? undefined : 'hook';
    case 'all':
      return /^(?:config|config\.worktree)$/.test(name) && parts.at(-2)?.toLowerCase() === 'git' ? 'config' : 'whole';
    case 'git':
    case 'git-inner':
      return name === 'hooks' ? 'hook' : gitFileTypes[name];
    case 'plain':
      if (!mayBeTrustedName(name)) return undefined;
      if (name === '.git') return 'pointer';
      if (name === '.gitconfig' || name === '.gitmodules') return 'config';
      return isTrustedPath(parts) ? 'whole' : undefined;
  }
}

/**
 * What git asks of a folder before it takes it for a repository (setup.c, is_git_directory): anywhere in the workspace, by
 * whatever name, a bare one too (safe.bareRepository).
 */
export function looksLikeGit(names: ReadonlySet<string>): boolean {
  return names.has('HEAD') && (names.has('commondir') || (names.has('objects') && names.has('refs')));
}
