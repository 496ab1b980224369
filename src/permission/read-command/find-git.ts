/** Judges one git command: what it destroys or sends, and which commands it runs in turn. */
import { posix } from 'node:path';
import type { Field } from './expand-word.ts';
import type { Danger } from './find-danger.ts';
import type { GitCall } from './git-arguments.ts';
import { always, commandKeys, folderKeys, sometimes, tame } from './git-table.ts';
import { codeOf, joinCode, type Fields, type Inner } from './inner-command.ts';
import { readOptions } from './read-options.ts';
import { maxValueLength, type Places } from './scope.ts';

/** The dangers of the command. `areFoldersKnown` is false when variables say where the repository is. */
export function findGitDangers(
  call: GitCall,
  places: Places,
  areFoldersKnown: boolean,
  exists: (path: string) => boolean = () => false,
): Danger[] {
  const { verb, rest } = call;
  if (verb === undefined || isHelp(rest)) return [];
  const targets = areFoldersKnown ? repositoryFolders(call, places) : [undefined];
  const dangers: Danger[] = [];
  // What is pushed or mailed leaves the sandbox, wherever the repository is.
  if (always.has(verb)) dangers.push({ kind: 'git', targets: /push|send/.test(verb) ? [undefined] : targets });
  else if (changesWork(verb, rest) || (verb === 'checkout' && namesFile(rest, targets, exists)))
    dangers.push({ kind: 'git', targets: verb === 'lfs' || verb === 'svn' ? [undefined] : targets });
  if (removesFiles(verb, rest))
    dangers.push({ kind: 'removes', targets: isPathless(verb, rest) ? targets : joinAll(targets, rest) });
  return dangers;
}

function isHelp(rest: Fields): boolean {
  return rest.length > 0 && rest.every((field) => field?.text === '--help' || field?.text === '-h');
}

/** Where the repository is that the command works on, one entry per option that says so. */
function repositoryFolders(call: GitCall, places: Places): (Field | undefined)[] {
  let current: (Field | undefined)[] =
    places === undefined || places.length === 0 ? [undefined] : places.map((text) => ({ text, isPattern: false }));
  const found: (Field | undefined)[] = [];
  for (const { option, value } of call.folders) {
    const next = current.map((place) => joinPlace(place, value));
    if (option === '-C') current = next;
    else found.push(...next);
  }
  return [...current, ...found];
}

function joinPlace(place: Field | undefined, value: Field | undefined): Field | undefined {
  if (value === undefined || value.isPattern) return undefined;
  if (value.text.startsWith('/')) return value;
  const text = place === undefined ? undefined : posix.resolve(place.text, value.text);
  return text === undefined || text.length > maxValueLength ? undefined : { text, isPattern: false };
}

function joinAll(folders: readonly (Field | undefined)[], rest: Fields): (Field | undefined)[] {
  const paths = readOptions(
    rest,
    { values: 'e', longValues: 'exclude pathspec-from-file', isLenient: true },
    false,
  ).operands;
  return [
    ...folders,
    ...folders.flatMap((folder) => paths.map((path) => (path?.isPattern === true ? folder : joinPlace(folder, path)))),
  ];
}

function isPathless(verb: string, rest: Fields): boolean {
  return verb === 'clean' && readOptions(rest, { values: 'e', isLenient: true }, false).operands.length === 0;
}

function removesFiles(verb: string, rest: Fields): boolean {
  if (verb !== 'clean' && verb !== 'rm') return false;
  return !rest.some((field) => /^(?:-\w*n\w*|--dry-run|--cached)$/.test(field?.text ?? ''));
}

function changesWork(verb: string, rest: Fields): boolean {
  const has = (pattern: RegExp): boolean => rest.some((field) => field === undefined || pattern.test(field.text));
  const pattern = Object.hasOwn(sometimes, verb) ? sometimes[verb] : undefined;
  if (pattern !== undefined && has(pattern)) return true;
  switch (verb) {
    case 'merge':
    case 'pull':
      return (
        !rest.some((field) => field?.text === '--ff-only') || has(/^(?:--abort|--rebase.*|-r|--no-ff|--force|-f)$/)
      );
    case 'checkout':
      return discardsByCheckout(rest);
    case 'restore':
      return !has(/^(?:--staged|-\w*S\w*)$/) || has(/^(?:--worktree|-\w*W\w*)$/);
    case 'symbolic-ref':
      return readOptions(rest, { values: 'm', isLenient: true }, false).operands.length > 1;
    case 'notes':
      return false;
    default:
      return false;
  }
}

/** One name switches branches; paths, `-f` and `-B` throw changes away. */
function discardsByCheckout(rest: Fields): boolean {
  if (
    rest.some(
      (field) =>
        field === undefined ||
        /^(?:--|-\w*[fBp]\w*|--force|--patch|--ours|--theirs|--merge|--pathspec-from-file.*|--overlay|--no-overlay)$/.test(
          field.text,
        ),
    )
  ) {
    return true;
  }
  const read = readOptions(rest, { values: 'b', longValues: 'orphan conflict', isLenient: true }, false);
  const makesBranch = read.options.some(
    ({ name }) => name === 'b' || name === 'orphan' || name === 'track' || name === 't',
  );
  const [first, ...others] = read.operands;
  if (!makesBranch && others.length > 0) return true;
  return (
    first !== undefined &&
    (first.isPattern || /^(?:\.\.?$|\.{0,2}\/|:)|\/$|\.[A-Za-z][A-Za-z0-9]{0,7}$/.test(first.text))
  );
}

/** `git checkout src` throws the changes in a folder away where there is one of that name (git-checkout(1)). */
function namesFile(rest: Fields, folders: readonly (Field | undefined)[], exists: (path: string) => boolean): boolean {
  const read = readOptions(rest, { values: 'bB', longValues: 'orphan conflict', isLenient: true }, false);
  const [first] = read.operands;
  if (first === undefined || first.isPattern || read.options.some(({ name }) => name === 'b')) return false;
  return folders.some((folder) => {
    const path = joinPlace(folder, first)?.text;
    return path !== undefined && exists(path);
  });
}

/** Commands that git would run: aliases, settings that name programs, `bisect run` and the like. */
export function unwrapGit(call: GitCall): Inner[] {
  const inner: Inner[] = call.settings.flatMap((setting) => unwrapSetting(setting, call));
  if (!call.isCertain) inner.push({ kind: 'unknown', reason: 'a git command that is not known' });
  if (call.isRedirected)
    inner.push({ kind: 'unknown', reason: 'settings or programs of git that come from elsewhere' });
  const { verb, rest } = call;
  const isAlias = call.settings.some((setting) => setting?.toLowerCase().startsWith(`alias.${verb?.toLowerCase()}=`));
  if (verb !== undefined && !isAlias && !tame.has(verb) && !always.has(verb)) {
    inner.push({ kind: 'unknown', reason: 'a git command that may be an alias' });
  }
  for (const next of unwrapVerb(call, verb, rest)) inner.push(next);
  return inner;
}

function unwrapSetting(setting: string | undefined, call: GitCall): Inner[] {
  if (setting === undefined) return [{ kind: 'unknown', reason: 'a setting of git that is not known' }];
  const equals = setting.indexOf('=');
  const key = (equals < 0 ? setting : setting.slice(0, equals)).toLowerCase();
  const value = equals < 0 ? '' : setting.slice(equals + 1).trim();
  if (key.startsWith('alias.')) return unwrapAlias(value, key === `alias.${call.verb?.toLowerCase()}` ? call.rest : []);
  if (folderKeys.test(key) && !/^(?:|\/dev\/null|never|user|always|https?:\/\/\S*)$/.test(value)) {
    return [{ kind: 'unknown', reason: 'a setting of git that makes it obey other files' }];
  }
  if (
    !commandKeys.test(key) ||
    /^(?:|true|false|0|1|input|auto|less(?: -\w+)?|cat|ssh|store|cache|checkout|merge|rebase|none)$/.test(value)
  )
    return [];
  return [{ kind: 'code', code: value.replace(/^!/, ''), dialect: 'posix', change: { isAppended: true } }];
}

function unwrapAlias(value: string, rest: Fields): Inner[] {
  if (value.startsWith('!'))
    return [{ kind: 'code', code: value.slice(1), dialect: 'posix', change: { isAppended: true } }];
  if (!/^[\w ./=,:@%+-]+$/.test(value)) return [{ kind: 'unknown', reason: 'an alias with quotes' }];
  const words = `git ${value}`.split(/ +/).map((text) => ({ text, isPattern: false }));
  return [{ kind: 'command', fields: [...words, ...rest], change: {} }];
}

function unwrapVerb(call: GitCall, verb: string | undefined, rest: Fields): Inner[] {
  switch (verb) {
    case 'submodule': {
      const at = rest.findIndex((field) => field?.text === 'foreach');
      const words =
        at < 0
          ? []
          : rest
              .slice(at + 1)
              .filter((field) => field === undefined || !/^(?:--recursive|-q|--quiet)$/.test(field.text));
      return words.length === 0 ? [] : [joinCode(words, false, { isMoved: true })];
    }
    case 'bisect':
      return rest[0]?.text === 'run' ? [{ kind: 'command', fields: rest.slice(1), change: {} }] : [];
    case 'for-each-repo': {
      const words = readOptions(rest, { longValues: 'config', isLenient: true }, true).operands;
      return [{ kind: 'command', fields: [{ text: 'git', isPattern: false }, ...words], change: { isMoved: true } }];
    }
    case 'rebase':
      return optionCode(rest, /^(?:-x|--exec)(?:=|$)/);
    case 'grep':
      return optionCode(rest, /^(?:-O|--open-files-in-pager=)(?=.)/);
    case 'difftool':
    case 'mergetool':
      return optionCode(rest, /^(?:-x|--extcmd)(?:=|$)/);
    case 'filter-branch':
      return optionCode(
        rest,
        /^--(?:setup|subdirectory-filter|env-filter|tree-filter|index-filter|parent-filter|msg-filter|commit-filter|tag-name-filter)(?:=|$)/,
      );
    case 'clone':
      return [...optionCode(rest, /^(?:-u|--upload-pack)(?:=|$)/), ...remoteHelper(rest), ...cloneSettings(call)];
    case 'fetch':
    case 'pull':
    case 'ls-remote':
    case 'push':
      return [...optionCode(rest, /^(?:--upload-pack|--receive-pack|--exec)(?:=|$)/), ...remoteHelper(rest)];
    case 'archive':
      return optionCode(rest, /^--exec(?:=|$)/);
    default:
      return [];
  }
}

function optionCode(rest: Fields, option: RegExp): Inner[] {
  const inner: Inner[] = [];
  for (const [index, field] of rest.entries()) {
    const match = field === undefined ? null : option.exec(field.text);
    if (match === null || field === undefined) continue;
    const attached = field.text.slice(match[0].length);
    inner.push(
      codeOf(attached === '' && !match[0].endsWith('=') ? rest[index + 1] : { ...field, text: attached }, 'posix', {
        isAppended: true,
      }),
    );
  }
  return inner;
}

/** `ext::sh -c …` runs a command as the remote end (gitremote-helpers). */
function remoteHelper(rest: Fields): Inner[] {
  return rest.some((field) => /^(?:ext|fd)::/.test(field?.text ?? ''))
    ? [{ kind: 'unknown', reason: 'a remote that is a command' }]
    : [];
}

function cloneSettings(call: GitCall): Inner[] {
  return call.rest.flatMap((field, index) => {
    const option = /^(?:-c|--config|--template)(?:=([\s\S]*))?$/.exec(field?.text ?? '');
    if (option === null) return [];
    if (option[0].startsWith('--template')) return [{ kind: 'unknown', reason: 'hooks given to a new repository' }];
    return unwrapSetting(option[1] ?? call.rest[index + 1]?.text, call);
  });
}
