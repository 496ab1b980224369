/** A fresh temporary file or folder (`tmp=$(mktemp -d)`): what it is called is not known, that it is nobody's work is. */
import type { Assignment, ListNode } from './syntax/command-tree.ts';
import { isChanged, type ReadContext, type Scope } from './scope.ts';

/**
 * Stands for its path. No real path has this name. Only the whole of it counts: had `mktemp` failed, the variable would be
 * empty, and `"$tmp"/*` would be `/*`.
 */
export const freshTemporary = '/tmp/\u{e000}mktemp';

export function holdsFresh(text: string): boolean {
  return text.includes(freshTemporary);
}

/** Whether the assignment surely holds what `mktemp` has just made in /tmp. */
export function isFreshTemporary({ value }: Assignment, scope: Scope, context: ReadContext): boolean {
  // Double quotes leave an empty part.
  const [part, ...others] = (value?.parts ?? []).filter((each) => each.kind !== 'text' || each.text !== '');
  if (part?.kind !== 'opaque' || part.script === undefined || others.length > 0 || !context.isSandboxed) return false;
  if (scope.isForeign || scope.isDynamic || scope.notes.functions.has('mktemp')) return false;
  if (context.hasOwnTemporary === false || context.env?.['TMPDIR'] !== undefined) return false;
  return !isChanged(scope, 'TMPDIR') && !isChanged(scope, 'PATH') && isPlainCall(part.script);
}

function isPlainCall({ items }: ListNode): boolean {
  const [item, ...others] = items;
  if (item === undefined || others.length > 0 || item.operator !== ';' || item.node.kind !== 'simple') return false;
  const { assignments, words, redirections } = item.node;
  if (assignments.length > 0 || redirections.length > 0 || words.some(({ isExact }) => !isExact)) return false;
  const [head, ...rest] = words.map(({ literal }) => literal ?? '');
  if (head !== 'mktemp' && head !== '/usr/bin/mktemp' && head !== '/bin/mktemp') return false;
  return isInTmp(rest);
}

/** mktemp(1): without a template, with a mere name behind `-t`, or with a template below /tmp. */
function isInTmp(words: readonly string[]): boolean {
  const operands = words.filter((word) => !/^(?:-[dqt]+|--directory|--quiet)$/.test(word));
  const [template, ...others] = operands;
  if (others.length > 0) return false;
  if (template === undefined) return !words.some((word) => /^-\w*t/.test(word));
  if (words.some((word) => /^-\w*t/.test(word))) return /^[\w.-]*X{3,}$/.test(template) && !template.startsWith('-');
  return /^\/tmp\/[\w.-]*X{3,}$/.test(template);
}
