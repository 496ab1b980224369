/** Splits a git command line: global options, the command, and its own arguments. */
import type { Field } from './expand-word.ts';
import { globalFlags, globalValues } from './git-table.ts';
import type { Fields } from './inner-command.ts';

export type GitCall = {
  /** Values of `-C`, `--git-dir` and `--work-tree`; undefined entries are not known. */
  readonly folders: readonly { readonly option: string; readonly value: Field | undefined }[];
  /** `key=value` of each `-c`; undefined when it is not known. */
  readonly settings: readonly (string | undefined)[];
  /** Settings or programs that come from elsewhere (`--config-env`, `--exec-path=…`). */
  readonly isRedirected: boolean;
  readonly verb: string | undefined;
  readonly rest: Fields;
  /** False when a word before the command is not known. */
  readonly isCertain: boolean;
};

export function readGitCall(args: Fields): GitCall {
  const folders: { option: string; value: Field | undefined }[] = [];
  const settings: (string | undefined)[] = [];
  let isRedirected = false;
  for (let index = 0; index < args.length; index += 1) {
    const field = args[index];
    const make = (verb: string | undefined, isCertain: boolean): GitCall => ({
      folders,
      settings,
      isRedirected,
      verb,
      rest: args.slice(index + 1),
      isCertain,
    });
    if (field === undefined || field.isPattern) return make(undefined, false);
    if (!field.text.startsWith('-')) return make(field.text, true);
    const equals = field.text.indexOf('=');
    const takesNext = globalValues.has(field.text) && field.text !== '--exec-path';
    if (!takesNext && !globalFlags.test(field.text) && field.text !== '--exec-path') return make(undefined, false);
    const option = equals < 0 || takesNext ? field.text : field.text.slice(0, equals);
    const value = takesNext
      ? args[index + 1]
      : equals < 0
        ? undefined
        : { ...field, text: field.text.slice(equals + 1) };
    if (takesNext) index += 1;
    if (option === '-C' || option === '--git-dir' || option === '--work-tree') folders.push({ option, value });
    else if (option === '-c') settings.push(value?.isPattern === true ? undefined : value?.text);
    else if (option === '--config-env' || (option === '--exec-path' && equals >= 0)) isRedirected = true;
  }
  return { folders, settings, isRedirected, verb: undefined, rest: [], isCertain: true };
}
