/** A small git repository with a bug and a test that shows it, in whatever language /usr has. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { ProgramWorld } from './program.ts';

export type BrokenProject = {
  /** Runs the project's tests, from its folder. */
  readonly testCommand: string;
  readonly sourceFile: string;
  /** What mends it. */
  readonly wrong: string;
  readonly right: string;
  /** What a failing run prints, and what a good one does. */
  readonly failing: RegExp;
  readonly passing: RegExp;
  readonly files: Readonly<Record<string, string>>;
};

/** Rounds down where it should round up: the last, shorter page is lost. */
const pythonProject: BrokenProject = {
  testCommand: 'python3 -m unittest -v',
  sourceFile: 'pages.py',
  wrong: 'return len(items) // size',
  right: 'return -(-len(items) // size)',
  failing: /FAIL: test_last_page_may_be_short[\s\S]*AssertionError: 2 != 3/u,
  passing: /Ran 2 tests[\s\S]*\nOK/u,
  files: {
    'pages.py': 'def page_count(items, size):\n    """How many pages it takes."""\n    return len(items) // size\n',
    'test_pages.py': [
      'import unittest',
      'from pages import page_count',
      '',
      'class PageCount(unittest.TestCase):',
      '    def test_full_pages(self):',
      '        self.assertEqual(page_count("abcd", 2), 2)',
      '',
      '    def test_last_page_may_be_short(self):',
      '        self.assertEqual(page_count("abcde", 2), 3)',
      '',
    ].join('\n'),
    '.gitignore': '__pycache__/\n',
  },
};

/** The same bug, for machines without Python. */
const shellProject: BrokenProject = {
  testCommand: 'sh test.sh',
  sourceFile: 'pages.sh',
  wrong: 'echo $(($1 / $2))',
  right: 'echo $((($1 + $2 - 1) / $2))',
  failing: /FAIL: 5 items[\s\S]*\[exit code 1\]/u,
  passing: /all good/u,
  files: {
    'pages.sh': '# How many pages of $2 it takes for $1 items.\npage_count() {\n  echo $(($1 / $2))\n}\n',
    'test.sh': [
      '. ./pages.sh',
      '[ "$(page_count 4 2)" = 2 ] || { echo "FAIL: 4 items"; exit 1; }',
      '[ "$(page_count 5 2)" = 3 ] || { echo "FAIL: 5 items"; exit 1; }',
      'echo "all good"',
      '',
    ].join('\n'),
  },
};

const python = '/usr/bin/python3';
export const brokenProject = existsSync(python) ? pythonProject : shellProject;

/** Makes the repository in the world's workspace, with one commit. */
export function makeRepository(world: ProgramWorld, project: BrokenProject): void {
  for (const [name, text] of Object.entries(project.files)) world.write(name, text);
  git(world, 'init', '-q', '-b', 'main');
  git(world, 'config', 'user.name', 'Tester');
  git(world, 'config', 'user.email', 'tester@example.org');
  git(world, 'add', '.');
  git(world, 'commit', '-q', '-m', 'Count pages');
}

/** Outside of the program and its sandbox, with no configuration but the repository's own. */
export function git(world: ProgramWorld, ...words: readonly string[]): string {
  const env = { ...outside(world), GIT_CONFIG_NOSYSTEM: '1' };
  return execFileSync('git', words, { cwd: world.workspace, env, encoding: 'utf8' });
}

/** The project's tests as its owner runs them, by the system's programs. */
export function runTests(world: ProgramWorld, { testCommand }: BrokenProject) {
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', testCommand], {
    cwd: world.workspace,
    env: outside(world),
    encoding: 'utf8',
  });
  return { status, output: `${stdout}${stderr}` };
}

const outside = (world: ProgramWorld) => ({ PATH: '/usr/bin:/bin', HOME: world.home, PYTHONDONTWRITEBYTECODE: '1' });
