/** The reader against bash itself: the same words, and no command run that was not read. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCommand } from './read-command.ts';
import type { ReadContext } from './scope.ts';

const sandbox: ReadContext = {
  cwd: '/ws/project',
  home: '/home/handrail',
  workspace: '/ws/project',
  isSandboxed: true,
};

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'bash-agreement-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

/** Runs one bash over a script; no program can be found, so nothing but builtins runs. */
function runBash(script: string): { stdout: string; status: number | null } {
  const file = path.join(folder, 'driver');
  writeFileSync(file, `PATH=/nonexistent\n${script}`);
  const { stdout, status, error } = spawnSync('bash', [file], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: '/home/handrail', LC_ALL: 'C.UTF-8' },
    timeout: 60_000,
    maxBuffer: 64 * 1024 * 1024,
    encoding: 'utf8',
  });
  if (error !== undefined && 'code' in error && error.code === 'ENOENT') {
    throw new Error('these tests compare with bash: install it (apt-get install bash)');
  }
  return { stdout, status };
}

const piece = fc.constantFrom(
  ...[
    'a',
    'b.c',
    '-x',
    'x=y',
    '1',
    '@',
    '%',
    '^',
    ':',
    ',',
    '+',
    '~',
    '}',
    '{',
    '{a,b}',
    '{1..3}',
    '{c,{d,e}}',
    '{a}',
    '{,x}',
    '{a..e..2}',
    '{3..1}',
    '{01..03}',
    '{-1..1}',
    '$',
    '#',
    '!',
    ']',
    'é',
    '😀',
  ],
  ...[
    '"a b"',
    "'a b'",
    '""',
    "''",
    '\\ ',
    '\\a',
    '\\\\',
    "\\'",
    '\\"',
    '\\$',
    '\\{',
    '\\*',
    '"\\$x"',
    '"\\a"',
    '"\\\\"',
    '"\'"',
    "'\"'",
    '"{a,b}"',
    "'$x'",
    '"#"',
    '"`"'.replace('`', '\\`'),
  ],
  ...[
    "$'a\\tb'",
    "$'\\x41'",
    "$'\\101'",
    "$'\\''",
    "$'\\u00e9'",
    "$'\\cA'",
    "$'\\q'",
    "$'a\\nb'",
    '$"a b"',
    '\\\n',
    '*',
    '?',
    '[ab]',
    '~/z',
    '$HOME',
    '${HOME}',
    '"$HOME"',
  ],
);

const line = fc
  .array(
    fc.array(piece, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
    { minLength: 1, maxLength: 4 },
  )
  .map((words) => words.join(' '));

/** A text that `eval` gets as it is, whatever quotes it leaves open. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

describe('words', () => {
  it('are split and unquoted as bash does it', () => {
    const lines = fc.sample(line, { numRuns: 1500, seed: 7 });
    const script = lines.map(
      (text) => `(eval ${quote(`printf '%s\\0' ${text}`)}) 2>/dev/null; printf '\\2END\\0'
`,
    );
    const { stdout } = runBash(`set -f\n${script.join('')}`);
    const results = stdout.split('\x02END\0');
    expect(results).toHaveLength(lines.length + 1);
    let compared = 0;
    for (const [index, text] of lines.entries()) {
      const reading = readCommand(`printf ${text}`, sandbox);
      const words = reading.commands[0]?.words.slice(1);
      if (words === undefined || words.includes(undefined) || reading.findings.length > 0) continue;
      compared += 1;
      const expected = (results[index] ?? '').split('\0').slice(0, -1);
      // printf without words still prints its format once.
      expect(words.length === 0 ? [''] : words, JSON.stringify(text)).toEqual(expected);
    }
    expect(compared).toBeGreaterThan(1000);
  });
});

const name = fc.integer({ min: 0, max: 39 }).map((number) => `m${number}`);
const join = (...parts: (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> =>
  fc
    .tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part)))
    .map((texts) => texts.join(''));

/** Random programs whose only commands are `m0` to `m39`; loops end because `m1` fails. */
const { list } = fc.letrec<{ list: string; body: string; command: string; word: string; simple: string }>((tie) => ({
  word: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'depth' },
    fc.constantFrom(
      'a',
      '-x',
      '"a b"',
      "'q;r'",
      'x\\;y',
      '$v',
      '${v:-k}',
      '"${v:-"k l"}"',
      '$((1+2))',
      '{a,b}',
      '*',
      "$'a\\'b'",
      '"a\\"b"',
      '#no',
      'a#b',
      '${#v}',
      '${v#a}',
      '${v//a/b}',
      '}',
      'do',
    ),
    join('$(', tie('list'), ')'),
    join('"$(', tie('list'), ')"'),
    join('`', name, '`'),
    join('<(', tie('list'), ')'),
    join('${v:-$(', tie('list'), ')}'),
    join('$(( $(', name, ') + 1 ))'),
  ),
  simple: fc
    .tuple(
      fc.constantFrom('', '', '', 'A=1 ', 'B=$(m2) ', 'x=(a $(m2)) ; ', '! ', 'time ', '>/dev/null '),
      fc.oneof(name, name, join('"', name, '"'), join("'", name, "'"), fc.constant('m\\7'), join('{', name, ',a}')),
      fc.array(tie('word'), { maxLength: 2 }),
      fc.constantFrom('', '', '', ' >/dev/null', ' 2>&1', ' <<<x', ' &>/dev/null', ' <<<"$(m3)"'),
    )
    .map(([prefix, head, words, redirection]) => `${prefix}${[head, ...words].join(' ')}${redirection}`),
  command: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'depth' },
    tie('simple'),
    tie('simple'),
    join('( ', tie('list'), '\n)'),
    join('(', name, '; ', name, ')'),
    join('{ ', tie('body'), '}'),
    join('if ', tie('body'), 'then ', tie('body'), 'fi'),
    join('if ', tie('body'), 'then ', tie('body'), 'else ', tie('body'), 'fi'),
    join('while m1; do ', tie('body'), 'done'),
    join('for i in a ', tie('word'), '; do ', tie('body'), 'done'),
    join('for ((i=0;i<2;i++)); do ', tie('body'), 'done'),
    join('case ', tie('word'), ' in a|"b") ', tie('body'), ';; (*) ', tie('simple'), ' ;; esac'),
    join(
      '[[ ',
      fc.constantFrom('a == b', 'a < b', '-n $(m6)', 'a =~ ^[0-9]+$', '( a ) && b', '! a', '"]]" != x'),
      ' ]]',
    ),
    join('((', fc.constantFrom('1', 'i++', '$(m7)+1', '1<2', '(1)+2'), '))'),
    join('f1() { ', tie('body'), '}; f1'),
    join("eval '", name, ' a; ', name, "'"),
    join(
      name,
      ' <<E',
      fc.constantFrom('', ' ; m8', ' | m9'),
      '\n',
      fc.constantFrom('body', '$(m3)', '`m4`', '\\$(m5)', "'x"),
      '\nE\n',
    ),
    join(name, " <<-'E'\n\t", fc.constantFrom('body', '$(m3)', '"x\' $('), '\n\tE\n'),
  ),
  body: fc
    .array(fc.tuple(tie('command'), fc.constantFrom(';', '\n', ' &')), { minLength: 1, maxLength: 2 })
    .map((parts) => parts.map(([text, end]) => (text.endsWith('\n') ? text : `${text}${end} `)).join('')),
  list: fc
    .array(
      fc.tuple(
        tie('command'),
        fc.constantFrom(' ; ', ' && ', ' || ', ' | ', '\n', ' & ', ' |& ', '&&\n', ' # x $(m9)\n'),
      ),
      { minLength: 1, maxLength: 3 },
    )
    .map((parts) =>
      parts
        .map(([text, end], index) => (index === parts.length - 1 || text.endsWith('\n') ? text : text + end))
        .join(''),
    ),
}));

const noise = fc.constantFrom(
  ...' ;&|<>(){}\'"$`\\\n#=!*?[]~-',
  '$(',
  '))',
  '<<',
  'E',
  '${',
  ' do ',
  ' fi ',
  ' in ',
  '\\\n',
  ';;',
  '[[ ',
  ' ]]',
  '((',
  "$'",
  '\t',
  'time ',
);
const broken = fc
  .tuple(
    list,
    fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(3), noise), { minLength: 1, maxLength: 3 }),
  )
  .map(([text, edits]) =>
    edits.reduce((result, [place, removed, added]) => {
      const at = Math.floor(place * result.length);
      return result.slice(0, at) + added + result.slice(at + removed);
    }, text),
  );

/** The commands that bash looked for in each text. */
function runAll(texts: readonly string[]): string[][] {
  const script = texts.map((text, index) => {
    writeFileSync(path.join(folder, `case-${index}`), `${text}\n`);
    rmSync(path.join(folder, `log-${index}`), { force: true });
    return `(ulimit -t 1; CASE=$BASHPID; LOG=log-${index}; . ./case-${index}) </dev/null >/dev/null 2>&1\n`;
  });
  // Each name in a line of its own, newlines in names made visible; a log that grows too long ends the case.
  const { status } = runBash(`ulimit -f 200
command_not_found_handle() {
  printf '%s\\n' "\${1//$'\\n'/ }" >> "$LOG"
  mapfile -t <"$LOG"
  [ \${#MAPFILE[@]} -lt 60 ] || kill -9 $CASE
  case $1 in *[13579]) return 1 ;; esac
  return 0
}
${script.join('')}wait
`);
  expect(status).toBe(0);
  return texts.map((_text, index) => {
    try {
      return readFileSync(path.join(folder, `log-${index}`), 'utf8')
        .split('\n')
        .slice(0, -1);
    } catch {
      // Nothing was run: no log was written.
      return [];
    }
  });
}

describe('commands', () => {
  it.each([
    ['whole', list, 100, 40],
    ['broken', broken, 300, 20],
  ] as const)('[A16] none is run by bash that was not read, in %s programs', (_kind, arbitrary, count, least) => {
    const texts = fc
      .sample(arbitrary, { numRuns: count, seed: 11 })
      .filter((text) => text.length < 3000 && !/while (?!m1;)|until/.test(text));
    let compared = 0;
    for (const [index, run] of runAll(texts).entries()) {
      const text = texts[index] ?? '';
      const reading = readCommand(`${text}\n`, sandbox);
      if (reading.findings.some(({ kind }) => kind === 'unreadable')) continue;
      if (run.length > 0) compared += 1;
      const heads = new Set(reading.heads.map((head) => head.replaceAll('\n', ' ')));
      expect(
        run.filter((head) => !heads.has(head)),
        JSON.stringify(text),
      ).toEqual([]);
    }
    expect(compared).toBeGreaterThan(least);
  });
});
