/** The first process inside the sandbox: it looks that the mounts are what they should be, runs the command and reports. */

/**
 * POSIX sh, because it starts faster than bash. Arguments: folder, expected identities, forbidden identities, the command
 * or nothing, PATH for the command, the path of bash, then the paths to look at. Descriptor 3 takes the report, 4 brings
 * a command that is too long for an argument. Neither is open in the command.
 *
 * What still runs gets a moment to finish by itself: `foo > >(tee log)` leaves a tee that has the last lines to write.
 *
 * It stays process number 1: when it ends, the kernel ends everything else in the namespace before anybody hears of it.
 */
export const initScript = `
trap : HUP INT TERM
exec 9>&2 2>/dev/null
handrail_folder=$1 handrail_expected=$2 handrail_forbidden=$3 handrail_command=$4 handrail_path=$5 handrail_bash=$6
shift 6
handrail_seen=$(stat -c %d:%i -- "$@")
case $handrail_seen in
"$handrail_expected" | "$handrail_expected
"*) ;;
*) echo swapped >&3; exit 125 ;;
esac
for handrail_id in $handrail_forbidden; do
  case "
$handrail_seen
" in *"
$handrail_id
"*) echo visible >&3; exit 125 ;; esac
done
cd -P -- "$handrail_folder" || { echo folder >&3; exit 125; }
unset OLDPWD
echo started >&3
if [ -n "$handrail_command" ]; then
  (PATH=$handrail_path && exec "$handrail_bash" -c -- "$handrail_command" bash 2>&9 3>&- 4<&- 9>&-)
else
  (PATH=$handrail_path && exec "$handrail_bash" -c 'eval "$(/bin/cat <&4)" 4<&-' bash 2>&9 3>&- 9>&-)
fi
handrail_code=$?
for handrail_round in 1 2 3 last; do
  handrail_left=
  for handrail_process in /proc/[0-9]*; do
    [ "$handrail_process" = /proc/1 ] && continue
    handrail_line=$(tr '\\000\\n' '  ' <"$handrail_process/cmdline" | head -c 100)
    [ -n "$handrail_line" ] || continue
    handrail_left=yes
    [ $handrail_round = last ] && echo "left \${handrail_process#/proc/} $handrail_line" >&3
  done
  [ -n "$handrail_left" ] || break
  [ $handrail_round = last ] || sleep 0.02
done
exit "$handrail_code"
`;

export type InitReport = {
  readonly outcome: 'started' | 'folder' | 'swapped' | 'visible' | 'silent';
  /** What still ran when the command ended, as `name (pid)`. */
  readonly left: readonly string[];
};

const maxNamed = 10;

/** Reads it as something a command may have tampered with: it decides nothing but words. */
export function readInitReport(text: string): InitReport {
  const lines = text.split('\n');
  const first = lines[0] ?? '';
  const outcome =
    first === 'started' || first === 'folder' || first === 'swapped' || first === 'visible' ? first : 'silent';
  const left = lines
    .map((line) => /^left (\d+) (.+)$/.exec(line))
    .filter((match) => match !== null)
    .map((match) => `${match[2]?.trim()} (pid ${match[1]})`);
  return { outcome, left };
}

/** One sentence for the model, or nothing. */
export function describeLeft(left: readonly string[]): string | undefined {
  if (left.length === 0) return undefined;
  const named = left.slice(0, maxNamed).join(', ') + (left.length > maxNamed ? ', …' : '');
  return left.length === 1
    ? `1 background process was ended when the command finished: ${named}`
    : `${left.length} background processes were ended when the command finished: ${named}`;
}
