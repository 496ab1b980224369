/** Builtins of the shell that run code given in their arguments. */
import { codeOf, joinCode, unknownCode, type Fields, type Inner } from './inner-command.ts';
import type { StandardInput } from './scope.ts';

/** The words are joined and read again, in the shell itself. */
export function unwrapEval(args: Fields): Inner[] {
  const words = args[0]?.text === '--' ? args.slice(1) : args;
  if (words.length === 0) return [];
  const inner = joinCode(words, false, { isSameShell: true });
  return [inner.kind === 'code' ? { ...inner, dialect: 'bash' } : inner];
}

export function unwrapTrap(args: Fields): Inner[] {
  const rest = args[0]?.text === '--' ? args.slice(1) : args;
  const [code] = rest;
  if (rest.length < 2 || (code !== undefined && /^(?:-[lp]?|\d+)$/.test(code.text))) return [];
  return [codeOf(code, 'bash', { isMoved: true })];
}

/** An alias is read where it is made: later commands may begin with it. */
export function unwrapAlias(args: Fields): Inner[] {
  const inner: Inner[] = [];
  for (const field of args) {
    if (field === undefined) return unknownCode('an alias that is not known');
    const equals = field.text.indexOf('=');
    if (equals >= 0)
      inner.push(codeOf({ ...field, text: field.text.slice(equals + 1) }, 'bash', { isMoved: true, isAppended: true }));
  }
  return inner;
}

export function unwrapSource(args: Fields, input: StandardInput): Inner[] {
  const [file] = args;
  if (file === undefined || !/^\/(?:dev|proc)\//.test(file.text)) return [];
  if (file.text === '/dev/stdin' && input.kind === 'text')
    return [{ kind: 'code', code: input.text, dialect: 'bash', change: { isSameShell: true } }];
  return file.text === '/dev/null' ? [] : unknownCode('a script that comes through a pipe');
}
