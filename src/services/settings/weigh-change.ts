/** How a changed value of settings.json is weighed against the one that was in force: by its kind, without knowing its key. */

export type Weighed<Value> = {
  readonly inForce: Value;
  /** What the next change is weighed against. */
  readonly kept: Value;
  /** What waits for the user's yes: "adds … , which …". Undefined: nothing. */
  readonly change?: string;
};

export type Weigh<Value> = (last: Value, wanted: Value) => Weighed<Value>;

const maxNamed = 3;
const maxNameChars = 100;

/** What settings hold may be anybody's text, and it is shown to models: short, and in quotes. */
export function named(texts: readonly string[]): string {
  const shown = texts.slice(0, maxNamed).map((text) => JSON.stringify(text.slice(0, maxNameChars)));
  return `${shown.join(', ')}${texts.length > maxNamed ? ` and ${texts.length - maxNamed} more` : ''}`;
}

/** Of several values, strongest first. */
export function weighScale<Value extends string>(key: string, strongestFirst: readonly Value[]): Weigh<Value> {
  return (last, wanted) =>
    strongestFirst.indexOf(wanted) <= strongestFirst.indexOf(last)
      ? { inForce: wanted, kept: wanted }
      : { inForce: last, kept: last, change: `asks for ${key} "${wanted}", which is weaker than "${last}"` };
}

type List = readonly string[];

/** Each entry opens something. `covers`: one that the last ones hold already. */
export function weighAdditions(
  key: string,
  effect: string,
  covers: (last: List, entry: string) => boolean = (last, entry) => last.includes(entry),
): Weigh<List> {
  return (last, wanted) => {
    const added = wanted.filter((entry) => !covers(last, entry));
    if (added.length === 0) return { inForce: wanted, kept: wanted };
    const inForce = wanted.filter((entry) => covers(last, entry));
    return { inForce, kept: inForce, change: `adds ${named(added)} to ${key}, ${effect}` };
  };
}

/** Each entry closes something. */
export function weighRemovals(key: string, effect: string): Weigh<List> {
  return (last, wanted) => {
    const removed = last.filter((entry) => !wanted.includes(entry));
    if (removed.length === 0) return { inForce: wanted, kept: wanted };
    const inForce = [...wanted, ...removed];
    return { inForce, kept: inForce, change: `removes ${named(removed)} from ${key}, ${effect}` };
  };
}

/** Each entry opens something, and an empty list opens everything. */
export function weighOnlyThese(key: string, effect: string): Weigh<List> {
  return (last, wanted) => {
    if (last.length === 0) return { inForce: wanted, kept: wanted };
    if (wanted.length === 0) return { inForce: last, kept: last, change: `empties ${key}, ${effect}` };
    const added = wanted.filter((entry) => !last.includes(entry));
    if (added.length === 0) return { inForce: wanted, kept: wanted };
    const common = wanted.filter((entry) => last.includes(entry));
    // Nothing in common must not become "everything".
    const inForce = common.length === 0 ? last : common;
    return { inForce, kept: inForce, change: `adds ${named(added)} to ${key}, ${effect}` };
  };
}

/** Entries by name, each of which runs or reaches something as it stands: another text of it is another thing. */
export function weighEntries<Entry>(
  describe: (names: List) => string,
  isOff: (entry: Entry) => boolean = () => false,
): Weigh<Readonly<Record<string, Entry>>> {
  return (last, wanted) => {
    const inForce = new Map<string, Entry>();
    const kept = new Map<string, Entry>();
    const changed: string[] = [];
    for (const [name, entry] of Object.entries(wanted)) {
      const before = Object.hasOwn(last, name) ? last[name] : undefined;
      const isNew = !isSameValue(before, entry);
      if (isNew && !isOff(entry)) changed.push(name);
      if (before !== undefined) kept.set(name, before);
      const current = isNew && !isOff(entry) ? before : entry;
      if (current !== undefined) inForce.set(name, current);
    }
    const weighed = { inForce: Object.fromEntries(inForce), kept: Object.fromEntries(kept) };
    return { ...weighed, ...(changed.length === 0 ? {} : { change: describe(changed) }) };
  };
}

/** Whatever the order of an object's keys is. */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [left, right] = [Object.entries(one), new Map(Object.entries(other))];
  return (
    left.length === right.size && left.every(([key, value]) => right.has(key) && isSameValue(value, right.get(key)))
  );
}
