/** Commands that run others in a way of their own, by name. */
import { codeOf, joinCode, unknownCode, type Fields, type Inner } from './inner-command.ts';
import { readOptions } from './read-options.ts';
import type { StandardInput } from './scope.ts';
import { interpreters } from './shell-names.ts';
import { unwrapAlias, unwrapEval, unwrapSource, unwrapTrap } from './unwrap-builtin.ts';
import {
  unwrapBehindOptions,
  unwrapDashes,
  unwrapDebugger,
  unwrapFd,
  unwrapFlock,
  unwrapParallel,
  unwrapScript,
  unwrapSu,
  unwrapTerminal,
  unwrapTmux,
} from './unwrap-program.ts';

type Unwrap = (args: Fields, input: StandardInput) => Inner[] | undefined;

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

const table: Readonly<Record<string, Unwrap>> = {
  eval: unwrapEval,
  trap: unwrapTrap,
  alias: unwrapAlias,
  source: unwrapSource,
  '.': unwrapSource,
  fc: (args) =>
    args.some((field) => field === undefined || /^-\w*[se]/.test(field.text))
      ? unknownCode('an earlier command is run again')
      : [],
  jobs: (args) => (args[0]?.text === '-x' ? [{ kind: 'command', fields: args.slice(1), change: {} }] : []),
  su: unwrapSu,
  runuser: unwrapSu,
  setarch: (args) =>
    unwrapBehindOptions(args[0]?.text.startsWith('-') === true ? args : args.slice(1), { isLenient: true }),
  sg: (args) => (args.length < 2 ? [] : [joinCode(args[1]?.text === '-c' ? args.slice(2) : args.slice(1), false, {})]),
  flock: unwrapFlock,
  script: unwrapScript,
  parallel: unwrapParallel,
  sem: unwrapParallel,
  tmux: unwrapTmux,
  screen: (args) =>
    args.every((field) => field !== undefined && /^-(?:ls|list|r|wipe|v)/.test(field.text))
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
    return unknownCode('an interpreter that runs what it is sent');
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
