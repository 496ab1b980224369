/** A diff in two columns: what went stands beside what came in its place. Pure. */
import type { DiffLine } from '../../../contract/output.ts';

/** Places in the diff's lines; a hunk's header and an unchanged line stand on both sides. */
export type SideRow = { readonly left?: number; readonly right?: number };

export function sideBySide(lines: readonly DiffLine[]): readonly SideRow[] {
  const rows: SideRow[] = [];
  let removed: number[] = [];
  let added: number[] = [];
  const flush = (): void => {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1) {
      const [left, right] = [removed[at], added[at]];
      rows.push({ ...(left === undefined ? {} : { left }), ...(right === undefined ? {} : { right }) });
    }
    removed = [];
    added = [];
  };
  lines.forEach(({ kind }, at) => {
    if (kind === 'removed') {
      // A line that goes behind one that came belongs to the next change.
      if (added.length > 0) flush();
      removed.push(at);
    } else if (kind === 'added') {
      added.push(at);
    } else {
      flush();
      rows.push({ left: at, right: at });
    }
  });
  flush();
  return rows;
}
