/** What holds for every text: reading never throws, quotes the source, and takes time in proportion to its length. */
import fc from 'fast-check';
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

const pieces = (
  'rm ls cd git push eval bash -c sh xargs find -exec {} ; env sudo -u timeout 5 x=1 $x ${x} ${x:- } $( ) ` ( ) { } [[ ]] (( )) ' +
  '$(( <( >( < > >> << <<- <<< EOF &> >& 2>&1 | |& || && & ;; ;& ! time if then else elif fi for in do done while until case esac function ' +
  'coproc select \' " $\' $" \\ \\\n # ~ * ? [ ] {a,b} {1..3} /tmp/a .. - -- = += \n \t \r \0 é 😀 \u200b @ %'
).split(' ');

const shellText = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.constantFrom(' ', ' ', '\n'), fc.string({ maxLength: 3 })), {
    maxLength: 60,
  })
  .map((parts) => parts.join(''));

/** One of the ways to write a word so that the shell gives it back. */
const quotings: readonly ((word: string) => string)[] = [
  (word) => `'${word.replaceAll("'", "'\\''")}'`,
  (word) => `"${word.replace(/["$`\\]/g, '\\$&')}"`,
  (word) => `$'${word.replace(/['\\]/g, '\\$&').replaceAll('\n', '\\n')}'`,
  (word) => (word === '' ? "''" : word.replace(/[^A-Za-z0-9_\n]/gu, '\\$&').replaceAll('\n', "$'\\n'")),
  (word) => [...word].map((character) => (character === "'" ? `"'"` : `'${character}'`)).join('') || '""',
];

describe('every text', () => {
  it('[A16] is read without a throw, and findings quote its bytes', () => {
    fc.assert(
      fc.property(fc.oneof(shellText, fc.string({ unit: 'binary', maxLength: 200 })), (text) => {
        const reading = readCommand(text, sandbox);
        for (const finding of reading.findings) expect(text).toContain(finding.text);
        for (const command of reading.commands) expect(text).toContain(command.text);
        expect(reading.heads).not.toContain('');
        everyCommandMatches(['ls *', text], reading);
        someCommandMatches(['ls *', text], reading);
      }),
      { numRuns: 1000 },
    );
  });

  it('[E17] has nothing of the sandbox’s own on the host', () => {
    fc.assert(
      fc.property(shellText, (text) => {
        const onHost = readCommand(text, { ...sandbox, isSandboxed: false });
        expect(onHost.findings.every(({ insideSandboxOnly }) => !insideSandboxOnly)).toBe(true);
        const kinds = readCommand(text, sandbox).findings.map(({ kind }) => kind);
        expect(onHost.findings.map(({ kind }) => kind)).toEqual(kinds);
      }),
      { numRuns: 500 },
    );
  });

  it('[A12] keeps its findings when something harmless stands before or behind it', () => {
    fc.assert(
      fc.property(shellText, fc.constantFrom('true; @', 'true\n@', '@\ntrue'), (text, frame) => {
        const before = readCommand(text, sandbox);
        // Unfinished: what stands behind it becomes part of it, also behind a comment.
        const isUnfinished = /[\\&|]\s*$/.test(text.replaceAll(/#[^\n]*/g, ''));
        if (before.findings.length === 0 || isUnfinished || /^\s*#|[\\&|]\s*$|<</.test(text)) return;
        expect(
          readCommand(
            frame.replace('@', () => text),
            sandbox,
          ).findings.length,
        ).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });

  it('gives back the words that were quoted', () => {
    const word = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !text.includes('\0'));
    const quoted = fc.tuple(word, fc.constantFrom(...quotings));
    // U+2800, the blank of Braille, is a symbol by its category and still shows nothing: the reader leaves it unread.
    const isPlain = (text: string): boolean => !/[\p{C}\p{Z}\p{DI}\u2800]/u.test(text.replace(/[ \n\t]/g, ''));
    fc.assert(
      fc.property(fc.array(quoted, { maxLength: 6 }), (words) => {
        const sure = words.filter(([text]) => isPlain(text));
        const line = ['printf', ...sure.map(([text, quote]) => quote(text))].join(' ');
        expect(readCommand(line, sandbox).commands[0]?.words).toEqual(['printf', ...sure.map(([text]) => text)]);
      }),
      { numRuns: 800 },
    );
  });
});

const size = 100_000;
const many = (piece: string): string => piece.repeat(Math.ceil(size / piece.length));

/** Texts made to cost more than their length; each was slow, or could be, in some reader of commands. */
const costly: Readonly<Record<string, string>> = {
  'a long chain': `${many('true && ')}rm a`,
  'open parentheses': many('('),
  'open substitutions': many('$('),
  'open backquotes': many('`'),
  'open braces': many('{'),
  'open expansions': `echo ${many('${x:-')}`,
  'open conditions': many('if a; then '),
  'open arithmetic': many('(('),
  'open tests': many('[[ '),
  'brace products': `echo ${many('{a,b}')}`,
  'many brace products': many('echo {a,b}{a,b}{a,b}{a,b}{a,b}{1..1}{1..1};'),
  brackets: `echo ${many('[')}`,
  subscripts: `test ${many('a[')}]$(`,
  'joined lines': `${many('\\\n')}rm a`,
  comments: `${many('# a\n')}rm a`,
  wrappers: `${many('env ')}rm a`,
  'assignments of a wrapper': `env ${many('a=b ')}rm a`,
  evaluations: many('eval '),
  moves: `${many('cd a && ')}rm a`,
  'values that double': `A0=aa;${Array.from({ length: 9000 }, (_, index) => `A${index + 1}=$A${index}$A${index};`).join('')}rm $A9000`,
  'code handed on': `A='${'ls;'.repeat(300)}';${many('bash -c "$A";')}`,
  'variables and shells': `${Array.from({ length: 9000 }, (_, index) => `a${index}=1;`).join('')}${many('bash -c x;')}`,
  functions: `${Array.from({ length: 9000 }, (_, index) => `f${index}(){ a;};`).join('')}${many('x;')}`,
  'find -exec': `find . ${many('-exec a {} \\; ')}`,
  'find with many starts': `find ${many('a ')} -exec rm ${many('{} ')} \\;`,
  slashes: `find ${many('/')}a -delete`,
  'here-documents': many('cat <<A\nx\nA\n'),
  'here-documents in one line': `cat ${many('<<A ')}\n${many('A\n')}`,
  'a joined here-document': `cat <<A\n${many('a\\\n')}A`,
  'options of a shell': `bash ${many('-Z ')}x`,
  'folders of git': `git ${many('-C a ')}commit`,
  'settings of git': `git ${many('-c a=b ')}commit`,
  'a sed program': `sed s/${many('a')}/b/ x`,
  quotes: many('"'),
  aliases: `alias ${many("a='ls' ")}`,
};

describe('costly texts', () => {
  it.each(Object.entries(costly))('[A16] reads %s in time in proportion to their length', (_name, text) => {
    const startedAt = performance.now();
    const reading = readCommand(text, sandbox);
    // Quadratic work on these would take minutes; the machine may be busy.
    expect(performance.now() - startedAt).toBeLessThan(5000);
    expect(reading.heads.length + reading.findings.length).toBeGreaterThan(0);
  });

  it('[A16] finds what stands behind ten thousand commands', () => {
    const reading = readCommand(`${'true && '.repeat(10_000)}rm a`, sandbox);
    expect(reading.findings).toEqual([{ kind: 'removes', text: 'rm a', insideSandboxOnly: false }]);
    expect(reading.heads).toHaveLength(10_001);
  });

  it('[A16] follows nesting to its cap and asks beyond it, without running out of stack', () => {
    const nest = (open: string, close: string, depth: number): string =>
      `${open.repeat(depth)}rm a${close.repeat(depth)}`;
    const shapes: readonly (readonly [open: string, close: string])[] = [
      ['( ', ' )'],
      ['{ ', '; }'],
      ['echo $(', ')'],
      ['echo "$(', ')"'],
      ['echo <(', ')'],
      ['if ', '; then a; fi'],
      ['while ', '; do a; done'],
      ['echo ${x:-$(', ')}'],
      ['case a in a) ', ' ;; esac'],
      ['f() { ', '; }'],
    ];
    for (const [open, close] of shapes) {
      const kinds = (depth: number): string[] =>
        readCommand(nest(open, close, depth), sandbox).findings.map(({ kind }) => kind);
      expect(kinds(60), open).toContain('removes');
      expect(kinds(5000), open).toContain('unreadable');
    }
    const heredocs =
      Array.from({ length: 300 }, (_, index) => `bash <<'E${index}'\n`).join('') +
      'rm a\n' +
      Array.from({ length: 300 }, (_, index) => `E${299 - index}\n`).join('');
    expect(readCommand(heredocs, sandbox).findings.map(({ kind }) => kind)).toContain('unreadable');
  });

  it('reads a command of everyday length in microseconds', () => {
    const text =
      'cd src && for f in *.ts; do grep -n "foo $f" "$f" | sort -u > "/tmp/o-$f"; done; git -C sub log -5 2>&1 | head && rm -rf "$HOME/x" /tmp/{a,b} $(id)';
    for (let count = 0; count < 3000; count += 1) readCommand(text, sandbox);
    const times = Array.from({ length: 200 }, () => {
      const startedAt = performance.now();
      for (let count = 0; count < 10; count += 1) readCommand(text, sandbox);
      return (performance.now() - startedAt) / 10;
    }).sort((left, right) => left - right);
    // 40 µs on a quiet machine; the bound only catches a change of kind.
    expect(times[100]).toBeLessThan(0.5);
  });
});
