/** The shortest way from one list of lines to another (Myers, "An O(ND) difference algorithm", 1986). */

export type Step = {
  readonly kind: 'context' | 'added' | 'removed';
  /** Where the step stands in the old and in the new list. */
  readonly oldAt: number;
  readonly newAt: number;
};

/** With more changes than this the exact way costs more than it tells: all old lines go, all new ones come. */
const maxChanges = 1_000;

export function alignLines(oldLines: readonly string[], newLines: readonly string[]): readonly Step[] {
  const numbers = new Map<string, number>();
  const number = (line: string): number => {
    const known = numbers.get(line);
    if (known !== undefined) return known;
    numbers.set(line, numbers.size);
    return numbers.size - 1;
  };
  const [from, to] = [oldLines.map(number), newLines.map(number)];
  const trace = explore(from, to);
  return trace === undefined ? replaceAll(from.length, to.length) : walkBack(trace, from.length, to.length);
}

/** For every number of changes, how far each diagonal gets; undefined when `maxChanges` are not enough. */
function explore(from: readonly number[], to: readonly number[]): readonly Int32Array[] | undefined {
  const most = Math.min(maxChanges, from.length + to.length);
  const reach = new Int32Array(2 * most + 3);
  const middle = most + 1;
  const trace: Int32Array[] = [];
  for (let changes = 0; changes <= most; changes += 1) {
    trace.push(reach.slice(middle - changes - 1, middle + changes + 2));
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      let x = stepsDown(reach, middle, diagonal, changes)
        ? (reach[middle + diagonal + 1] ?? 0)
        : (reach[middle + diagonal - 1] ?? 0) + 1;
      while (x < from.length && x - diagonal < to.length && from[x] === to[x - diagonal]) x += 1;
      reach[middle + diagonal] = x;
      if (x >= from.length && x - diagonal >= to.length) return trace;
    }
  }
  return undefined;
}

function stepsDown(reach: Int32Array, middle: number, diagonal: number, changes: number): boolean {
  return (
    diagonal === -changes ||
    (diagonal !== changes && (reach[middle + diagonal - 1] ?? 0) < (reach[middle + diagonal + 1] ?? 0))
  );
}

function walkBack(trace: readonly Int32Array[], oldCount: number, newCount: number): readonly Step[] {
  const steps: Step[] = [];
  let [x, y] = [oldCount, newCount];
  for (let changes = trace.length - 1; changes >= 0; changes -= 1) {
    const reach = trace[changes] ?? new Int32Array();
    const middle = changes + 1;
    const diagonal = x - y;
    const isDown = stepsDown(reach, middle, diagonal, changes);
    const before = isDown ? diagonal + 1 : diagonal - 1;
    const startX = changes === 0 ? 0 : (reach[middle + before] ?? 0);
    const startY = changes === 0 ? 0 : startX - before;
    while (x > startX && y > startY) {
      x -= 1;
      y -= 1;
      steps.push({ kind: 'context', oldAt: x, newAt: y });
    }
    if (changes === 0) break;
    steps.push({ kind: isDown ? 'added' : 'removed', oldAt: startX, newAt: startY });
    [x, y] = [startX, startY];
  }
  return steps.toReversed();
}

function replaceAll(oldCount: number, newCount: number): readonly Step[] {
  return [
    ...Array.from({ length: oldCount }, (_, index): Step => ({ kind: 'removed', oldAt: index, newAt: 0 })),
    ...Array.from({ length: newCount }, (_, index): Step => ({ kind: 'added', oldAt: oldCount, newAt: index })),
  ];
}
