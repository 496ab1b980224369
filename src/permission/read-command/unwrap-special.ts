/** Commands that run others in a way of their own: eval, find, flock, script, parallel, tmux and the like. */
import { hasOption, readOptions, type OptionTable } from './read-options.ts';
import type { StandardInput } from './scope.ts';
import { codeOf, joinCode, type Fields, type Inner } from './inner-command.ts';
import { unwrapShell } from './unwrap-shell.ts';
import { interpreters } from './wrapper-table.ts';

type Unwrap = (args: Fields, input: StandardInput) => Inner[] | undefined;

const unknown = (reason: string): Inner[] => [{ kind: 'unknown', reason }];

/** Options of any command that are followed by a command line of their own; see each program's manual. */
const codeOptions: Readonly<Record<string, RegExp>> = {
  rg: /^--pre(?:=|$)/,
  tar: /^--(?:to-command|use-compress-program|rsh-command|info-script|new-volume-script|checkpoint-action=exec|checkpoint-action=\w*exec)(?:=|$)|^-[IF]/,
  rsync: /^(?:--rsh|--rsync-path)(?:=|$)|^-\w*e/,
  sort: /^--compress-program(?:=|$)/,
  split: /^--filter(?:=|$)/,
  man: /^(?:--pager)(?:=|$)|^-P/,
  zip: /^(?:-TT|--unzip-command)(?:=|$)/,
  compgen: /^-C/,
  complete: /^-C/,
  mapfile: /^-C/,
  readarray: /^-C/,
  nodemon: /^(?:-x|--exec)(?:=|$)/,
  scp: /^-\w*S/,
  sftp: /^-\w*S/,
};

const suOptions: OptionTable = {
  values: 'gGsTwcC',
  flags: 'lmpfP',
  longValues: 'group supp-group shell whitelist-environment command session-command',
  longFlags: 'login preserve-environment fast pty',
};

const table: Readonly<Record<string, Unwrap>> = {
  eval: (args) =>
    args.length === 0
      ? []
      : [asSameShell(joinCode(args[0]?.text === '--' ? args.slice(1) : args, false, { isSameShell: true }))],
  trap: unwrapTrap,
  alias: unwrapAlias,
  source: unwrapSource,
  '.': unwrapSource,
  fc: (args) =>
    args.some((field) => field === undefined || /^-\w*[se]/.test(field.text))
      ? unknown('an earlier command is run again')
      : [],
  jobs: (args) => (args[0]?.text === '-x' ? [{ kind: 'command', fields: args.slice(1), change: {} }] : []),
  su: unwrapSu,
  sg: (args) => (args.length < 2 ? [] : [joinCode(args[1]?.text === '-c' ? args.slice(2) : args.slice(1), false, {})]),
  flock: unwrapFlock,
  script: unwrapScript,
  parallel: unwrapParallel,
  sem: unwrapParallel,
  tmux: unwrapTmux,
  screen: (args) =>
    args.length === 0 || args.every((field) => field !== undefined && /^-(?:ls|list|r|wipe|v)/.test(field.text))
      ? []
      : unwrapBehindOptions(args, { values: 'cehpsStTU', flags: 'aAdDmiLlnOqRrUxX' }),
  gdb: unwrapDebugger,
  lldb: unwrapDebugger,
  capsh: (args) =>
    unwrapDashes(args, (rest) => [
      { kind: 'command', fields: [{ text: 'bash', isPattern: false }, ...rest], change: {} },
    ]),
  xterm: unwrapTerminal,
  'x-terminal-emulator': unwrapTerminal,
  konsole: unwrapTerminal,
  hyperfine: (args) =>
    readOptions(
      args,
      {
        values: 'wrmMpscLDuNn',
        isLenient: true,
        longValues:
          'warmup runs min-runs max-runs prepare setup cleanup conclude parameter-list parameter-scan export-json export-markdown shell',
      },
      false,
    ).operands.map((field) => codeOf(field, 'posix', {})),
  fd: unwrapFd,
  fdfind: unwrapFd,
  perf: (args) =>
    ['stat', 'record', 'trace'].includes(args[0]?.text ?? '')
      ? unwrapBehindOptions(args.slice(1), { values: 'eorCFcGpt', flags: 'adgivDnBx', isLenient: true })
      : [],
  ip: (args) =>
    args[0]?.text === 'netns' && args[1]?.text === 'exec'
      ? [{ kind: 'command', fields: args.slice(3), change: {} }]
      : undefined,
  coreutils: (args) => {
    const program = args[0]?.text.match(/^--coreutils-prog(?:-shebang)?=(.+)$/s)?.[1];
    return program === undefined
      ? []
      : [{ kind: 'command', fields: [{ text: program, isPattern: false }, ...args.slice(1)], change: {} }];
  },
};

/** The inner commands, or undefined when the head is not one of these. */
export function unwrapSpecial(head: string, args: Fields, input: StandardInput): Inner[] | undefined {
  if (/^ld-(?:linux|musl)[\w.-]*$/.test(head))
    return unwrapBehindOptions(args, {
      longValues: 'library-path preload argv0 audit inhibit-rpath glibc-hwcaps-prepend glibc-hwcaps-mask',
      longFlags: 'inhibit-cache list verify help version list-tunables list-diagnostics',
    });
  const unwrap = Object.hasOwn(table, head) ? table[head] : undefined;
  if (unwrap !== undefined) return unwrap(args, input);
  const option = Object.hasOwn(codeOptions, head) ? codeOptions[head] : undefined;
  const found = option === undefined ? [] : unwrapOptions(args, option);
  if (found.length > 0) return found;
  if (interpreters.test(head) && input.kind === 'pipe' && args.every((field) => field?.text === '-')) {
    return unknown('an interpreter that runs what it is sent');
  }
  return undefined;
}

function unwrapOptions(args: Fields, option: RegExp): Inner[] {
  const inner: Inner[] = [];
  for (const [index, field] of args.entries()) {
    const match = field === undefined ? null : option.exec(field.text);
    if (match === null || field === undefined) continue;
    const attached = field.text.slice(match[0].length);
    const value = attached === '' && !match[0].endsWith('=') ? args[index + 1] : { ...field, text: attached };
    inner.push(codeOf(value, 'posix', { isAppended: true }));
  }
  return inner;
}

function asSameShell(inner: Inner): Inner {
  return inner.kind === 'code' ? { ...inner, dialect: 'bash' } : inner;
}

function unwrapTrap(args: Fields): Inner[] {
  const rest = args[0]?.text === '--' ? args.slice(1) : args;
  const [code] = rest;
  if (rest.length < 2 || (code !== undefined && /^(?:-[lp]?|\d+)$/.test(code.text))) return [];
  return [codeOf(code, 'bash', { isMoved: true })];
}

/** An alias is read where it is made: later commands may begin with it. */
function unwrapAlias(args: Fields): Inner[] {
  const inner: Inner[] = [];
  for (const field of args) {
    if (field === undefined) return unknown('an alias that is not known');
    const equals = field.text.indexOf('=');
    if (equals >= 0)
      inner.push(codeOf({ ...field, text: field.text.slice(equals + 1) }, 'bash', { isMoved: true, isAppended: true }));
  }
  return inner;
}

function unwrapSource(args: Fields, input: StandardInput): Inner[] {
  const [file] = args;
  if (file === undefined || !/^\/(?:dev|proc)\//.test(file.text)) return [];
  if (file.text === '/dev/stdin' && input.kind === 'text')
    return [{ kind: 'code', code: input.text, dialect: 'bash', change: { isSameShell: true } }];
  return file.text === '/dev/null' ? [] : unknown('a script that comes through a pipe');
}

/** Options may stand behind the user; what follows the user goes to the shell. */
function unwrapSu(args: Fields, input: StandardInput): Inner[] {
  const read = readOptions(args, suOptions, false);
  if (!read.isCertain) return unknown('an option that may take a value');
  const codes = read.options.filter(({ name }) => name === 'c' || name.endsWith('command'));
  if (codes.length > 0) return codes.map(({ value }) => codeOf(value ?? undefined, 'posix', { isDynamic: true }));
  const rest = read.operands.slice(read.operands[0]?.text === '-' ? 2 : 1);
  return unwrapShell('posix', rest, false, input);
}

function unwrapFlock(args: Fields): Inner[] {
  const read = readOptions(
    args,
    {
      values: 'wEc',
      flags: 'sxeunFov',
      longValues: 'wait timeout conflict-exit-code command',
      longFlags: 'shared exclusive unlock nonblock nb no-fork close verbose',
    },
    true,
  );
  const [, next, ...rest] = read.operands;
  if (!read.isCertain) return unknown('an option that may take a value');
  if (read.operands.length < 2) return [];
  if (next?.text === '-c' || next?.text === '--command') return [codeOf(rest[0], 'posix', {})];
  return [{ kind: 'command', fields: read.operands.slice(1), change: {} }];
}

function unwrapScript(args: Fields): Inner[] {
  const read = readOptions(
    args,
    {
      values: 'cIOBmEoT',
      attached: 't',
      flags: 'aefqV',
      longValues: 'command log-in log-out log-io log-timing logging-format echo output-limit',
      longFlags: 'append return flush force quiet timing',
    },
    false,
  );
  if (!read.isCertain) return unknown('an option that may take a value');
  const codes = read.options.filter(({ name }) => name === 'c' || name === 'command');
  if (codes.length > 0) return codes.map(({ value }) => codeOf(value ?? undefined, 'posix', {}));
  return unwrapDashes(args, (rest) => [{ kind: 'command', fields: rest, change: {} }]);
}

function unwrapDashes(args: Fields, make: (rest: Fields) => Inner[]): Inner[] {
  const dashes = args.findIndex((field) => field?.text === '--');
  return dashes < 0 ? [] : make(args.slice(dashes + 1));
}

/** The command stands before `:::`; without one, the input holds commands. */
function unwrapParallel(args: Fields): Inner[] {
  const read = readOptions(
    args,
    {
      values: 'jnNLIadSCPsXE',
      flags: '0kqtuvmXxr',
      longValues:
        'jobs max-args arg-file colsep delay timeout retries joblog results sshlogin tagstring max-procs load memfree halt env workdir wd',
      longFlags:
        'keep-order dry-run bar eta progress tag line-buffer ungroup no-notice will-cite verbose null quote pipe progress group fg wait citation no-run-if-empty',
    },
    true,
  );
  if (!read.isCertain) return unknown('an option that may take a value');
  const marker = read.operands.findIndex((field) => /^:{3,4}\+?$/.test(field?.text ?? ''));
  const command = marker < 0 ? read.operands : read.operands.slice(0, marker);
  if (command.length === 0) return unknown('commands from input');
  const inserted = command.map((field) => (field !== undefined && /\{[^\s,]*\}/.test(field.text) ? undefined : field));
  const first: Inner = { kind: 'command', fields: [...inserted], change: { isAppended: true } };
  return inserted.every((field) => field !== undefined && /^[\w./=+:@%-]+$/.test(field.text))
    ? [first]
    : [joinCode(inserted, false, { isAppended: true })];
}

function unwrapTmux(args: Fields): Inner[] {
  const read = readOptions(args, { values: 'cfLST', flags: '2CDlNquUvV' }, true);
  const [verb, ...rest] = read.operands;
  const name = verb?.text ?? '';
  if (
    read.operands.length === 0 ||
    /^(?:ls|list-\w+|has(?:-session)?|capture-pane|capturep|display(?:-message)?|show\S*|attach(?:-session)?|a|info|select-\w+|resize-\w+|set(?:-option)?|kill-\S+)$/.test(
      name,
    )
  )
    return [];
  if (!/^(?:new(?:-session)?|neww|new-window|splitw|split-window|respawn\S*)$/.test(name))
    return unknown('tmux runs what it is told');
  const options = readOptions(rest, { values: 'cefFnstxylp', flags: 'aAbdDEhIkPSvXZ' }, true);
  if (!options.isCertain) return unknown('an option that may take a value');
  return options.operands.length === 0 ? [] : [joinCode(options.operands, false, { isMoved: true })];
}

function unwrapDebugger(args: Fields): Inner[] {
  const inner: Inner[] = [];
  for (const [index, field] of args.entries()) {
    const option =
      field === undefined
        ? null
        : /^--?(?:ex|eval-command|iex|init-eval-command|o|one-line|O|x|command|s|source)(?:=([\s\S]*))?$/.exec(
            field.text,
          );
    if (option === null) continue;
    const value = option[1] ?? args[index + 1]?.text;
    if (
      value === undefined ||
      /^\s*(?:[!|]|(?:shell|pipe|python|py|source|make|platform|script|call|print|p)(?!\w))/.test(value)
    )
      inner.push(...unknown('a debugger that runs what it is told'));
  }
  const start = args.findIndex((field) => field?.text === '--args' || field?.text === '--');
  if (start >= 0) inner.push({ kind: 'command', fields: args.slice(start + 1), change: {} });
  return inner;
}

function unwrapTerminal(args: Fields): Inner[] {
  const start = args.findIndex((field) => field?.text === '-e' || field?.text === '-x' || field?.text === '--command');
  if (start < 0) return [];
  const rest = args.slice(start + 1);
  return rest.length === 1 ? [codeOf(rest[0], 'posix', {})] : [{ kind: 'command', fields: rest, change: {} }];
}

function unwrapFd(args: Fields): Inner[] {
  const start = args.findIndex((field) => /^(?:-\w*[xX]|--exec|--exec-batch)$/.test(field?.text ?? ''));
  if (start < 0) return args.includes(undefined) ? unknown('options that are not known') : [];
  const fields = args.slice(start + 1).filter((field) => field?.text !== ';');
  return [
    {
      kind: 'command',
      fields: fields.map((field) => (field?.text.includes('{') === true ? undefined : field)),
      change: { isAppended: true },
    },
  ];
}

function unwrapBehindOptions(args: Fields, options: OptionTable): Inner[] {
  const read = readOptions(args, options, true);
  if (!read.isCertain || hasOption(read, 'X')) return unknown('an option that may take a value');
  return read.operands.length === 0 ? [] : [{ kind: 'command', fields: read.operands, change: {} }];
}
