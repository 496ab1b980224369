/** Programs that run others, and spell it in a way of their own. */
import { codeOf, joinCode, unknownCode, type Fields, type Inner } from './inner-command.ts';
import { hasOption, readOptions, type OptionTable } from './read-options.ts';
import type { StandardInput } from './scope.ts';
import { unwrapShell } from './unwrap-shell.ts';

const suOptions: OptionTable = {
  values: 'gGsTwcCu',
  flags: 'lmpfP',
  longValues: 'group supp-group shell whitelist-environment command session-command user',
  longFlags: 'login preserve-environment fast pty',
};

/** Options may stand behind the user; what follows the user goes to the shell. */
export function unwrapSu(args: Fields, input: StandardInput): Inner[] {
  const read = readOptions(args, suOptions, false);
  if (!read.isCertain) return unknownCode('an option that may take a value');
  const codes = read.options.filter(({ name }) => name === 'c' || name.endsWith('command'));
  if (codes.length > 0) return codes.map(({ value }) => codeOf(value ?? undefined, 'posix', { isDynamic: true }));
  // `runuser -u` is followed by a command, not by a user.
  if (hasOption(read, 'u', 'user')) return [{ kind: 'command', fields: read.operands, change: {} }];
  const rest = read.operands.slice(read.operands[0]?.text === '-' ? 2 : 1);
  return unwrapShell('posix', rest, false, input);
}

export function unwrapFlock(args: Fields): Inner[] {
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
  if (!read.isCertain) return unknownCode('an option that may take a value');
  if (read.operands.length < 2) return [];
  if (next?.text === '-c' || next?.text === '--command') return [codeOf(rest[0], 'posix', {})];
  return [{ kind: 'command', fields: read.operands.slice(1), change: {} }];
}

export function unwrapScript(args: Fields): Inner[] {
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
  if (!read.isCertain) return unknownCode('an option that may take a value');
  const codes = read.options.filter(({ name }) => name === 'c' || name === 'command');
  if (codes.length > 0) return codes.map(({ value }) => codeOf(value ?? undefined, 'posix', {}));
  return unwrapDashes(args, (rest) => [{ kind: 'command', fields: rest, change: {} }]);
}

export function unwrapDashes(args: Fields, make: (rest: Fields) => Inner[]): Inner[] {
  const dashes = args.findIndex((field) => field?.text === '--');
  return dashes < 0 ? [] : make(args.slice(dashes + 1));
}

/** The command stands before `:::`; without one, the input holds commands. */
export function unwrapParallel(args: Fields): Inner[] {
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
  if (!read.isCertain) return unknownCode('an option that may take a value');
  const marker = read.operands.findIndex((field) => /^:{3,4}\+?$/.test(field?.text ?? ''));
  const command = marker < 0 ? read.operands : read.operands.slice(0, marker);
  if (command.length === 0) return unknownCode('commands from input');
  const inserted = command.map((field) =>
    field !== undefined && field.text.includes('{') && field.text.includes('}') ? undefined : field,
  );
  const first: Inner = { kind: 'command', fields: [...inserted], change: { isAppended: true } };
  return inserted.every((field) => field !== undefined && /^[\w./=+:@%-]+$/.test(field.text))
    ? [first]
    : [joinCode(inserted, false, { isAppended: true })];
}

export function unwrapTmux(args: Fields): Inner[] {
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
    return unknownCode('tmux runs what it is told');
  const options = readOptions(rest, { values: 'cefFnstxylp', flags: 'aAbdDEhIkPSvXZ' }, true);
  if (!options.isCertain) return unknownCode('an option that may take a value');
  return options.operands.length === 0 ? [] : [joinCode(options.operands, false, { isMoved: true })];
}

export function unwrapDebugger(args: Fields): Inner[] {
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
      inner.push(...unknownCode('a debugger that runs what it is told'));
  }
  const start = args.findIndex((field) => field?.text === '--args' || field?.text === '--');
  if (start >= 0) inner.push({ kind: 'command', fields: args.slice(start + 1), change: {} });
  return inner;
}

export function unwrapTerminal(args: Fields): Inner[] {
  const start = args.findIndex((field) => field?.text === '-e' || field?.text === '-x' || field?.text === '--command');
  if (start < 0) return [];
  const rest = args.slice(start + 1);
  return rest.length === 1 ? [codeOf(rest[0], 'posix', {})] : [{ kind: 'command', fields: rest, change: {} }];
}

export function unwrapFd(args: Fields): Inner[] {
  const start = args.findIndex((field) => /^(?:-\w*[xX]|--exec|--exec-batch)$/.test(field?.text ?? ''));
  if (start < 0) return args.includes(undefined) ? unknownCode('options that are not known') : [];
  const fields = args.slice(start + 1).filter((field) => field?.text !== ';');
  return [
    {
      kind: 'command',
      fields: fields.map((field) => (field?.text.includes('{') === true ? undefined : field)),
      change: { isAppended: true },
    },
  ];
}

export function unwrapBehindOptions(args: Fields, options: OptionTable): Inner[] {
  const read = readOptions(args, options, true);
  if (!read.isCertain || hasOption(read, 'X')) return unknownCode('an option that may take a value');
  return read.operands.length === 0 ? [] : [{ kind: 'command', fields: read.operands, change: {} }];
}
