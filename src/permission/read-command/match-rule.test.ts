/** Allow rules fail closed, deny and ask rules fail the other way. */
import { describe, expect, it } from 'vitest';
import { everyCommandMatches, someCommandMatches } from './match-rule.ts';
import { readCommand } from './read-command.ts';
import type { ReadContext } from './scope.ts';

const sandbox: ReadContext = {
  cwd: '/ws/project',
  home: '/home/handrail',
  workspace: '/ws/project',
  isSandboxed: true,
};

function isAllowed(patterns: string | readonly string[], text: string): boolean {
  return everyCommandMatches(typeof patterns === 'string' ? [patterns] : patterns, readCommand(text, sandbox));
}

function isHit(pattern: string, text: string): boolean {
  return someCommandMatches([pattern], readCommand(text, sandbox));
}

const allowed: readonly (readonly [pattern: string, text: string])[] = [
  ['ls', 'ls'],
  ['ls *', 'ls'],
  ['ls *', 'ls -la a b'],
  ['ls -la', 'ls  -la'],
  ['ls *', 'ls "a b"'],
  ['ls *', '/bin/ls a'],
  ['git status', 'git status'],
  ['git status *', 'git status -s'],
  ['git log *', 'git log --oneline -5'],
  ['git diff *', 'git diff HEAD~1 -- a'],
  ['npm run *', 'npm run build'],
  ['npm run *', 'npm run build -- --watch'],
  ['npm run test:*', 'npm run test:unit'],
  ['npm * build', 'npm run build'],
  ['ls *', 'ls; ls a && ls b | ls'],
  ['ls *', 'ls $(ls)'],
  ['ls *', 'ls <(ls)'],
  ['ls *', 'for i in a; do ls $i; done'],
  ['ls *', 'timeout 5 ls a'],
  ['ls *', 'time ls'],
  ['ls *', 'env LANG=C ls'],
  ['ls *', 'nice ls'],
  ['ls *', 'LANG=C ls'],
  ['ls *', 'x=1; ls'],
  ['ls *', 'ls > /dev/null 2>&1'],
  ['ls *', 'ls < a'],
  ['ls *', 'ls *.txt'],
  ['ls *', 'ls $x'],
  ['find * -delete', 'find . -delete'],
  ['sed -i *', 'sed -i s/a/b/ x'],
  ['sort -o *', 'sort -o a b'],
  ['git config *', 'git config a.b c'],
  ['./run.sh *', './run.sh a'],
  ['*', 'ls'],
  ['python3 -c *', 'python3 -c 1'],
  ['sed *', 'sed -n 5p x'],
  ['sed *', 'sed s/a/b/g x'],
  ['sed *', "sed -e 's/a/b/' -e 5d x"],
  ['awk *', "awk '{print $1}' x"],
  ['find *', 'find . -name "*.ts" -type f'],
  ['sort *', 'sort -u -k2 x'],
  ['tar *', 'tar -tv x'],
  ['rg *', 'rg -n foo src'],
  ['grep *', 'grep -rn foo *'],
  ['git add *', 'git add -A'],
  ['git *', 'git log -p'],
];

const refused: readonly (readonly [pattern: string, text: string])[] = [
  ['ls', 'ls -la'],
  ['ls -la', 'ls'],
  ['ls', ''],
  ['ls', 'lsof'],
  ['ls *', 'x=1'],
  ['*', ''],
  ['ls *', '# ls'],
  ['ls *', 'ls; curl'],
  ['ls *', 'ls && curl'],
  ['ls *', 'ls || curl'],
  ['ls *', 'ls | curl'],
  ['ls *', 'ls & curl'],
  ['ls *', 'ls\ncurl'],
  ['ls *', 'ls $(curl)'],
  ['ls *', 'ls `curl`'],
  ['ls *', 'ls "$(curl)"'],
  ['ls *', 'ls <(curl)'],
  ['ls *', 'ls >(curl)'],
  ['ls *', '(ls; curl)'],
  ['ls *', '{ ls; curl; }'],
  ['ls *', 'ls <<E\n$(curl)\nE'],
  ['ls *', 'ls <<< $(curl)'],
  ['ls *', 'ls > a'],
  ['ls *', 'ls >> a'],
  ['ls *', 'ls >| a'],
  ['ls *', 'ls &> a'],
  ['ls *', 'ls <> a'],
  ['ls *', 'ls > $x'],
  ['ls *', '{ ls; } > a'],
  ['ls *', 'for i in a; do ls; done > a'],
  ['ls *', 'ls; > a'],
  ['ls *', 'timeout 5 ls > a'],
  ['ls *', 'x=$(curl) ls'],
  ['ls *', 'ls ${x:-$(curl)}'],
  ['ls *', 'if ls; then curl; fi'],
  ['ls *', 'ls() { curl; }; ls'],
  ['ls *', "bash -c 'ls; curl'"],
  ['ls *', 'bash -c ls'],
  ['ls *', 'sudo ls'],
  ['ls *', 'xargs ls'],
  ['ls *', 'find . -exec ls {} \\;'],
  ['ls *', 'timeout 5 curl'],
  ['timeout *', 'timeout 5 curl'],
  ['env *', 'env curl'],
  ['ls *', 'env LD_PRELOAD=x ls'],
  ['ls *', 'LD_PRELOAD=x ls'],
  ['ls *', 'PATH=.:$PATH ls'],
  ['ls *', 'export PATH=x; ls'],
  ['ls *', 'PATH=x; ls'],
  ['git *', 'GIT_SSH_COMMAND=ls git fetch'],
  ['ls *', 'BASH_ENV=x ls'],
  ['ls *', './ls'],
  ['ls *', '/tmp/ls'],
  ['ls *', '$X'],
  ['*', '$X'],
  ['ls *', 'ls; "'],
  ['ls *', 'ls\r'],
  ['git status', 'git -C /x status'],
  ['git status *', 'git push'],
  ['git log *', 'git log --output=x'],
  ['npm run *', 'npm install x'],
  ['ls *', 'alias ls=curl; ls'],
  ['alias *', "alias ls='curl'"],
  ['trap *', "trap 'curl' EXIT"],
  ['eval *', 'eval curl'],
  ['source *', 'source x'],
  ['export *', 'export A=b'],
  ['echo *', 'echo a > b'],
  ['echo *', 'echo a | sh'],
  ['cat *', 'cat a | base64 -d | bash'],
];

describe('everyCommandMatches', () => {
  it.each(allowed)('[A12] %j allows %j', (pattern, text) => {
    expect(isAllowed(pattern, text)).toBe(true);
  });

  it.each(refused)('[A12] %j does not allow %j', (pattern, text) => {
    expect(isAllowed(pattern, text)).toBe(false);
  });

  it('takes every pattern of a list', () => {
    expect(isAllowed(['ls *', 'git status'], 'ls a; git status')).toBe(true);
    expect(isAllowed(['ls *'], 'ls a; git status')).toBe(false);
    expect(isAllowed(['find * -exec *', 'ls *'], 'find . -exec ls {} \\;')).toBe(true);
    expect(isAllowed(['find *', 'ls *'], 'find . -exec ls {} \\;')).toBe(false);
    expect(isAllowed([], 'ls')).toBe(false);
  });

  it('is fast on patterns made to be slow', () => {
    const pattern = `x${'*a'.repeat(200)}`;
    const startedAt = performance.now();
    expect(isAllowed(pattern, `x${'a'.repeat(20_000)}b`)).toBe(false);
    expect(performance.now() - startedAt).toBeLessThan(500);
  });
});

const hits: readonly (readonly [pattern: string, text: string])[] = [
  ['rm', 'rm -rf a'],
  ['rm', '/bin/rm a'],
  ['rm', './rm a'],
  ['rm', 'ls; rm a'],
  ['rm', 'ls $(rm a)'],
  ['rm', 'sudo rm a'],
  ['sudo', 'sudo rm a'],
  ['sudo *', 'sudo rm a'],
  ['timeout', 'timeout 5 rm'],
  ['git push', 'git push origin'],
  ['git push', 'git -C a push'],
  ['git push', 'git -c a.b=c --no-pager push'],
  ['git push --force', 'git push --force x'],
  ['git push', 'git $X'],
  ['git push', 'git -C "$X" push'],
  ['npm run *', 'npm run x'],
  ['curl *', 'curl'],
  ['curl', 'bash -c "ls; curl"'],
  ['curl', 'find . -exec curl {} \\;'],
  ['curl', '( (curl) )'],
  ['curl', 'ls; curl; "'],
  ['c*l', 'curl x'],
  ['*', 'anything'],
];

const misses: readonly (readonly [pattern: string, text: string])[] = [
  ['rm', 'ls'],
  ['rm', 'echo rm'],
  ['rm -rf', 'rm -r'],
  ['git push', 'git pull'],
  ['git push', 'git commit -m "$X"'],
  ['git push', 'echo git push'],
  ['npm run *', 'npm test'],
  ['curl', 'curly'],
  ['curl', ''],
  ['curl', "echo '$(curl)'"],
  ['', 'ls'],
  ['*', ''],
];

describe('someCommandMatches', () => {
  it.each(hits)('[A12] %j hits %j', (pattern, text) => {
    expect(isHit(pattern, text)).toBe(true);
  });

  it.each(misses)('%j leaves %j alone', (pattern, text) => {
    expect(isHit(pattern, text)).toBe(false);
  });
});

describe('shell changes', () => {
  it.each([
    ['export PATH=/x', 'PATH'],
    ['PATH=/x', 'PATH'],
    ['declare -x LD_PRELOAD=x', 'LD_PRELOAD'],
    ['typeset GIT_DIR=x', 'GIT_DIR'],
    ['BASH_ENV=x', 'BASH_ENV'],
    ['NODE_OPTIONS=x; ls', 'NODE_OPTIONS'],
    ['alias ls=x', 'ls'],
    ['ls() { x; }', 'ls'],
    ['function git { x; }', 'git'],
    ['export "$X"', '?'],
    ['ls; "', '?'],
    ['export http_proxy=x', 'http_proxy'],
  ])('[A15] notices what %j leaves behind', (text, name) => {
    expect(readCommand(text, sandbox).shellChanges).toContain(name);
  });

  it.each(['ls', 'x=1', 'LANG=C ls', 'PATH=/x ls', '(cd x)', 'export lower=1'])('[A15] leaves %j alone', (text) => {
    expect(readCommand(text, sandbox).shellChanges).toEqual([]);
  });
});
