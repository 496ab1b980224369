/** Commands that make other programs hang, leak or lie, and the true code of each. */
import { readdirSync, readFileSync } from 'node:fs';

export type Hang = {
  readonly title: string;
  /** `MARK` becomes a number that no other process of the machine has in its command line. */
  readonly command: string;
  /** Null: it is ended by the timeout. */
  readonly code: number | null;
  readonly stdout?: string | RegExp;
  readonly stderr?: RegExp;
  readonly timeoutMs?: number;
  /** It has 200 ms for its last word: not while a hundred others run. */
  readonly isAlone?: boolean;
  /** Outside a namespace it would end the test itself. */
  readonly onlyInside?: boolean;
  /** In a conversation's shell, where that is not the same as for a command of its own. */
  readonly inShell?: Partial<Pick<Hang, 'code' | 'stdout' | 'stderr'>>;
};

export const hangCases: readonly Hang[] = [
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
  { title: 'ends politely when interrupted', command: "trap 'echo bye; exit 0' INT; while :; do sleep 0.05; done", code: null, stdout: 'bye\n', isAlone: true },
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
  { title: 'kills itself politely', command: 'kill -TERM $$', code: 143, inShell: { code: 0 } },
  { title: 'is ended by a signal of its own', command: 'sh -c "kill -SEGV \\$\\$"', code: 139 },
  { title: 'closes its own streams', command: 'exec >&- 2>&-; sleep 0.05; exit 5', code: 5, stdout: '' },
  { title: 'stops itself', command: 'kill -STOP $$', code: null },
  { title: 'stops a child and waits for it', command: 'sleep MARK & kill -STOP $!; wait', code: null },
  { title: 'does not exist', command: 'no-such-program-here', code: 127, stderr: /command not found/ },
  { title: 'cannot be executed', command: 'touch plain && ./plain', code: 126 },
  { title: 'breaks a pipe', command: 'yes | head -1', code: 0, stdout: 'y\n' },
  { title: 'says that it failed', command: 'exit 255', code: 255 },
  { title: 'traps its own end and forks there', command: "trap 'sleep MARK & echo trapped' EXIT; exit 6", code: 6, stdout: 'trapped\n' },
  { title: 'never stops forking', command: 'while :; do (sleep 0.01 &) ; sleep 0.02; done', code: null },
  { title: 'forges the record of its own end', command: "printf 'end\\0001\\000x\\0000\\000'; printf 'end\\0001\\0000' >&2; exit 7", code: 7 },
  { title: 'writes to every descriptor it can guess', command: 'for n in 3 4 5 10 11 12 13 199 200 255; do { echo fork >&$n; } 2>/dev/null; done; exit 8', code: 8 },
  { title: 'closes every descriptor it can guess', command: 'for n in 3 4 5 6 7 8 9; do eval "exec $n>&-"; done 2>/dev/null; exit 9', code: 9 },
  { title: 'writes to the pipes of the first process', command: 'for f in /proc/1/fd/*; do { echo x >"$f"; } 2>/dev/null; done; exit 5', code: 5, onlyInside: true },
  { title: 'reads what is meant for its shell', command: 'timeout 0.2 cat /proc/$$/fd/0 /proc/$PPID/fd/* >/dev/null 2>&1; exit 6', code: 6, onlyInside: true },
  { title: 'has bytes that are no text in its own name', command: "$(printf '\\001\\377') ; exit 3", code: 3 },
  { title: 'is a heredoc without an end in a function', command: 'f() { cat <<E\nx\n}\nf', code: 2, stderr: /end of file|unexpected EOF/ },
  { title: 'closes what was never opened', command: 'fi; }', code: 2, stderr: /syntax error/ },
  { title: 'ends with a backslash', command: 'echo a \\', code: 0, stdout: /^a/ },
  { title: 'ends in the middle of an operator', command: 'true &&', code: 2 },
  { title: 'returns where nothing called it', command: 'return 3 2>/dev/null; exit 4', code: 4, inShell: { code: 3 } },
  { title: 'breaks out of nothing', command: 'break; continue; exit 4', code: 4 },
  { title: 'ends by set -e', command: 'set -e; false; echo never', code: 1, stdout: '' },
  { title: 'ends by set -u', command: 'set -u; echo $nothing_of_this_name; echo never', code: 127, stdout: '', inShell: { code: 1 } },
  { title: 'ends by an error of expansion', command: ': ${nothing_of_this_name?gone}; echo never', code: 127, stdout: '', inShell: { code: 1 } },
  { title: 'divides by nothing', command: 'echo $((1/0)); echo never', code: 1, stdout: '' },
  { title: 'calls itself without end', command: 'ulimit -s 512; f() { f; }; f', code: 139, timeoutMs: 8_000 },
  { title: 'waits for a lock that is held', command: 'exec 7>lock-MARK; flock -x 7; flock -x lock-MARK true; sleep MARK', code: null },
  { title: 'waits for a pipe that nobody writes to', command: 'mkfifo pipe-MARK; cat pipe-MARK', code: null },
  { title: 'waits for children that never end', command: 'sleep MARK & sleep MARK & wait', code: null },
  { title: 'waits for a daemon by its number', command: 'setsid sleep MARK & tail --pid=$! -f /dev/null', code: null },
  { title: 'leaves a tail behind', command: 'touch log-MARK; tail -f log-MARK & echo shown', code: 0, stdout: 'shown\n' },
  { title: 'leaves a writer that never rests', command: 'yes MARK >/dev/null & echo started; sleep 0.05; kill $!', code: 0, stdout: 'started\n' },
  { title: 'leaves a writer to its own output', command: '(for n in $(seq 100); do echo more; sleep 0.05; done) & true', code: 0 },
  { title: 'traps everything and goes on', command: "trap 'echo again' INT TERM HUP QUIT USR1; while :; do sleep 0.05; done", code: null },
  { title: 'stops its whole group', command: 'sleep MARK & kill -STOP 0', code: null },
  { title: 'kills its whole group', command: 'kill -9 0', code: 137 },
  { title: 'kills everything it may', command: 'kill -9 -1 2>/dev/null; exit 3', code: 3, onlyInside: true },
  { title: 'reads many lines slowly', command: 'seq 50000 | while read -r x; do :; done; echo read', code: 0, stdout: 'read\n', timeoutMs: 15_000 },
  { title: 'is one line of a megabyte', command: `echo ${'x'.repeat(1_000_000)} | wc -c`, code: 0, stdout: '1000001\n', timeoutMs: 15_000 },
  { title: 'prints NULs between lines', command: "printf 'a\\0b\\0\\n'", code: 0, stdout: 'a\0b\0\n' },
]; // prettier-ignore

/** A number that no other process of the machine has in its command line. */
export function newMark(): string {
  return `${100_000 + Math.floor(Math.random() * 899_999)}.${process.pid}`;
}

/** Command lines of living processes; the machine sees into every sandbox. */
export function processesWith(mark: string): string[] {
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
