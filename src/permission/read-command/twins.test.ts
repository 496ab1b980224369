/** Each dangerous command in each place of the grammar and each spelling: it is found or the text is unreadable. */
import { describe, expect, it } from 'vitest';
import { readCommand } from './read-command.ts';
import type { ReadContext } from './scope.ts';

const sandbox: ReadContext = {
  cwd: '/ws/project',
  home: '/home/handrail',
  workspace: '/ws/project',
  isSandboxed: true,
};

const dangers: readonly (readonly [kind: string, text: string])[] = [
  ['removes', 'rm -rf a'],
  ['removes', 'find . -delete'],
  ['git', 'git push origin'],
  ['git', 'git -C a commit -m b'],
  ['kills', 'kill 1'],
  ['kills', 'pkill a'],
  ['system', 'mount a b'],
  ['system', 'systemctl restart a'],
];

/** `@` is the command. */
const places: readonly string[] = [
  'true; @',
  'true && @',
  'false || @',
  'true | @',
  'true |& @',
  'true & @',
  'true\n@',
  'true\n\n# x\n@',
  '@ &',
  '@ | true',
  '@; true',
  '@ > x',
  '> x @',
  '< x @',
  '2>&1 @',
  'A=1 @',
  'A=1 B=$(c) @',
  'A=(1) ; @',
  '! @',
  'time @',
  'time -p @',
  '(@)',
  '( @ )',
  '((1)) && (@)',
  '{ @; }',
  '{ @\n}',
  '{ { (@); }; }',
  'if @; then a; fi',
  'if a; then @; fi',
  'if a; then b; else @; fi',
  'if a; then b; elif @; then c; fi',
  'while @; do a; done',
  'while a; do @; done',
  'until @; do a; done',
  'for i in a; do @; done',
  'for i in $(@); do a; done',
  'for ((i=0;i<1;i++)); do @; done',
  'for i in a; { @; }',
  'select i in a; do @; done',
  'case a in a) @;; esac',
  'case $(@) in a) b;; esac',
  'case a in $(@)) b;; esac',
  'case a in a) b;& *) @ ;; esac',
  'f() { @; }; f',
  'function f { @; }',
  'f() ( @ )',
  'coproc @',
  'coproc N { @; }',
  'echo $(@)',
  'echo "$(@)"',
  'echo `@`',
  'echo "`@`"',
  'echo $(echo $(@))',
  'echo "$(echo "$(@)")"',
  'echo ${x:-$(@)}',
  'echo "${x:-$(@)}"',
  'echo ${x:-`@`}',
  'echo ${x/$(@)/a}',
  'echo ${a[$(@)]}',
  'echo $((1 + $(@)))',
  '((x = $(@)))',
  '[[ -n $(@) ]]',
  '[[ a == `@` ]]',
  'x=$(@)',
  'x=`@` a',
  'x[$(@)]=1',
  'x=(a $(@))',
  'x+=($(@))',
  'declare x=$(@)',
  'declare -a x=($(@))',
  'local x="$(@)"',
  'echo a > $(@)',
  'echo a > "$(@)"',
  'echo <(@)',
  'echo >(@)',
  'echo a > >(@)',
  'cat <<< $(@)',
  'cat <<< "$(@)"',
  'cat <<E\n$(@)\nE',
  'cat <<E\n`@`\nE',
  'cat <<-E\n\t$(@)\n\tE',
  'cat <<E\n${x:-$(@)}\nE',
  'cat <<E\nx\nE\n@',
  "cat <<'E'\nx\nE\n@",
  'cat <<E; @\nx\nE',
  'cat <<E && @\nx\nE',
  'cat <<A <<B\na\nA\n$(@)\nB',
  '\\\n@',
  'true;\\\n@',
  'true # x\n@',
  "echo 'a\nb'; @",
  'echo \\"; @',
  "echo \\'; @",
  "echo '\\'; @",
  'echo a\\; @; @',
  'echo "a\\""; @',
  "echo $'\\''; @",
  'echo ${#x}; @',
  'echo $#; @',
  'echo a#; @',
  'echo ${x#a}; @',
  'echo "#"; @',
  'echo {a,b}; @',
  'echo $[; @',
  'echo a)b; @',
  'exec 3>&1; @',
];

function findings(text: string): string[] {
  return readCommand(text, sandbox).findings.map(({ kind }) => kind);
}

describe('places', () => {
  it.each(places.map((place) => [place] as const))('[A12] finds the command in %j', (place) => {
    for (const [kind, text] of dangers) {
      const whole = place.replaceAll('@', () => text);
      const found = findings(whole);
      expect(found.includes(kind) || found.includes('unreadable'), `${whole} → ${found.join(' ')}`).toBe(true);
    }
  });

  const heads: readonly string[] = [
    'rm',
    '\\rm',
    'r\\m',
    "'rm'",
    '"rm"',
    "r'm'",
    'r""m',
    "r''m",
    "$'rm'",
    "$'\\x72m'",
    "$'\\162m'",
    "$'\\u0072m'",
    '$"rm"',
    '/bin/rm',
    '/usr/bin/rm',
    '/bin//../bin/rm',
    '"/bin"/rm',
    '{rm,-f}',
    'r\\\nm',
    '$(echo rm)',
    '`echo rm`',
    '$RM',
    '${RM}',
    '${RM:-rm}',
    '/bin/r?',
    '/bin/r*',
    '/???/rm',
    '$0',
    '$_',
    '"$(which rm)"',
    '$(printf "\\x72m")',
    '${x}rm',
    'r$@m',
    'r${x}m',
    'r$*m',
    "$'r'$'m'",
  ];

  it.each(heads.map((head) => [head] as const))('[A12] finds rm spelt %j', (head) => {
    for (const text of [
      `${head} a`,
      `ls; ${head} -rf a`,
      `sudo ${head} a`,
      `env ${head} a`,
      `(${head} a)`,
      `echo $(${head} a)`,
    ]) {
      const found = findings(text);
      expect(found.includes('removes') || found.includes('unreadable'), `${text} → ${found.join(' ')}`).toBe(true);
    }
  });

  it('[A14] leaves the twin with a harmless command alone', () => {
    const harmless = [
      'true; @',
      'true && @',
      '(@)',
      '{ @; }',
      'if a; then @; fi',
      'echo $(@)',
      'echo "$(@)"',
      'timeout 5 @',
      'env A=1 @',
      'nice -n 5 @',
      'nohup @ &',
      'xargs -n 1 @',
      'find . -exec @ \\;',
      "bash -c 'ls a'",
      'cat <<E\n$(@)\nE',
      'time @',
      'stdbuf -oL @',
      'npx @',
      'uv run @',
      'git bisect run @',
      'flock x @',
      'command @',
      'exec @',
    ];
    for (const wrapping of harmless) expect(findings(wrapping.replaceAll('@', 'ls a')), wrapping).toEqual([]);
  });
});
