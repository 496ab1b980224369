/** Command-bearing settings of git: taken out when a command set them, and nothing else. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createTrustedWorld, leftOfTrustedWorlds } from '../../../test/kit/trusted-world.ts';
import { parseGitConfig } from './git-config-text.ts';
import { takeOutCommands } from './take-out-commands.ts';

afterAll(() => expect(leftOfTrustedWorlds()).toEqual([]));

const place = { folder: '/w/.git', workspace: '/w' };

describe('ordinary git work', () => {
  it('[A22] goes on: init, clone, commit, branches with tracking, push, config, worktrees, submodules, stash, rebase', async () => {
    const world = createTrustedWorld();
    const notes = await world.command(`
      git init -q --bare ../remote.git
      git init -q one; cd one; git config user.name N; git config --local pull.rebase true; git config core.autocrlf input
      echo a > f; git add f; git commit -qm a; git branch config; git branch todo; git branch hooks/x
      git remote add origin ../../remote.git; git push -qu origin main; git checkout -qb b --track origin/main
      git tag v1; git stash list; git worktree add -q ../wt todo; git gc -q
      echo b > f; git commit -qam b; git rebase -q main; git config credential.helper cache
      cd ..; git clone -q ../remote.git two; cd two; git -c protocol.file.allow=always submodule add -q "$PWD/../../remote.git" sub; git commit -qm sub
      cd ..; git clone -q --mirror ../remote.git mirror.git; git clone -q --bare ../remote.git bare`);
    expect(notes).toEqual([]);
    await world.user(
      'cd one; git status; git -C ../two/sub log; test "$(git config user.name)" = N; git -C ../wt status',
    );
  });

  it('[A22] takes out what `git config` was told to run, and leaves the rest byte for byte', async () => {
    const world = createTrustedWorld();
    await world.user(
      'git init -q .; printf "# mine\\n[user]\\n\\tname = X ; who\\n[core]\\n\\tpager = delta\\n" >> .git/config; cp .git/config ../before',
    );
    const notes = await world.command(
      'git config core.hooksPath /tmp/x; git config core.fsmonitor "touch /tmp/x"; git config alias.st "!evil"; git config core.pager evil',
    );
    expect(notes[0]).toMatch(
      /^set aside: \.git\/config \(core\.hookspath, core\.fsmonitor, alias\.st, core\.pager\)|\.git\/config \(/,
    );
    await world.user('grep -v "^.alias.$" .git/config > ../after; diff ../before ../after');
  });

  it('[A22] an accepted setting stands in the file again and stays', async () => {
    const world = createTrustedWorld();
    await world.user('git init -q .');
    await world.command('git config core.hooksPath tools; git config user.name N');
    const [aside] = await world.trusted.list();
    await world.trusted.accept(aside?.id ?? '');
    await world.user('test "$(git config core.hooksPath)" = tools; test "$(git config user.name)" = N');
    expect(await world.command('git config user.email e@example.org')).toEqual([]);
    await world.user('test "$(git config core.hooksPath)" = tools');
  });
});

describe('the reader of configurations', () => {
  const bearing = [
    'core.hooksPath=h', 'core.fsmonitor=evil', 'core.sshCommand=evil', 'core.editor=evil -w', 'core.pager=evil', 'pager.log=evil',
    'alias.x=!evil', 'alias.y=-c core.pager=evil log', 'filter.f.clean=evil', 'filter.f.smudge=evil', 'filter.f.process=evil',
    'diff.d.textconv=evil', 'diff.d.command=evil', 'diff.external=evil', 'merge.m.driver=evil', 'credential.helper=!evil',
    'credential.https://example.org.helper=evil', 'include.path=x', 'includeIf.gitdir:/.path=x', 'gpg.program=evil', 'gpg.ssh.program=evil',
    'sequence.editor=evil', 'url.ext::sh.insteadOf=https://example.org', 'remote.o.uploadpack=evil', 'remote.o.receivepack=evil',
    'remote.o.vcs=ext', 'remote.o.url=ext::sh -c evil', 'protocol.ext.allow=always', 'protocol.allow=always', 'uploadpack.packObjectsHook=evil',
    'submodule.s.update=!evil', 'core.askPass=evil', 'core.gitProxy=evil', 'core.worktree=/etc', 'mergetool.t.cmd=evil', 'difftool.t.path=evil',
    'interactive.diffFilter=evil', 'trailer.t.command=evil', 'tar.t.command=evil', 'init.templateDir=x', 'hook.h.command=evil', 'alias.z=bisect run evil',
  ]; // prettier-ignore
  const tame = [
    'user.name=N', 'user.email=e@example.org', 'branch.main.remote=origin', 'branch.main.merge=refs/heads/main', 'remote.o.url=https://example.org/x',
    'remote.o.url=git@example.org:x', 'remote.o.fetch=+refs/heads/*:refs/remotes/o/*', 'core.fsmonitor=true', 'core.pager=less -FX', 'core.bare=false',
    'alias.co=checkout', 'alias.lg=log --graph --oneline', 'pull.rebase=true', 'credential.helper=store', 'core.worktree=../sub', 'protocol.ext.allow=never',
    'url.git@example.org:.insteadOf=https://example.org/', 'merge.tool=vimdiff', 'diff.algorithm=histogram', 'submodule.s.update=rebase', 'core.editor=vim',
  ]; // prettier-ignore

  it.each([
    ...bearing.map((each): [string, boolean] => [each, true]),
    ...tame.map((each): [string, boolean] => [each, false]),
  ])('[A22] %s is command-bearing: %s', (setting, isBearing) => {
    const [key = '', value = ''] = setting.split(/=(.*)/s);
    const text = configWith(key, value);
    expect(takeOutCommands(text, undefined, place).kind).toBe(isBearing ? 'edited' : 'tame');
  });

  it('[A22] reads headers, quotes, continued lines and comments as git does', () => {
    const texts = [
      '[a]b=c\n[core]sshCommand=e\\\nvil ; x\n\tpager\n',
      '\uFEFF[A "B\\"c"]\r\n\tK = "v ; w" x  # c\r\n[a.B]k=1',
      '[core]\n\tsshCommand = "a" b "c  "  \n[core] editor = x y\n',
      '[a]\n k = \\"q\\" \\t \\\\ \n\n;c\n#d\n[b-1 "x y"]\nz9-y = \n',
    ];
    for (const text of texts) {
      const ours = parseGitConfig(Buffer.from(text).toString('latin1'))?.map(({ key, value }) => [key, value ?? null]);
      expect(ours).toEqual(readByGit(text));
    }
  });

  it.each([
    '[core',
    '[core]\n= x',
    '[core]\nx = "y',
    '[core "a]\nx',
    '[core]\nx = \\q',
    'x y',
    '[core]\nx y = z',
    '[a b]\nx',
  ])('[A22] what git refuses is not taken for tame: %j', (text) => {
    expect(takeOutCommands(text, undefined, place).kind).toBe('unreadable');
    expect(() => readByGit(text)).toThrow();
  });
});

function configWith(key: string, value: string): string {
  return writeByGit((file) => ['config', '--file', file, key, value]);
}

function withFile<Result>(use: (file: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-config-'));
  try {
    return use(join(folder, 'config'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeByGit(args: (file: string) => string[]): string {
  return withFile((file) => {
    execFileSync('git', args(file), { stdio: 'ignore' });
    return readFileSync(file, 'latin1');
  });
}

function readByGit(text: string): unknown {
  return withFile((file) => {
    writeFileSync(file, text);
    const printed = execFileSync('git', ['config', '--file', file, '--null', '--list'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return printed
      .toString('latin1')
      .split('\0')
      .filter((each) => each !== '')
      .map((each) => (each.includes('\n') ? each.split(/\n(.*)/s).slice(0, 2) : [each, null]));
  });
}
