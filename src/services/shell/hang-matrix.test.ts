/** Commands that make other programs hang, leak or lie: each returns in time, with the true code, and leaves nothing. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openShellWorld, type ShellWorld } from '../../../test/kit/shell-world.ts';

type Hang = {
  readonly title: string;
  /** `MARK` becomes a number that no other process of the machine has in its command line. */
  readonly command: string;
  /** Null: it is ended by the timeout. */
  readonly code: number | null;
  readonly stdout?: string | RegExp;
  readonly stderr?: RegExp;
  readonly timeoutMs?: number;
};

const matrix: readonly Hang[] = [
  { title: 'does nothing', command: ':', code: 0, stdout: '' },
  { title: 'waits silently', command: 'sleep MARK', code: null },
  { title: 'leaves a child that holds stdout', command: 'sleep MARK & echo done', code: 0, stdout: 'done\n' },
  { title: 'leaves a child in a session of its own', command: 'setsid sleep MARK & echo done; exit 3', code: 3, stdout: 'done\n' },
  { title: 'leaves a child without streams', command: 'nohup setsid sleep MARK </dev/null >/dev/null 2>&1 & exit 4', code: 4 },
  { title: 'forks twice, as daemons do', command: '( ( sleep MARK & ) & ); echo up', code: 0, stdout: 'up\n' },
  { title: 'starts a daemon with an empty environment', command: '(setsid env -i sh -c "sleep MARK" >/dev/null 2>&1 &) ; echo up', code: 0, stdout: 'up\n' },
  { title: 'runs a coprocess', command: 'coproc sleep MARK; echo done', code: 0, stdout: 'done\n' },
  { title: 'disowns a job', command: 'sleep MARK & disown -a; true', code: 0 },
  { title: 'leaves a process substitution', command: 'echo x > >(sleep MARK); echo done', code: 0, stdout: /done/ },
  { title: 'ignores INT and TERM', command: "trap '' INT TERM HUP; sleep MARK; sleep MARK", code: null },
  { title: 'ignores everything it can, in a loop', command: "trap '' INT TERM; while :; do sleep 0.1; done; sleep MARK", code: null },
  { title: 'ends politely when interrupted', command: "trap 'echo bye; exit 0' INT; while :; do sleep 0.05; done", code: null, stdout: 'bye\n' },
  { title: 'has children that ignore TERM in sessions of their own', command: "for i in 1 2 3; do setsid sh -c \"trap '' TERM INT; sleep MARK\" & done; wait", code: null },
  { title: 'computes for ever', command: 'while :; do :; done', code: null },
  { title: 'prints for ever', command: 'yes MARK', code: null, stdout: /left out/ },
  { title: 'prints for ever to both streams', command: 'yes out & yes err >&2', code: null, stderr: /left out/ },
  { title: 'prints one endless line', command: 'tr "\\0" a </dev/zero', code: null, stdout: /^a+\n\.\.\. \[/ },
  { title: 'prints a line of 2 GB', command: 'head -c 2000000000 /dev/zero | tr "\\0" b', code: 0, stdout: /2000000000 bytes/, timeoutMs: 20_000 },
  { title: 'prints bytes that are no text', command: 'head -c 100000 /dev/urandom; printf "\\377\\0end"', code: 0, stdout: /end$/ },
  { title: 'waits for input', command: 'cat; read x; echo "got $?"', code: 0, stdout: 'got 1\n' },
  { title: 'waits for the terminal', command: 'read x </dev/tty', code: 1, stderr: /No such device|cannot open/ },
  { title: 'has an open quote', command: 'echo "open', code: 2, stderr: /unexpected EOF/ },
  { title: 'has an open heredoc', command: 'cat <<END\nbody', code: 0, stdout: 'body\n' },
  { title: 'has an open bracket', command: 'if true; then (echo', code: 2 },
  { title: 'replaces itself', command: 'exec sh -c "exit 9"', code: 9 },
  { title: 'kills itself', command: 'kill -9 $$', code: 137 },
  { title: 'kills itself politely', command: 'kill -TERM $$', code: 143 },
  { title: 'is ended by a signal of its own', command: 'sh -c "kill -SEGV \\$\\$"', code: 139 },
  { title: 'closes its own streams', command: 'exec >&- 2>&-; sleep 0.05; exit 5', code: 5, stdout: '' },
  { title: 'stops itself', command: 'kill -STOP $$', code: null },
  { title: 'stops a child and waits for it', command: 'sleep MARK & kill -STOP $!; wait', code: null },
  { title: 'does not exist', command: 'no-such-program-here', code: 127, stderr: /command not found/ },
  { title: 'cannot be executed', command: 'touch plain && ./plain', code: 126 },
  { title: 'breaks a pipe', command: 'yes | head -1', code: 0, stdout: 'y\n' },
  { title: 'says that it failed', command: 'exit 255', code: 255 },
  { title: 'traps its own end and forks there', command: "trap 'sleep MARK & echo trapped' EXIT; exit 6", code: 6, stdout: 'trapped\n' },
]; // prettier-ignore

const defaultTimeoutMs = 500;
/** Three steps of ending, and a machine that does other things besides. */
const slackMs = 4_000;

describe.each(['namespaces', 'host'] as const)('on the rung %s, a command that', (rung) => {
  let world: ShellWorld;
  beforeAll(() => {
    world = openShellWorld({ rung });
  });
  afterAll(() => world.close());

  it.concurrent.each(matrix)('$title', async ({ command, code, stdout, stderr, timeoutMs = defaultTimeoutMs }) => {
    const mark = `${100_000 + Math.floor(Math.random() * 899_999)}.${process.pid}`;
    const startedAt = performance.now();
    const result = await world.run(command.replaceAll('MARK', mark), { timeoutMs });
    expect(performance.now() - startedAt).toBeLessThan(timeoutMs + slackMs);
    expect({ exitCode: result.exitCode, timedOut: result.timedOut }).toEqual({
      exitCode: code,
      timedOut: code === null,
    });
    if (typeof stdout === 'string') expect(result.stdout.text).toBe(stdout);
    else if (stdout !== undefined) expect(result.stdout.text).toMatch(stdout);
    if (stderr !== undefined) expect(result.stderr.text).toMatch(stderr);
    expect(result.stdout.text.length).toBeLessThanOrEqual(30_000);
    expect(processesWith(mark)).toEqual([]);
  });
});

/** Command lines of living processes; the machine sees into every sandbox. */
function processesWith(mark: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, 'utf8');
      } catch {
        // It ended while we looked.
        return '';
      }
    })
    .filter((line) => line.includes(mark));
}
