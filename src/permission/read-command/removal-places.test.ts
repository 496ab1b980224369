/** Which removals stay in the sandbox, judged by where their targets lie. */
import { describe, expect, it } from 'vitest';
import { readCommand } from './read-command.ts';
import type { ReadContext } from './scope.ts';

const sandbox: ReadContext = {
  cwd: '/ws/project',
  home: '/home/handrail',
  workspace: '/ws/project',
  isSandboxed: true,
};
const host: ReadContext = { ...sandbox, isSandboxed: false };

function kindsOf(text: string, context: ReadContext): string[] {
  return readCommand(text, context).findings.map(({ kind, insideSandboxOnly }) =>
    insideSandboxOnly ? `${kind}:in` : kind,
  );
}

/** Whether the removal stays in the sandbox's own places. */
const places: readonly (readonly [text: string, isOwn: boolean])[] = [
  ['rm -rf ~/x', true],
  ['rm -rf "$HOME/x"', true],
  ['rm -rf ${HOME}/x', true],
  ['rm -rf /home/handrail/x', true],
  ['rm -rf /tmp/x', true],
  ['rm -rf /tmp/a /var/tmp/b', true],
  ['rm -rf /tmp/*', true],
  ['rm -rf /tmp/x*', true],
  ['rm -rf ~/.cache/*.tmp', true],
  ['rm /tmp/{a,b}', true],
  ['rm /tmp/x.$$', true],
  ['rm /usr/bin/x', true],
  ['cd /tmp && rm -rf x', true],
  ['cd /tmp && cd a && rm -rf x', true],
  ['cd ~ && rm x', true],
  ['cd && rm x', true],
  ['cd -- /tmp && rm x', true],
  ['cd -P /tmp && rm x', true],
  ['pushd /tmp && rm x', true],
  ['cd /tmp || exit 1; rm x', true],
  ['cd /tmp || exit\nrm x', true],
  ['(cd /tmp && rm x)', true],
  ['{ cd /tmp && rm x; }', true],
  ['if cd /tmp; then rm x; fi', true],
  ['cd /tmp && for i in a; do rm $PWD/x; done', true],
  ['cd /tmp && ls | rm x', true],
  ['cd /tmp && echo $(rm x)', true],
  ['D=/tmp/x; rm -rf "$D"', true],
  ['D=/tmp/x && mkdir $D && rm -rf $D/y', true],
  ['D=$HOME/x; rm -rf "$D"', true],
  ['export D=/tmp/x; rm -rf /tmp/y', true],
  ['export D=/tmp/x; rm -rf "$D"', true],
  ['export D="$HOME/x"; rm -rf "$D"', true],
  ['if a; then export D=/tmp/x; fi; rm -rf "$D"', false],
  ['export D=/tmp/x | rm "$D"', false],
  ['export D=/tmp/x D=/ws/project; rm "$D"', false],
  ["bash -c 'rm /tmp/x'", true],
  ["bash -c 'cd /tmp && rm x'", true],
  ['cd /tmp && bash -c "rm x"', true],
  ['cd /tmp && eval "rm x"', true],
  ['find /tmp/x -delete', true],
  ['find /tmp/x -exec rm {} \\;', true],
  ['find ~/x /tmp/y -name z -exec rm -f {} +', true],
  ["trap 'rm -rf /tmp/x' EXIT", true],
  ['env A=1 rm /tmp/x', true],
  ['timeout 5 rm /tmp/x', true],
  ['sudo rm /tmp/x', true],
  ['git -C /tmp/x clean -fd', true],
  ['cd /tmp/x && git rm a', true],
  ['f() { rm /tmp/x; }; f', true],
  ['truncate -s 0 /tmp/x', true],
  ['dd if=/dev/zero of=/tmp/x', true],
  ['rsync -a --delete /tmp/a/ /tmp/b/', true],

  ['rm x', false],
  ['rm -rf .', false],
  ['rm -rf ./x', false],
  ['rm -rf /ws/project/x', false],
  ['rm -rf /ws/project', false],
  ['rm -rf /ws', false],
  ['rm -rf /', false],
  ['rm -rf /*', false],
  ['rm -rf ~/x y', false],
  ['rm -rf tests/ patches/ plan/ ~/', false],
  ['rm "$X"', false],
  ['rm -rf "$X/y"', false],
  ['rm -rf /tmp/$X', false],
  ['rm -rf /tmp/"$X"', false],
  ['rm -rf /tmp/../ws/project/x', false],
  ['rm -rf /tmp/*/../../ws/project', false],
  ['rm -rf ~other/x', false],
  ['rm -rf ~-/x', false],
  ['rm -rf "~/x"', false],
  ['rm $(echo /tmp/x)', false],
  ['rm /tmp/`x`', false],
  ['rm -rf $PWD/x', false],
  ['rm /proc/self/cwd/x', false],
  ['rm /dev/fd/3/x', false],
  ['rm /mnt/x', false],
  ['rm /home/other/x', false],
  ['rm *', false],
  ['rm /w*/project/x', false],
  ['rm /tmp/x "$@"', false],
  ['cd /tmp; rm x', false],
  ['cd /tmp || true; rm x', false],
  ['cd "$X" && rm x', false],
  ['cd - && rm x', false],
  ['cd /tmp && cd - && rm x', false],
  ['cd /tmp & rm x', false],
  ['(cd /tmp); rm x', false],
  ['cd /tmp | rm x', false],
  ['if cd /tmp; then :; fi; rm x', false],
  ['if true; then cd /tmp; fi; rm x', false],
  ['for i in a; do cd /tmp; done; rm x', false],
  ['cd /tmp && while a; do rm x; cd /ws/project; done', false],
  ['cd /tmp && popd && rm x', false],
  ['pushd +1 && rm x', false],
  ['cd /tmp && cd ../ws/project && rm x', false],
  ['cd /t* && rm x', false],
  ['! cd /tmp && rm x', false],
  ['false && cd /tmp; rm x', false],
  ['source y; cd a && rm x', false],
  ['cd /tmp && source y && rm x', false],
  ['cd /tmp && f && rm x; f() { cd /ws/project; }', false],
  ['f() { cd /ws/project; }; cd /tmp && f && rm x', false],
  ['cd /tmp && eval "cd /ws/project" && rm x', false],
  ['cd /tmp && $X && rm x', false],
  ['cd /tmp && command cd /ws/project && rm x', false],
  ['cd /tmp && builtin cd /ws/project && rm x', false],
  ['D=/tmp/x; D=/ws/project; rm "$D"', false],
  ['rm "$D"; D=/tmp/x', false],
  ['if a; then D=/tmp/x; fi; rm "$D"', false],
  ['a && D=/tmp/x; rm "$D"', false],
  ['D=/tmp/x & rm "$D"', false],
  ['D=/tmp/x | rm "$D"', false],
  ['(D=/tmp/x); rm "$D"', false],
  ['D=/tmp/x rm "$D"', false],
  ['D=/tmp/x; read D; rm "$D"', false],
  ['D=/tmp/x; eval "$y"; rm "$D"', false],
  ['D=/tmp/x; unset D; rm "$D/y"', false],
  ['D=/tmp/x; D+=/../../ws; rm "$D"', false],
  ['D=/tmp/x; printf -v D y; rm "$D"', false],
  ['for D in /tmp/x; do :; done; rm "$D"', false],
  ['D=/tmp/x; ((D=1)); rm "$D"', false],
  ['D=/tmp/x; : ${D:=y} ${E:=z}; rm "$E"', false],
  ['HOME=/ws/project; rm ~/x', false],
  ['export HOME=/ws/project; rm ~/x', false],
  ["HOME=/ws/project bash -c 'rm ~/x'", false],
  ["env HOME=/ws/project bash -c 'rm ~/x'", false],
  ["env -i bash -c 'rm ~/x'", false],
  ['IFS=/; D=/tmp/x; rm $D', false],
  ['D="/tmp/x /ws/project"; rm $D', false],
  ['PWD=/tmp; cd /ws/project; rm $PWD/x', false],
  ['UID=/tmp; rm $UID/x', false],
  ['D=/tmp/x; command eval D=/ws/project; rm $D', false],
  ['D=/tmp/x; builtin read D; rm $D', false],
  ['CDPATH=/ws; cd project && rm x', false],
  ['D=/tmp/x; declare "D=/ws/project"; rm "$D"', false],
  ['f() { rm x; }; cd /tmp && f', false],
  ['find . -delete', false],
  ['find -delete', false],
  ['find /tmp . -delete', false],
  ['find "$X" -delete', false],
  ['find -L /tmp/x -exec rm {} \\;', false],
  ['find /tmp -execdir rm x \\;', false],
  ['find /tmp -exec sh -c "rm {}" \\;', false],
  ['find /tmp | xargs rm', false],
  ['xargs rm /tmp/x', false],
  ['xargs flock /tmp/l rm /tmp/x', false],
  ['xargs timeout 5 rm /tmp/x', false],
  ["GIT_PAGER='rm /tmp/x' git log", false],
  ['rm /tmp/a/../b', false],
  ['parallel rm ::: /tmp/x', false],
  ['ssh host rm /tmp/x', false],
  ['chroot /x rm /tmp/y', false],
  ['env -C /tmp rm x', false],
  ['sudo -i rm x', false],
  ['ln -s /ws/project /tmp/l; rm -rf /tmp/l/x', false],
  ['git -C . clean -fd', false],
  ['cd /tmp/x && git -C /ws/project rm a', false],
  ['cd /tmp && GIT_WORK_TREE=/ws/project git clean -fd', false],
  ['mv x /tmp', false],
  ['rsync -a --delete /tmp/a/ b/', false],
  ['nsenter -t 1 rm /tmp/x', false],
  ["tmux new -d 'rm x'", false],
];

describe('where a removal takes place', () => {
  it.each(places)('[A19] judges %j', (text, isOwn) => {
    const found = readCommand(text, sandbox).findings.filter(({ kind }) => kind === 'removes');
    expect(found.length > 0 && found.every(({ insideSandboxOnly }) => insideSandboxOnly)).toBe(isOwn);
    if (!isOwn)
      expect(readCommand(text, sandbox).findings.some(({ insideSandboxOnly }) => !insideSandboxOnly)).toBe(true);
  });

  it.each(places)('[E17] is never the sandbox’s own on the host: %j', (text) => {
    expect(readCommand(text, host).findings.every(({ insideSandboxOnly }) => !insideSandboxOnly)).toBe(true);
  });

  it('asks when a builtin that sets variables hides behind one', () => {
    expect(kindsOf('X=eval; D=/tmp/x; $X D=/ws/project; rm $D', sandbox)).toContain('unreadable');
    expect(kindsOf('{eval,D=/ws/project}', sandbox)).toContain('unreadable');
    expect(kindsOf('X=ls; $X a', sandbox)).toEqual([]);
  });

  it('takes a workspace below /tmp or the home for what it is', () => {
    const inTmp: ReadContext = { ...sandbox, cwd: '/tmp/ws', workspace: '/tmp/ws' };
    const inHome: ReadContext = { ...sandbox, cwd: '/home/handrail/ws', workspace: '/home/handrail/ws' };
    expect(kindsOf('rm x', inTmp)).toEqual(['removes']);
    expect(kindsOf('rm -rf /tmp/*', inTmp)).toEqual(['removes']);
    expect(kindsOf('rm -rf /tmp', inTmp)).toEqual(['removes']);
    expect(kindsOf('rm -rf /tmp/ws2', inTmp)).toEqual(['removes:in']);
    expect(kindsOf('rm -rf ~', inHome)).toEqual(['removes']);
    expect(kindsOf('rm -rf ~/other', inHome)).toEqual(['removes:in']);
  });

  it('asks the caller for the real path where it can look', () => {
    const looking: ReadContext = {
      ...sandbox,
      realPath: (path) => (path.startsWith('/tmp/link') ? `/ws/project${path.slice(9)}` : path),
    };
    expect(kindsOf('rm /tmp/link/x', looking)).toEqual(['removes']);
    expect(kindsOf('rm /tmp/other/x', looking)).toEqual(['removes:in']);
    expect(kindsOf('rm /tmp/link/x', sandbox)).toEqual(['removes:in']);
  });

  it('uses the variables of the shell where they are known', () => {
    const known: ReadContext = { ...sandbox, env: { D: '/tmp/x', W: '/ws/project' } };
    expect(kindsOf('rm "$D/y"', known)).toEqual(['removes:in']);
    expect(kindsOf('rm "$W/y"', known)).toEqual(['removes']);
    expect(kindsOf('cd y && rm x', { ...sandbox, cwd: '/tmp', env: { CDPATH: '/ws' } })).toEqual(['removes']);
  });

  it('keeps what a push sends out of the sandbox’s own affairs', () => {
    expect(kindsOf('cd /tmp/x && git commit -m y', sandbox)).toEqual(['git:in']);
    expect(kindsOf('cd /tmp/x && git push', sandbox)).toEqual(['git']);
    expect(kindsOf('git -C ~/x reset --hard', sandbox)).toEqual(['git:in']);
    expect(kindsOf('git -C ~/x --work-tree /ws/project reset --hard', sandbox)).toEqual(['git']);
  });
});
