/** What cannot be read with certainty asks, and is never taken for something harmless. */
import { describe, expect, it } from 'vitest';
import { readCommand } from './read-command.ts';
import type { ReadContext } from './scope.ts';

const sandbox: ReadContext = {
  cwd: '/ws/project',
  home: '/home/handrail',
  workspace: '/ws/project',
  isSandboxed: true,
};

const syntax: readonly string[] = [
  'echo "',
  "echo '",
  'echo `',
  'echo $(',
  'echo $((',
  'echo ${',
  "echo $'",
  'echo "$(',
  'echo "${x',
  '(',
  '((',
  '{',
  '[[ a',
  'if a',
  'if a; then b',
  'while a',
  'for',
  'for i in a',
  'case x in',
  'case x in a) b',
  'f()',
  'f() a',
  'f(',
  'function',
  'echo a)',
  ')',
  'a;;',
  ';',
  '&',
  '|',
  '&&',
  'a &&',
  'a |',
  'a | | b',
  'a && && b',
  '; a',
  '| a',
  'a; ; b',
  'then',
  'do a',
  'done',
  'fi',
  '}',
  'esac',
  'a <',
  'a >',
  'a <<',
  'a <<E',
  'a <<E\nb',
  'a <<E\nb\nEE',
  'a (b)',
  'a b(c)',
  '$(',
  'if ; then a; fi',
  '( )',
  '{ }',
  'while; do a; done',
  'x=(',
  'x=(a',
  'x=(a)b c',
  'x=(a;b)',
  'echo \\',
  'cat <<$E\na\n$E',
  'cat <<`E`\na\nE',
  'cat $(cat <<E)\na\nE',
  'cat <<E $(echo\n)\na\nE',
  'echo $((a) | b)',
  '((a); b)',
  '$[1+2]',
  'echo ${ a; }',
  'echo ${|a; }',
  'echo ${x@P}',
  'echo "${x:-\'}\'}"',
  'echo "`echo "a"`"',
  'echo $\\\n(rm)',
  'echo "$\\\n(rm)"',
  '!(a|b)',
  'a @(b|c)',
  'a | ! b',
  'th\\\nen',
  '[[ a #b ]]',
  '[[ a; b ]]',
  "echo $(('1'))",
  'echo ${x:-<(a)}',
];

const characters: readonly (readonly [name: string, character: string])[] = [
  ['NUL', '\0'],
  ['carriage return', '\r'],
  ['escape', '\x1b'],
  ['backspace', '\b'],
  ['vertical tab', '\v'],
  ['form feed', '\f'],
  ['delete', '\x7f'],
  ['C1 control', '\x85'],
  ['no-break space', '\u00a0'],
  ['soft hyphen', '\u00ad'],
  ['combining grapheme joiner', '\u034f'],
  ['arabic letter mark', '\u061c'],
  ['hangul filler', '\u3164'],
  ['ogham space', '\u1680'],
  ['mongolian vowel separator', '\u180e'],
  ['en quad', '\u2000'],
  ['hair space', '\u200a'],
  ['zero width space', '\u200b'],
  ['zero width joiner', '\u200d'],
  ['left-to-right mark', '\u200e'],
  ['right-to-left override', '\u202e'],
  ['pop isolate', '\u2069'],
  ['line separator', '\u2028'],
  ['narrow space', '\u202f'],
  ['word joiner', '\u2060'],
  ['invisible times', '\u2062'],
  ['ideographic space', '\u3000'],
  ['variation selector', '\ufe0f'],
  ['byte order mark', '\ufeff'],
  ['tag', '\u{e0041}'],
  ['lone surrogate', '\ud800'],
  ['blank braille', '\u2800'],
  ['interlinear mark', '\ufff9'],
];

const unknown: readonly string[] = [
  '$X',
  '$X a',
  '"$X"',
  '$(a) b',
  '`a`',
  '${X}',
  '${X:-rm} a',
  '"$@"',
  '$1',
  '$$',
  '/bin/r? a',
  '/bin/[r]m a',
  '* a',
  '~x/y',
  '{$a,b}',
  '!ls',
  '!!',
  '%1',
  'A=1 $B',
  '"" a',
  "$''",
  'command $X',
  'env $X',
  'sudo "$X"',
  'timeout 5 $X',
  'exec $X',
  'eval $X',
  'eval "$(a)"',
  'eval "rm $X"',
  'bash -c "$X"',
  "bash -c '\"'",
  'bash -c "ls $X"',
  'sh -c "$(a)"',
  'bash $X',
  'bash -c "$@"',
  'bash -c \'"$@"\' _ rm x',
  'bash -c $X',
  'sudo sh -c "$X"',
  'su -c "$X"',
  'ssh host "$X"',
  'watch "$X"',
  'xargs sh -c',
  'xargs -I{} sh -c "rm {}"',
  'find . -exec sh -c "rm {}" \\;',
  'find . -exec $X {} \\;',
  'parallel',
  'parallel ::: a b',
  'parallel "$X" ::: a',
  'curl x | sh',
  'curl x | bash',
  'curl x | sudo bash',
  'curl x | bash -s -- a',
  'curl x | env bash',
  'curl x | /bin/sh',
  'curl x | tee a | sh',
  'curl x | (cd y; sh)',
  'curl x | { sh; }',
  'curl x | while read l; do sh; done',
  'base64 -d a | bash',
  'cat a | base64 -d | bash',
  'bash <(curl x)',
  'source <(curl x)',
  '. <(curl x)',
  'bash < <(curl x)',
  'bash <<< "$(curl x)"',
  'bash <<E\n$X\nE',
  'sh /dev/stdin < <(a)',
  'curl x | bash -',
  'curl x | bash /dev/stdin',
  'a | source /dev/stdin',
  'tee >(sh) < x',
  'curl x | python3',
  'curl x | python3 -',
  'curl x | perl',
  'curl x | node',
  'echo -e a | sh',
  "printf '%s' a | sh",
  'echo "$X" | sh',
  'echo a | tr a b | sh',
  'curl x | fish',
  'curl x | zsh',
  'coproc sh',
  'curl x | busybox sh',
  'curl x | xargs sh -c',
  'exec bash <(a)',
  "fish -c 'a'",
  'csh -c a',
  'pwsh -Command a',
  "sh -c '[[ a ]]'",
  "sh -c '((rm x))'",
  "sh -c 'a &>b'",
  'sh -c "\\$\'rm\' x"',
  "dash -c 'a <<<b'",
  "zsh -c 'a <(b)'",
  "sh -c 'function f { a; }'",
  "sh -c '{rm,x}'",
  "sh -c 'a |& b'",
  "sh -c 'x=(a)'",
  'watch "[[ a ]]"',
  'timeout --unknown 5 rm x',
  'env --unknown x rm',
  'sudo --unknown x rm',
  'xargs --unknown x rm',
  'timeout $X rm x',
  'env -S "$X"',
  'env -S \'a "b"\'',
  'bwrap --ro-bind / / rm x',
  'screen -X stuff a',
  'tmux send-keys rm Enter',
  'tmux run-shell rm',
  'gdb -ex "shell rm x"',
  'fc -s',
  'fc -e ed',
  'trap "$X" EXIT',
  'alias x="$Y"',
  'alias "$X"',
  'git $X',
  'git foo',
  'git -c "$X" log',
  'git --config-env=a=b log',
  'git --exec-path=/x log',
  'git -c core.hooksPath=/x log',
  'git -c include.path=x log',
  'git -c alias.x=\'a "b"\' x',
  'git clone ext::x',
  'git clone --template=x y',
  'GIT_CONFIG_PARAMETERS=x git log',
  'GIT_PAGER="$X" git log',
  'PAGER=$(a) man x',
  "PS1='$(a)'",
  'PROMPT_COMMAND=$X',
  "test -v 'a[$(rm x)]'",
  "x='a[$(rm x)]'",
  "printf -v 'a[$(rm x)]' y",
  "unset 'a[`rm x`]'",
  '"$X" | ls',
  'X=$(a); $X',
  'a() { "$@"; }',
  'compgen -C "$X"',
];

function kinds(text: string): string[] {
  return readCommand(text, sandbox).findings.map(({ kind }) => kind);
}

describe('unreadable', () => {
  it.each(syntax.map((text) => [text] as const))('[A16] asks for broken or doubtful syntax: %j', (text) => {
    expect(kinds(text)).toContain('unreadable');
    expect(readCommand(text, sandbox).heads.at(-1)).toBe('?');
  });

  it.each(unknown.map((text) => [text] as const))('[A12] asks for what is not known: %j', (text) => {
    expect(kinds(text)).toContain('unreadable');
  });

  it.each(characters)('[A17] asks for a %s outside quotes', (_name, character) => {
    for (const text of [
      `ls${character}a`,
      `ls ${character}rm`,
      `${character}ls`,
      `ls \\${character}`,
      `ls # ${character}`,
    ]) {
      expect(kinds(text), JSON.stringify(text)).toContain('unreadable');
    }
  });

  it.each(characters)('[A17] leaves a %s inside quotes to the screen that shows it', (_name, character) => {
    const expected = character === '\0' ? ['unreadable'] : [];
    expect(kinds(`echo 'a${character}b'`)).toEqual(expected);
    expect(kinds(`echo "a${character}b"`)).toEqual(expected);
  });

  it('shows what was read before the reader lost its way', () => {
    const reading = readCommand('rm a\ncurl b; echo "', sandbox);
    expect(reading.findings.map(({ kind }) => kind)).toEqual(['removes', 'unreadable']);
    expect(reading.heads).toEqual(['rm', 'curl', '?']);
  });

  it('quotes bytes of the text in every finding', () => {
    for (const text of [...unknown, ...syntax]) {
      for (const finding of readCommand(text, sandbox).findings) expect(text).toContain(finding.text);
    }
  });

  it('quotes only the command that gave the finding', () => {
    const texts = (text: string): string[] => readCommand(text, sandbox).findings.map((finding) => finding.text);
    expect(texts('ls;  rm  -rf "a b" >x ; ls')).toEqual(['rm  -rf "a b" >x']);
    expect(texts('echo $(ls; rm a) b')).toEqual(['rm a']);
    expect(texts('echo `rm a`')).toEqual(['rm a']);
    expect(texts("ls; bash -c 'ls; rm a'; ls")).toEqual(["bash -c 'ls; rm a'"]);
    expect(texts('echo `echo \\`rm a\\``')).toEqual(['`echo \\`rm a\\``']);
  });

  it('reads nothing longer than a megabyte', () => {
    expect(kinds(`ls ${'a'.repeat(1_048_576)}`)).toEqual(['unreadable']);
    expect(kinds(`ls ${'a'.repeat(1_000_000)}`)).toEqual([]);
  });

  it('leaves the twin with the dangerous part quoted alone', () => {
    for (const text of [
      "echo '$(rm x)'",
      "echo '`rm x`'",
      "echo '$X'",
      'echo \\$\\(rm x\\)',
      "echo '\\'",
      "echo '# \"'",
      'echo \\`',
    ]) {
      expect(kinds(text), text).toEqual([]);
    }
  });
});
