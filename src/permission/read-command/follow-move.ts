/** Where the shell stands after `cd`, `pushd`, `exit` and the like. */
import { posix } from 'node:path';
import type { Fields } from './inner-command.ts';
import { readOptions } from './read-options.ts';
import { isChanged, maxValueLength, stay, type Outcome, type Places, type ReadContext, type Scope } from './scope.ts';

export function followMove(head: string, args: Fields, places: Places, scope: Scope, context: ReadContext): Outcome {
  switch (head) {
    case 'cd':
      return { success: changed(args, places, scope, context), failure: places };
    case 'pushd':
      return args.length === 1 ? { success: changed(args, places, scope, context), failure: places } : stay(undefined);
    case 'popd':
    case 'source':
    case '.':
      return stay(undefined);
    case 'exit':
      // Nothing behind it is reached by this way.
      return stay([]);
    default:
      return stay(places);
  }
}

function changed(args: Fields, places: Places, scope: Scope, context: ReadContext): Places {
  const read = readOptions(args, { flags: 'LPe@' }, true);
  const [target] = read.operands;
  if (!read.isCertain || read.operands.length > 1) return undefined;
  const home = scope.isDynamic || isChanged(scope, 'HOME') || scope.isForeign ? undefined : context.home;
  if (read.operands.length === 0) return home === undefined ? undefined : [home];
  if (target === undefined || target.isPattern || target.text === '-' || target.text === '') return undefined;
  if (target.text.startsWith('/')) return [posix.resolve(target.text)];
  // CDPATH sends a relative name elsewhere, one with a dot in front it does not (bash manual, "cd").
  const searches = scope.isDynamic || isChanged(scope, 'CDPATH') || context.env?.['CDPATH'] !== undefined;
  if (searches && !/^\.{1,2}(?:\/|$)/.test(target.text)) return undefined;
  const next = places?.map((place) => posix.resolve(place, target.text));
  return next?.some((place) => place.length > maxValueLength) === true ? undefined : next;
}
