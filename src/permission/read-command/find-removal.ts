/** What a command removes, as far as its words say. */
import { removers, removingVerbs } from './danger-table.ts';
import type { Field } from './expand-word.ts';
import { findStarts } from './find-expression.ts';
import { readOptions, type OptionTable } from './read-options.ts';
import type { Places, ReadContext } from './scope.ts';
import { isOutsideWorkspace, mayBeInWorkspace } from './targets.ts';

type Fields = readonly (Field | undefined)[];

/** The paths that go; an unknown word makes them unknown. */
export type Targets = readonly (Field | undefined)[];

/** Undefined when the command removes nothing. */
export function findRemoval(head: string, args: Fields, places: Places, context: ReadContext): Targets | undefined {
  const table = Object.hasOwn(removers, head) ? removers[head] : undefined;
  if (table !== undefined) return readOptions(args, table, false).operands;
  const verbs = Object.hasOwn(removingVerbs, head) ? removingVerbs[head]?.split(' ') : undefined;
  if (verbs !== undefined) return removalByVerb(args, verbs);
  switch (head) {
    case 'find':
    case 'gfind':
      return args.some((field) => field?.text === '-delete') ? findStarts(args) : undefined;
    case 'truncate':
      return truncated(args);
    case 'dd':
      return ddTargets(args);
    case 'mv':
      return movedAway(args, places, context);
    case 'rsync':
      return byOption(args, /^--(?:del|delete[\w-]*|remove-source-files)$/, { values: 'efBTM', isLenient: true });
    case 'tar':
    case 'gtar':
    case 'bsdtar':
      return byOption(args, /^--(?:remove-files|recursive-unlink|unlink-first)$/, { values: 'CfTX', isLenient: true });
    case 'zip':
      return byOption(args, /^(?:-m|--move|-\w*m\w*)$/, { isLenient: true });
    case '7z':
    case '7za':
    case '7zr':
      return byOption(args, /^-sdel$/, { isLenient: true });
    case 'fallocate':
      return byOption(args, /^(?:-[cpz]|--(?:collapse-range|punch-hole|zero-range))$/, {
        values: 'ol',
        longValues: 'offset length',
        isLenient: true,
      });
    default:
      return undefined;
  }
}

function removalByVerb(args: Fields, verbs: readonly string[]): Targets | undefined {
  const index = args.findIndex((field) => field === undefined || verbs.includes(field.text));
  if (index < 0 || index > 5) return undefined;
  return args[index] === undefined
    ? [undefined]
    : readOptions(args.slice(index + 1), { isLenient: true }, false).operands;
}

/** Growing a file keeps what is in it; every other size may cut it. */
function truncated(args: Fields): Targets | undefined {
  const read = readOptions(
    args,
    { values: 'sr', longValues: 'size reference', flags: 'co', longFlags: 'no-create io-blocks' },
    false,
  );
  const size = read.options.findLast(({ name }) => name === 's' || name === 'size')?.value;
  return /^[+>]/.test(size?.text ?? '') ? undefined : read.operands;
}

function ddTargets(args: Fields): Targets | undefined {
  if (args.includes(undefined)) return [undefined];
  const outputs = args.filter((field) => field?.text.startsWith('of=') === true);
  if (outputs.every((field) => /^of=\/dev\/(?:null|stdout|stderr|fd\/\d+)$/.test(field?.text ?? ''))) return undefined;
  return outputs.map((field) => (field === undefined ? undefined : { ...field, text: field.text.slice(3) }));
}

/** What leaves the workspace is gone from it: the sandbox's own places are not the user's. */
function movedAway(args: Fields, places: Places, context: ReadContext): Targets | undefined {
  const read = readOptions(args, { values: 'tS', longValues: 'target-directory suffix', isLenient: true }, false);
  const folder = read.options.findLast(({ name }) => name === 't' || name === 'target-directory')?.value ?? undefined;
  const destination = folder ?? read.operands.at(-1);
  const sources = folder === undefined ? read.operands.slice(0, -1) : read.operands;
  if (sources.length === 0 || !isOutsideWorkspace(destination, places, context)) return undefined;
  const leaving = sources.filter((field) => mayBeInWorkspace(field, places, context));
  return leaving.length === 0 ? undefined : leaving;
}

function byOption(args: Fields, option: RegExp, table: OptionTable): Targets | undefined {
  if (!args.some((field) => field !== undefined && option.test(field.text))) return undefined;
  return args.includes(undefined) ? [undefined] : readOptions(args, table, false).operands;
}
