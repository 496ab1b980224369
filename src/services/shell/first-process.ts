/** The first process inside the sandbox: it looks that the mounts are what they should be, runs the program and reports. */
import { forwarderVariable } from '../net/forward-command.ts';
import { withoutKeepers } from '../ssh/connection-keepers.ts';
import type { LaunchView } from '../sandbox/sandbox-launch.ts';

const maxNamed = 10;
const scriptVariable = 'HANDRAIL_FIRST';

/**
 * POSIX sh, because it starts faster than bash. Arguments: folder, expected identities, forbidden identities, the paths to
 * look at as positions ("$1" "$2"), their count, PATH for the program, limits to set, what starts stat(1), whether the
 * namespace is its own; then those paths and the program. Descriptor 3 takes the report and is closed in the program; those from 4 on are the program's.
 *
 * A command line is empty for the dead, and for what is just being started (execve(2)): only the first do not count.
 *
 * What still runs gets a moment to finish by itself: `foo > >(tee log)` leaves a tee that has the last lines to write.
 *
 * A shell that cannot fork any more gives up; the trap keeps the program's code then.
 *
 * bubblewrap ends the sandbox with us only once its own process inside has asked for that, shortly before this one begins. Who
 * kills us before then leaves a report that nobody reads, and nothing may run.
 *
 * It stays process number 1: when it ends, the kernel ends everything else in the namespace before anybody hears of it.
 */
const lookAndRun = `
unset ${scriptVariable}
trap : HUP INT TERM
exec 9>&2 2>/dev/null
handrail_folder=$1 handrail_expected=$2 handrail_forbidden=$3 handrail_paths=$4 handrail_count=$5 handrail_path=$6
eval "$7"
handrail_stat=$8 handrail_own=$9
handrail_forwarder=\${${forwarderVariable}-}
unset ${forwarderVariable}
shift 9
handrail_seen=$(eval "LC_ALL=C $handrail_stat -c %d:%i -- $handrail_paths")
case $handrail_seen in
"$handrail_expected" | "$handrail_expected
"*) ;;
*) printf '\\nswapped\\n' >&3; exit 125 ;;
esac
for handrail_id in $handrail_forbidden; do
  case "
$handrail_seen
" in *"
$handrail_id
"*) printf '\\nvisible\\n' >&3; exit 125 ;; esac
done
cd -P -- "$handrail_folder" || { printf '\\nfolder\\n' >&3; exit 125; }
unset OLDPWD
printf '\\nstarted\\n' >&3 || exit 125
(shift "$handrail_count"; PATH=$handrail_path; exec "$@" 2>&9 3>&- 9>&-)
handrail_code=$?
`;

const waitAndReport = `
trap 'exit "$handrail_code"' EXIT
for handrail_round in 1 2 3 4 5 last; do
  handrail_left=0
  for handrail_process in /proc/[0-9]*; do
    case $handrail_process in /proc/1 | "/proc/$handrail_forwarder") continue ;; esac
    handrail_line=
    read -r handrail_line <"$handrail_process/cmdline"
    if [ -z "$handrail_line" ]; then
      handrail_state=
      read -r handrail_state <"$handrail_process/stat"
      case $handrail_state in "" | *") Z "*) continue ;; esac
    fi
    handrail_left=$((handrail_left + 1))
    [ $handrail_round = last ] && [ $handrail_left -le ${maxNamed} ] || continue
    handrail_line=$(tr '\\000\\n' '  ' <"$handrail_process/cmdline" | head -c 100)
    printf '\\nleft %s %s\\n' "\${handrail_process#/proc/}" "$handrail_line" >&3
  done
  [ $handrail_left = 0 ] && break
  [ $handrail_round = last ] && printf '\\nleft-count %s\\n' $handrail_left >&3
  [ $handrail_round = last ] || sleep 0.015
done
exit "$handrail_code"
`;

/**
 * Where the machine's other processes are seen too, and nobody ends with us: what can be reached by one signal goes at once,
 * because the launcher (proot) would wait for it; the rest is hunted from outside, by those who read the code.
 */
const reportAndEnd = `
printf '\\ncode %s\\n' "$handrail_code" >&3
sleep 0.04
kill -KILL 0
`;

/**
 * Goes into its environment: as an argument, its text would be what `ps` shows inside of process number 1.
 */
export const firstProcessEnvironment = {
  [scriptVariable]: `${lookAndRun}if [ "$handrail_own" = own ]; then${waitAndReport}else${reportAndEnd}fi\n`,
};

export type FirstProcess = {
  readonly cwd: string;
  /** PATH for the program. */
  readonly path: string;
  readonly checks: LaunchView['checks'];
  readonly isOwnNamespace: boolean;
  /** In the words of a POSIX shell. */
  readonly limits: string;
  readonly own: LaunchView['ownPrograms'];
  readonly program: readonly string[];
};

/** Its command line. */
export function firstProcess({ cwd, path, checks, isOwnNamespace, limits, own, program }: FirstProcess): string[] {
  const { paths, expected, forbidden } = checks;
  const positions = paths.map((_, position) => `"\${${position + 1}}"`).join(' ');
  return [
    ...[...own.shell, '-c', `eval "$${scriptVariable}"`, 'handrail', cwd, expected.join('\n'), forbidden.join(' ')],
    ...[
      positions,
      `${paths.length}`,
      path,
      limits,
      own.stat.join(' '),
      isOwnNamespace ? 'own' : 'shared',
      ...paths,
      ...program,
    ],
  ];
}

export type FirstReport = {
  readonly outcome: 'started' | 'folder' | 'swapped' | 'visible' | 'silent';
  /** What still ran when the program ended, as `command line (pid)`; the first ten of `leftCount`. */
  readonly left: readonly string[];
  readonly leftCount: number;
  /** The program's, where the first process cannot end with it. */
  readonly code?: number;
};

const isOutcome = (line: string): line is Exclude<FirstReport['outcome'], 'silent'> =>
  line === 'started' || line === 'folder' || line === 'swapped' || line === 'visible';

/** Reads it as something a command may have tampered with: it decides nothing but words. */
export function readFirstReport(text: string): FirstReport {
  const lines = text.split('\n');
  const left = lines
    .map((line) => /^left (\d+) (.+)$/.exec(line))
    .filter((match) => match !== null)
    .map((match) => `${match[2]?.trim()} (pid ${match[1]})`);
  const count = lines.map((line) => /^left-count (\d+)$/.exec(line)).find((match) => match !== null);
  const code = lines.map((line) => /^code (\d+)$/.exec(line)).find((match) => match !== null)?.[1];
  return {
    outcome: lines.find(isOutcome) ?? 'silent',
    left,
    leftCount: Number(count?.[1] ?? left.length),
    ...(code === undefined ? {} : { code: Number(code) }),
  };
}

/** One sentence for the model, or nothing. */
export function describeLeft(all: readonly string[], countOfAll = all.length): string | undefined {
  const left = withoutKeepers(all);
  const count = countOfAll - (all.length - left.length);
  if (count === 0) return undefined;
  const named = left.slice(0, maxNamed).join(', ') + (count > maxNamed ? ', …' : '');
  const processes = count === 1 ? '1 background process was' : `${count} background processes were`;
  return `${processes} ended when the command finished: ${named}`;
}
