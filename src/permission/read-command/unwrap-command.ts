/** Finds the commands inside a command: what `env`, `sudo`, `xargs`, `sh -c` or `find -exec` would run. */
import type { Field } from './expand-word.ts';
import { codeOf, joinCode, type Fields, type Inner, type InnerChange } from './inner-command.ts';
import { hasOption, readOptions, type OptionsRead } from './read-options.ts';
import { unwrapSpecial } from './unwrap-special.ts';
import { unwrapShell } from './unwrap-shell.ts';
import { shells } from './shell-names.ts';
import { wrappers, type Wrapper } from './wrapper-table.ts';
import type { StandardInput } from './scope.ts';

export type Unwrapped = {
  readonly inner: readonly Inner[];
  /** The wrapper itself needs no rule. */
  readonly isTransparent: boolean;
};

const sameShell = new Set(['command', 'builtin', 'eval', 'exec', 'noglob', 'nocorrect', '-']);

/** The inner commands, or undefined when this is no wrapper. `args` are the words behind the head. */
export function unwrapCommand(
  head: string,
  args: Fields,
  isAppended: boolean,
  input: StandardInput,
): Unwrapped | undefined {
  const dialect = shells.get(head);
  if (dialect !== undefined) return { inner: unwrapShell(dialect, args, isAppended, input), isTransparent: false };
  const special = unwrapSpecial(head, args, input);
  if (special !== undefined) return { inner: special, isTransparent: head === 'eval' };
  const wrapper = Object.hasOwn(wrappers, head) ? wrappers[head] : undefined;
  if (wrapper === undefined) return undefined;
  const inner = unwrapByTable(head, wrapper, args, isAppended);
  return inner === undefined ? undefined : { inner, isTransparent: wrapper.isTransparent === true };
}

function unwrapByTable(head: string, wrapper: Wrapper, args: Fields, isAppended: boolean): Inner[] | undefined {
  let words = args;
  if (wrapper.verbs !== undefined) {
    const verb = words.findIndex((field) => field === undefined || !field.text.startsWith('-'));
    const word = words[verb];
    if (word === undefined || !wrapper.verbs.split(' ').includes(word.text)) return undefined;
    words = [...words.slice(0, verb), ...words.slice(verb + 1)];
  }
  if (wrapper.afterDashes === true) return unwrapAfterDashes(wrapper, words);
  const read = readOptions(words, wrapper, true);
  if (wrapper.inert !== undefined && hasOption(read, ...wrapper.inert)) return [];
  const inner: Inner[] = [];
  const codes = read.options.filter(({ name }) => wrapper.code?.split(' ').includes(name) === true);
  for (const { value } of codes) inner.push(codeOf(value ?? undefined, 'posix', { isDynamic: true }));
  if (codes.length === 0) inner.push(...unwrapRest(head, wrapper, read, isAppended));
  return inner;
}

function unwrapAfterDashes(wrapper: Wrapper, words: Fields): Inner[] {
  const dashes = words.findIndex((field) => field?.text === '--');
  const change = { isForeign: wrapper.isForeign === true };
  if (dashes >= 0) return [{ kind: 'command', fields: words.slice(dashes + 1), change }];
  return words.length === 0 ? [] : [{ kind: 'unknown', reason: 'where its command begins is not certain' }];
}

function unwrapRest(head: string, wrapper: Wrapper, read: OptionsRead, isAppended: boolean): Inner[] {
  let rest = read.operands;
  const names: string[] = [];
  let isDynamic = hasOption(read, 'i', 'ignore-environment');
  for (const { name, value } of head === 'env' ? read.options : []) {
    if (name === 'S' || name === 'split-string') {
      const split = splitEnvString(value ?? undefined);
      if (split === undefined) return [{ kind: 'unknown', reason: 'env -S with quotes or variables' }];
      rest = [...split, ...rest];
    }
    if ((name === 'u' || name === 'unset') && value) names.push(value.text);
  }
  if (head === 'env' && rest[0]?.text === '-') {
    rest = rest.slice(1);
    isDynamic = true;
  }
  let start = wrapper.operands ?? 0;
  for (; wrapper.takesAssignments === true; start += 1) {
    const name = /^([^=/-][^=]*)=/s.exec(rest[start]?.text ?? '')?.[1];
    if (name === undefined) break;
    names.push(name);
  }
  if (rest[start]?.text === '--') start += 1;
  rest = rest.slice(start);
  const replaced = replacedByInput(head, read);
  if (!read.isCertain && (rest.length > 0 || read.operands.length > 0)) {
    return [{ kind: 'unknown', reason: 'an option that may take a value' }];
  }
  if (rest.length === 0)
    return wrapper.appends === true && isAppended ? [{ kind: 'unknown', reason: 'a command from input' }] : [];
  const change: InnerChange = {
    isForeign: wrapper.isForeign === true,
    isMoved: wrapper.moving !== undefined && hasOption(read, ...wrapper.moving.split(' ')),
    isAppended: isAppended || (wrapper.appends === true && replaced === undefined),
    isSameShell: sameShell.has(head),
    names,
    isDynamic,
  };
  if (wrapper.joins === true && !(head === 'watch' && hasOption(read, 'x', 'exec'))) {
    return [joinCode(rest, isAppended, change)];
  }
  const fields =
    replaced === undefined ? rest : rest.map((field) => (field?.text.includes(replaced) === true ? undefined : field));
  return [{ kind: 'command', fields, change }];
}

/** The mark that xargs replaces by what it reads. */
function replacedByInput(head: string, read: OptionsRead): string | undefined {
  if (head !== 'xargs') return undefined;
  const option = read.options.findLast(({ name }) => name === 'I' || name === 'i' || name === 'replace');
  if (option === undefined) return undefined;
  return option.value?.text || '{}';
}

/** `env -S` splits by rules of its own; only plain words mean the same everywhere. */
function splitEnvString(value: Field | undefined): Field[] | undefined {
  if (value === undefined || value.isPattern || !/^[\w ./=,:+@%-]*$/.test(value.text)) return undefined;
  return value.text
    .split(' ')
    .filter((word) => word !== '')
    .map((text) => ({ text, isPattern: false }));
}
