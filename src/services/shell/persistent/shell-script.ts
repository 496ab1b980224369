/** What the conversation's bash is told: the text it starts with and the lines that run one command. */

/** The status pipe in the shell itself; closed in every command. High, so that scripts with descriptors of their own are free. */
const statusHandle = 199;

/** What changes what later commands do although it is not exported. */
const watchedVariables = [
  'BASH_ENV', 'BASH_XTRACEFD', 'CDPATH', 'ENV', 'EXECIGNORE', 'GLOBIGNORE', 'IFS', 'PROMPT_COMMAND', 'PS0', 'PS4',
]; // prettier-ignore

/** A NUL before each record ends what anybody else may have written. In this order, each ended by NUL: directory, exports, functions, aliases, names of variables, watched variables, traps. */
export const stateFieldCount = 7;

export type StartScript = {
  /** The folder of pipes as the shell sees it. */
  readonly io: string;
  /** The descriptor that the status pipe comes by. */
  readonly handle: number;
  readonly nonce: string;
  /** Of the shell itself: a limit on message queues (getrlimit(2), RLIMIT_MSGQUEUE), which is handed down to every child and matters to next to no program. */
  readonly mark: number;
  /** A state is there to be read back, as the file `state` in the folder. */
  readonly restores: boolean;
};

/**
 * `source` and not `eval` for commands: bash then counts as not interactive while one runs (no "[1] PID", no "exit"), and
 * LINENO starts at 1. `-i` all the same, because then SIGINT gives up the command and not the shell, SIGTERM is ignored, and
 * an error that ends a script does not end the shell. Everything by `builtin`, since a command may define functions of any name.
 */
export function startScript({ io: folder, handle, nonce, mark, restores }: StartScript): string {
  const io = quote(folder);
  return `set +o history +o monitor +H
exec ${statusHandle}>&${handle} ${handle}>&- >/dev/null 2>&1
unset -v HISTFILE MAILCHECK PS0 PS1 PS2 PROMPT_COMMAND
ulimit -S -q ${mark}
__handrail_state() {
  builtin pwd
  builtin printf '\\0'
  builtin declare -px
  builtin printf '\\0'
  builtin compgen -A function
  builtin printf '\\0'
  builtin compgen -A alias
  builtin printf '\\0'
  builtin compgen -A variable
  builtin printf '\\0'
  builtin declare -p ${watchedVariables.join(' ')}
  builtin printf '\\0'
}
__handrail_begin() {
  builtin ulimit -S -q "$1" || builtin :
  builtin hash -r || builtin :
  __handrail_problem= __handrail_back=
  if [[ -n \${2-} ]]; then
    __handrail_back=$PWD __handrail_old=\${OLDPWD-}
    builtin cd -P -- "$2" || { __handrail_back= __handrail_problem=folder; builtin return 1; }
  fi
  builtin return 0
}
__handrail_return() {
  if [[ -n \${__handrail_back-} ]]; then
    builtin cd -- "$__handrail_back" || builtin :
    OLDPWD=$__handrail_old
    [[ -n $OLDPWD ]] || builtin unset -v OLDPWD
    __handrail_back=
  fi
}
__handrail_end() {
  __handrail_return
  { builtin printf '\\0end\\0%s\\0%s\\0%s\\0%s\\0' "$1" "$2" "$3" "\${__handrail_problem-}" && __handrail_state; } >&${statusHandle}
}
__handrail_leave() {
  __handrail_return
  # Left of ||, nothing ends it early where the command has set -e.
  { builtin printf '\\0leave\\0%s\\0' ${nonce}; __handrail_state; builtin trap -p; builtin printf '\\0'; } 1<>${io}/side 2>/dev/null || builtin :
}
readonly -f __handrail_state __handrail_begin __handrail_return __handrail_end __handrail_leave
trap __handrail_leave EXIT
{ printf '\\0ready\\0%s\\0%s\\0' ${nonce} $$; __handrail_state; trap -p; printf '\\0'; } >&${statusHandle}
${restores ? `__handrail_problem=\n. ${io}/state\n{ printf '\\0restored\\0%s\\0%s\\0' ${nonce} "$__handrail_problem"; __handrail_state; trap -p; printf '\\0'; } >&${statusHandle}\n` : ''}`;
}

/** Sets the variables as \`declare -px\` printed them, and goes to the folder. */
export function restoreScript(declarations: readonly string[], unset: readonly string[], cwd: string): string {
  return [
    ...declarations,
    ...(unset.length === 0 ? [] : [`unset -v ${unset.join(' ')}`]),
    `cd -- ${quote(cwd)} || __handrail_problem=folder`,
    '',
  ].join('\n');
}

export type ScriptedCommand = {
  readonly io: string;
  readonly slot: number;
  readonly id: number;
  readonly nonce: string;
  readonly mark: number;
  /** To run in, where it is not the shell's own folder. */
  readonly folder: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
};

/** The last line is read also after SIGINT, a syntax error, or an error that ends a script. Without framing the shell is of no use. */
export function runLines(command: ScriptedCommand): string {
  const assigned = Object.entries(command.environment).map(([name, value]) => `${name}=${quote(value)} `);
  // Not by `builtin`, which would keep the variables from it.
  const source = `${assigned.join('')}\\. ${text(command)} ${streams(command)}`;
  return `${begin(command)} && ${source}\n${endLine(command)}`;
}

/** In a function bash hides the traps on DEBUG, ERR and RETURN, so these are told by the line itself. */
export function endLine({ id, nonce }: Pick<ScriptedCommand, 'id' | 'nonce'>): string {
  const traps = `{ \\builtin trap -p && \\builtin printf '\\0'; } >&${statusHandle}`;
  return `\\__handrail_end ${id} ${nonce} $? && ${traps} || \\builtin exit\n`;
}

/**
 * Beside others, in a copy of the shell. By way of a subshell with job control, so that the copy has a process group and the
 * usual SIGINT, and the shell's own \`$!\` and table of jobs stay as they are. The innermost level is the command: what waits
 * for it tells its true code, however it ended.
 */
export function forkLines(command: ScriptedCommand): string {
  const { id, nonce, environment } = command;
  const assigned = Object.entries(environment).map(([name, value]) => `\\builtin export ${name}=${quote(value)}; `);
  const errexit = 'case $__handrail_flags in *e*) \\builtin set -e ;; esac; ';
  const source = `( \\builtin trap - INT TERM HUP; \\builtin shopt -s expand_aliases; ${errexit}${assigned.join('')}\\builtin . ${text(command)} )`;
  const told = `\\builtin printf '\\0fork\\0%s\\0%s\\0%s\\0%s\\0' ${id} ${nonce} $? "\${__handrail_problem-}" 1<>${quote(command.io)}/side`;
  const copy = `\\builtin set +m +e; \\builtin trap : INT TERM HUP; ${begin(command)} && ${source} ${streams(command)}; ${told}`;
  return `( __handrail_flags=$-; \\builtin set -m; ( ${copy} ) & )\n`;
}

function begin({ mark, folder }: ScriptedCommand): string {
  return `\\__handrail_begin ${mark}${folder === undefined ? '' : ` ${quote(folder)}`}`;
}

function text({ io, slot }: ScriptedCommand): string {
  return `${quote(io)}/cmd.${slot}`;
}

function streams({ io, slot }: ScriptedCommand): string {
  return `</dev/null >${quote(io)}/out.${slot} 2>${quote(io)}/err.${slot} ${statusHandle}>&-`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
