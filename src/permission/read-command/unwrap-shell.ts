/** `sh -c '…'`, a shell that reads its standard input, and a shell script. */
import type { Field } from './expand-word.ts';
import { hasOption, readOptions } from './read-options.ts';
import type { StandardInput } from './scope.ts';
import { shellOptions } from './shell-names.ts';
import { codeOf, type Fields, type Inner } from './inner-command.ts';

const inputPath = /^(?:-|\/dev\/stdin|\/dev\/fd\/\d+|\/proc\/(?:self|thread-self)\/fd\/\d+)$/;

export function unwrapShell(
  dialect: 'bash' | 'posix' | 'other',
  args: Fields,
  isAppended: boolean,
  input: StandardInput,
): Inner[] {
  // `set`-style options may begin with a plus.
  const signed = args.map((field) =>
    field !== undefined && /^\+[a-zA-Z]/.test(field.text) ? { ...field, text: `-${field.text.slice(1)}` } : field,
  );
  const read = readOptions(signed, shellOptions, true);
  if (dialect === 'other') return unwrapOther(args, input);
  const [first] = read.operands;
  if (!read.isCertain && read.operands.length > 0 && !isSurelyCode(signed))
    return [{ kind: 'unknown', reason: 'unknown options of a shell' }];
  if (hasOption(read, 'c')) {
    if (read.operands.length === 0) return isAppended ? [{ kind: 'unknown', reason: 'code from input' }] : [];
    return [codeOf(first, dialect, { isDynamic: hasOption(read, 'l', 'login') })];
  }
  if (hasOption(read, 's') || read.operands.length === 0) {
    return isAppended ? [{ kind: 'unknown', reason: 'a script from input' }] : readInput(dialect, input);
  }
  if (first !== undefined && inputPath.test(first.text)) {
    return first.text === '-' || first.text === '/dev/stdin' ? readInput(dialect, input) : fromPipe();
  }
  return first === undefined ? [{ kind: 'unknown', reason: 'a script that is not known' }] : [];
}

/** The words up to the code are known, whatever follows it. */
function isSurelyCode(args: Fields): boolean {
  const upToCode: (Field | undefined)[] = [];
  for (const field of args.slice(0, 16)) {
    upToCode.push(field);
    const read = readOptions(upToCode, shellOptions, true);
    if (read.operands.length > 0) return read.isCertain;
  }
  return false;
}

function readInput(dialect: 'bash' | 'posix', input: StandardInput): Inner[] {
  if (input.kind === 'pipe') return fromPipe();
  return input.kind === 'text' ? [{ kind: 'code', code: input.text, dialect, change: {} }] : [];
}

function fromPipe(): Inner[] {
  return [{ kind: 'unknown', reason: 'a shell that runs what it is sent' }];
}

function unwrapOther(args: Fields, input: StandardInput): Inner[] {
  const hasCode = args.some(
    (field) => field === undefined || /^(?:-\w*[cC]\w*|--command.*|-EncodedCommand)$/.test(field.text),
  );
  const isScript = args.some((field) => field !== undefined && !field.text.startsWith('-'));
  if (hasCode || (!isScript && input.kind !== 'inherited')) {
    return [{ kind: 'unknown', reason: 'code for a shell that is not read here' }];
  }
  return [];
}
