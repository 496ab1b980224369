/** Random commands in one conversation's shell against plain bash: same standard output, same code, same words of complaint. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openShellWorld, type ShellWorld } from '../../../../test/kit/shell-world.ts';
import { soak } from '../../../../test/kit/soak.ts';

let world: ShellWorld;
let plainFolder: string;
beforeAll(() => {
  world = openShellWorld();
  plainFolder = join(world.base, 'plain');
  mkdirSync(plainFolder);
});
afterAll(() => world.close());

const rounds = soak(400);

describe('random commands', () => {
  it(`[K58] print and return in a conversation's shell what they print and return in plain bash, ${rounds} times`, async () => {
    const seed = Number(process.env['HANDRAIL_TEST_SEED'] ?? Date.now() % 1_000_000);
    const random = randomNumbers(seed);
    for (let round = 0; round < rounds; round += 1) {
      const command = randomCommand(random, 0);
      const isTogether = random(6) === 0;
      const result = await world.run(
        command,
        { timeoutMs: 60_000 },
        { conversation: 'fuzz', callsTogether: isTogether ? 2 : 1 },
      );
      // Each begins without the variables of the one before.
      await world.run('unset -v v w list n x a b i; unset -f f', {}, { conversation: 'fuzz' });
      expect(result.timedOut, `seed ${seed}, round ${round}: ${command}\n${JSON.stringify(result)}`).toBe(false);
      const plain = spawnSync('bash', ['-c', '--', command, 'bash'], {
        cwd: plainFolder,
        env: { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', HOME: '/home/handrail' },
        maxBuffer: 64 * 1024 * 1024,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const ours = {
        code: result.exitCode,
        length: result.stdout.totalBytes,
        out: result.stdout.text,
        err: words(result.stderr.text),
      };
      const theirs = {
        code: plain.status,
        length: plain.stdout.length,
        out: plain.stdout.toString(),
        err: words(plain.stderr.toString()),
      };
      const shown = result.stdout.truncated ? { ...ours, out: theirs.out } : ours;
      expect(shown, `seed ${seed}, round ${round}: ${command}`).toEqual(theirs);
    }
  });
});

/**
 * Where it happened is told apart: there is a file with the command in it, and an interactive bash counts no lines. Nor does
 * it say which of its children a signal has ended; the code tells.
 */
function words(stderr: string): string {
  return stderr
    .replaceAll(
      /^(\/run\/handrail\/io\/cmd\.\d+|bash: \/run\/handrail\/io\/cmd\.\d+|bash: -c|bash|environment): /gm,
      '',
    )
    .replaceAll(/^line \d+: /gm, '')
    .replaceAll(/^( *\d+ )?(Killed|Terminated|Hangup|Interrupt|Segmentation fault)\b.*\n/gm, '')
    .replaceAll(/here-document at line \d+/g, 'here-document');
}

type Random = (below: number) => number;

/** Mulberry32: small, and the same on every machine. */
function randomNumbers(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const texts = ["plain", "'it  is'", '"a b"', "$'x\\ty'", '"ä€😀"', "'$HOME'", '"\\$x `echo sub`"', '$((6*7))', '${v:-none}', "'*'", '"$(printf "%s" inner)"', "$'\\x01\\xfe'", '""', '~', '{1..4}', 'a\\ b']; // prettier-ignore
const broken = ['if true; then', 'echo "open', '(echo', 'fi', 'for x in', '{ echo', '&& echo', 'case x in', 'echo a\nfi']; // prettier-ignore
const names = ['v', 'w', 'list', 'n'];

/** Every variable is set by the command itself: the shell remembers those of the ones before. */
function randomCommand(random: Random, depth: number): string {
  const pick = <T>(items: readonly T[]): T => items[random(items.length)] as T;
  const inner = (): string => randomCommand(random, depth + 1);
  const text = (): string => pick(texts);
  const simple: (() => string)[] = [
    () => `v=; echo ${text()} ${text()}`,
    () => `v=; printf '%s\\n' ${text()} ${text()} >&2`,
    () => `printf '%b' 'no end${random(9)}'`,
    () => `head -c ${random(200_000)} /dev/zero | tr '\\0' x`,
    () => `seq ${random(3000)}`,
    () => `(exit ${random(256)})`,
    () => `no-such-command-${random(9)}`,
    () => `${pick(names)}=${text()}; v=; echo "[$${pick(['v', 'v', '#'])}]"`,
    () => `cat <<E\nline ${text()} \${v-}\nE`.replace('${v-}', ''),
    () => `cat <<'E' | wc -c\n$not ${random(99)}\nE`,
    () => `printf 'a\\0b\\377%s' ${random(9)}`,
    () => `echo $((${random(50)} ${pick(['+', '-', '*', '/', '%'])} ${1 + random(9)}))`,
    () => `false | true | (exit ${random(9)}); echo "\${PIPESTATUS[@]}"`,
    () => `echo early; exit ${random(200)}; echo late`,
    () => `echo $#"$*"`,
    () => `set -- a 'b c'; shift; echo "$@"; set --`,
    () => `[[ x${random(3)} == x[01] ]] && echo yes || echo no`,
    () => `case ${text()} in p*) echo p;; *' '*) echo blank;; *) echo other;; esac`,
    () => `read -r a b <<<"1 2 3"; echo "$b"; unset a b`,
    () => `list=(a "b c" d); echo "\${#list[@]} \${list[1]} \${list[*]:1}"`,
    () => `echo out; echo err >&2; echo more; (exit ${random(4)})`,
    () => `sh -c 'kill -${pick(['TERM', 'KILL', 'HUP'])} $$' & wait $!; echo $?`,
    () => `sh -c 'kill -${pick(['SEGV', 'TERM', 'KILL', 'HUP'])} $$' 2>/dev/null`,
  ];
  const compound: (() => string)[] = [
    () => `${inner()}\n${inner()}`,
    () => `( ${inner()} )`,
    () => `{ ${inner()}\n}`,
    () => `if ${inner()}\nthen ${inner()}\nelse ${inner()}\nfi`,
    () => `for i in 1 2; do ${inner()}\ndone`,
    () => `f() { ${inner()}\nreturn ${random(20)}; }; f`,
    () => `{ ${inner()}\n} || echo failed`,
    () => `x=$(${inner()}\n); echo "got \${#x}"`,
    () => `( set -e; ${inner()}\n echo reached )`,
    () => `( ${inner()}\n) 2>/dev/null | sort | head -5`,
    () => `( ${inner()}\n) >file.x 2>/dev/null; wc -c <file.x; rm -f file.x`,
    () => `mkdir -p sub; ( cd sub\n${inner()}\n); pwd | wc -l`,
    // Not within set -e: an interactive bash forgets the trap of a subshell that set -e ends.
    () => (depth === 0 ? `( trap 'echo bye' EXIT; ${inner()}\n)` : inner()),
    () => `i=0; while [ $i -lt 2 ]; do i=$((i+1)); ( ${inner()}\n); done`,
    () => `( ${inner()}\n) & wait`,
  ];
  // Only by themselves: within others bash says one thing for -c and another one for a file.
  if (depth === 0 && random(20) === 0) return pick(broken);
  return depth < 3 && random(3) > 0 ? pick(compound)() : pick(simple)();
}
