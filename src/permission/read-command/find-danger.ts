/** Judges one simple command: does it remove files, end processes, or change the machine? */
import {
  killers,
  killingVerbs,
  lookingOptions,
  lookingVerbs,
  lookWithoutOperands,
  systemCommands,
  systemNames,
  writers,
} from './danger-table.ts';
import type { Field } from './expand-word.ts';
import { findRemoval, type Targets } from './find-removal.ts';
import { readOptions } from './read-options.ts';
import { isSystemPath } from './targets.ts';
import type { Places, ReadContext } from './scope.ts';

export type Danger = {
  readonly kind: 'removes' | 'git' | 'kills' | 'system';
  /** What is changed; undefined when it is not known. Meaningless for `kills` and `system`. */
  readonly targets: Targets | undefined;
};

type Fields = readonly (Field | undefined)[];

/** All dangers of a command but git's. With `isAppended` more words follow that nobody knows. */
export function findDangers(
  head: string,
  args: Fields,
  isAppended: boolean,
  places: Places,
  context: ReadContext,
): Danger[] {
  if (isOnlyHelp(args)) return [];
  const dangers: Danger[] = [];
  const removed = findRemoval(head, args, places, context);
  if (removed !== undefined) dangers.push({ kind: 'removes', targets: isAppended ? undefined : removed });
  if (isKill(head, args)) dangers.push({ kind: 'kills', targets: undefined });
  if (isSystemChange(head, args, places, context)) dangers.push({ kind: 'system', targets: undefined });
  return dangers;
}

function isOnlyHelp(args: Fields): boolean {
  return args.length === 1 && /^--(?:help|version)$/.test(args[0]?.text ?? '');
}

function isKill(head: string, args: Fields): boolean {
  if (killers.has(head)) return !(head === 'kill' && /^(?:-l|-L|-0|--list|--table)$/.test(args[0]?.text ?? ''));
  if (head === 'fuser') return args.some((field) => field === undefined || /^(?:-\w*k\w*|--kill)$/.test(field.text));
  if (head === 'screen') return args.some((field) => field?.text === 'quit' || field?.text === 'kill');
  return hasVerb(killingVerbs, head, args);
}

/** A verb among the operands; a word that is not known may be one. */
function hasVerb(table: Readonly<Record<string, string>>, head: string, args: Fields): boolean {
  const verbs = Object.hasOwn(table, head) ? table[head]?.split(' ') : undefined;
  if (verbs === undefined) return false;
  return args.slice(0, 6).some((field) => field === undefined || verbs.includes(field.text));
}

function isSystemChange(head: string, args: Fields, places: Places, context: ReadContext): boolean {
  if (head === 'mount' && args.length === 0) return false;
  const looks = Object.hasOwn(lookingOptions, head) ? lookingOptions[head] : undefined;
  if (looks !== undefined && args.length > 0) {
    if (onlyHasLookingOptions(args, looks)) return isSysctlWrite(head, args);
    if (!Object.hasOwn(lookingVerbs, head)) return true;
  }
  if (systemCommands.has(head) || systemNames.test(head)) return true;
  if (Object.hasOwn(lookingOptions, head) && !Object.hasOwn(lookingVerbs, head)) return true;
  if (Object.hasOwn(lookingVerbs, head)) return !onlyLooks(head, args);
  return isRareSystemChange(head, args) || writesSystemPath(head, args, places, context);
}

/** One option that looks, and no other capital one: `iptables -F -L` flushes. */
function onlyHasLookingOptions(args: Fields, looks: RegExp): boolean {
  if (!args.some((field) => field !== undefined && looks.test(field.text))) return false;
  return args.every((field) => field !== undefined && (looks.test(field.text) || !/^-[A-Z]/.test(field.text)));
}

function isSysctlWrite(head: string, args: Fields): boolean {
  return head === 'sysctl' && args.some((field) => /^-\w*[wp]|=/.test(field?.text ?? ''));
}

function onlyLooks(head: string, args: Fields): boolean {
  if (args.includes(undefined)) return false;
  const { operands } = readOptions(args, { values: head === 'systemctl' ? 'tpnoHM' : '', isLenient: true }, false);
  if (head === 'sysctl') return !args.some((field) => /^-\w*[wpf]|^--(?:write|load|system)|=/.test(field?.text ?? ''));
  if (head === 'service')
    return args.length === 0 || operands[1]?.text === 'status' || args[0]?.text === '--status-all';
  if (
    head === 'nmcli' &&
    operands.some((field) =>
      /^(?:up|down|add|delete|del|modify|mod|edit|connect|disconnect|set|reload|import|clone)$/.test(field?.text ?? ''),
    )
  )
    return false;
  const [verb] = operands;
  if (verb === undefined) return lookWithoutOperands.has(head) || args.length > 0 || head.startsWith('apt');
  return lookingVerbs[head]?.split(' ').includes(verb.text) === true;
}

/** Commands that mostly look, and change something with some arguments. */
function isRareSystemChange(head: string, args: Fields): boolean {
  const has = (pattern: RegExp): boolean => args.some((field) => field === undefined || pattern.test(field.text));
  switch (head) {
    case 'hostname':
    case 'domainname':
      return args.some((field) => field === undefined || !field.text.startsWith('-'));
    case 'date':
      return has(/^(?:-s|--set)/) || args.some((field) => /^\d{8,}(?:\.\d+)?$/.test(field?.text ?? ''));
    case 'dmesg':
      return has(/^-\w*[cCDEn]|^--(?:clear|read-clear|console)/);
    case 'ip':
      return has(/^(?:add|a?del|delete|set|flush|change|replace|append|up|down|exec)$/);
    case 'ifconfig':
      return args.filter((field) => field === undefined || !field.text.startsWith('-')).length > 1;
    case 'route':
    case 'brctl':
      return has(/^(?:add|del|flush|addbr|delbr|addif|delif)$/);
    case 'docker':
    case 'podman':
      return has(
        /^(?:run|exec|create|start|cp|build|compose|up|load|import|commit|push|swarm|network|volume|plugin|update)$/,
      );
    case 'journalctl':
      return has(/^--(?:vacuum|rotate|flush|update-catalog|setup-keys)/);
    default:
      return false;
  }
}

function writesSystemPath(head: string, args: Fields, places: Places, context: ReadContext): boolean {
  if (head === 'dd')
    return args.some(
      (field) => field?.text.startsWith('of=') === true && isSystemPath(without(field, 'of='), places, context),
    );
  if (/^g?sed$/.test(head)) {
    if (!args.some((field) => /^(?:-\w*i|--in-place)/.test(field?.text ?? ''))) return false;
    return args.some((field) => isAbsolute(field) && isSystemPath(field, places, context));
  }
  const which = Object.hasOwn(writers, head) ? writers[head] : undefined;
  if (which === undefined) return false;
  const read = readOptions(
    args,
    {
      values: head === 'install' ? 'mogSt' : 'tS',
      longValues: 'target-directory mode owner group suffix',
      isLenient: true,
    },
    false,
  );
  const folder = read.options
    .filter(({ name }) => name === 't' || name === 'target-directory')
    .map(({ value }) => value ?? undefined);
  const operands = which === 'all' || head === 'install' ? read.operands : read.operands.slice(-1);
  return [...operands, ...folder].some((field) => isSystemPath(field, places, context));
}

function isAbsolute(field: Field | undefined): boolean {
  return field?.text.startsWith('/') === true;
}

function without(field: Field, prefix: string): Field {
  return { ...field, text: field.text.slice(prefix.length) };
}
