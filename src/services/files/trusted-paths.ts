/** Knows the files of a workspace or home that the machine later runs or obeys without being asked. */

/** The folder itself and everything below it. */
const trustedFolders = new Set([
  '.vscode',
  '.idea',
  '.zed',
  '.fleet',
  '.cursor',
  '.windsurf',
  '.claude',
  '.codex',
  '.gemini',
  '.opencode',
  '.crush',
  '.continue',
  '.kiro',
  '.roo',
  '.devcontainer',
  '.husky',
  '.lefthook',
  '.githooks',
  '.direnv',
  '.ssh',
  '.vim',
  '.emacs.d',
]);

const trustedFiles = new Set([
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.bash_logout',
  '.bash_aliases',
  '.profile',
  '.inputrc',
  '.zshrc',
  '.zprofile',
  '.zshenv',
  '.zlogin',
  '.zlogout',
  '.kshrc',
  '.mkshrc',
  '.cshrc',
  '.tcshrc',
  '.login',
  '.logout',
  '.xinitrc',
  '.xprofile',
  '.xsession',
  '.xsessionrc',
  '.pam_environment',
  '.envrc',
  '.autoenv',
  '.autoenv.zsh',
  '.mise.toml',
  'mise.toml',
  '.gitconfig',
  '.gitmodules',
  '.hgrc',
  '.mcp.json',
  'mcp.json',
  '.devcontainer.json',
  '.aider.conf.yml',
  'lefthook.yml',
  'lefthook.yaml',
  '.lefthook.yml',
  '.lefthook.yaml',
  'lefthook-local.yml',
  'lefthook-local.yaml',
  '.pre-commit-config.yaml',
  '.pre-commit-config.yml',
  '.overcommit.yml',
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.pnpmfile.cjs',
  '.pnpmfile.mjs',
  '.bazelrc',
  '.ripgreprc',
  '.vimrc',
  '.gvimrc',
  '.exrc',
  '.nvimrc',
  '.nvim.lua',
  '.emacs',
  '.dir-locals.el',
  '.gdbinit',
  '.lldbinit',
  '.tmux.conf',
  '.screenrc',
  '.irbrc',
  '.pryrc',
  '.pythonrc',
  '.wgetrc',
  '.curlrc',
  '.psqlrc',
  '.sqliterc',
  '.my.cnf',
]);

/** Consecutive components anywhere in the path; what is below them is trusted too. */
const trustedRuns: readonly (readonly string[])[] = [
  ['.cargo', 'config'],
  ['.cargo', 'config.toml'],
  ['.bundle', 'config'],
  ['.hg', 'hgrc'],
  ['.svn', 'hooks'],
  ['.config', 'fish'],
  ['.config', 'autostart'],
  ['.config', 'systemd'],
  ['.config', 'environment.d'],
  ['.config', 'git'],
  ['.config', 'nvim'],
  ['.config', 'mise'],
  ['.config', 'direnv'],
  ['.local', 'share', 'applications'],
  ['.local', 'share', 'systemd'],
];

/** Names in any folder of git's own data that carry commands or say where to look for them (gitrepository-layout(5)). */
const gitNames = new Set([
  'config',
  'config.worktree',
  'commondir',
  'gitdir',
  'hooks',
  'git-rebase-todo',
  'git-rebase-todo.backup',
  'todo',
]);

/**
 * `parts` are the components below the workspace or home. Case is ignored: on a file system that folds it, `.GIT` is `.git`.
 * Also true for what does not exist yet, and for the folder that would hold such files when it would be replaced whole.
 */
export function isTrustedPath(parts: readonly string[]): boolean {
  const names = parts.map((part) => part.toLowerCase());
  if (names.some((name) => trustedFolders.has(name) || trustedFiles.has(name))) return true;
  if (trustedRuns.some((run) => containsRun(names, run))) return true;
  const git = names.indexOf('.git');
  // `.git` itself: a file of that name redirects git to any folder.
  return git >= 0 && (git === names.length - 1 || names.slice(git + 1).some((name) => gitNames.has(name)));
}

const lastNames = new Set([
  '.git',
  ...trustedFolders,
  ...trustedFiles,
  ...trustedRuns.flatMap((run) => run.at(-1) ?? []),
]);

/** Whether something of this name can be trusted where what lies above it is not: cheap, for going through whole trees. */
export function mayBeTrustedName(name: string): boolean {
  return lastNames.has(name) || lastNames.has(name.toLowerCase());
}

function containsRun(names: readonly string[], run: readonly string[]): boolean {
  return names.some((_, start) => run.every((name, index) => names[start + index] === name));
}
