/** Changes every text in a value of plain data: in lists, in objects, and the keys of objects. */

/** The same value when no text changes: most of what passes here does not. */
export function mapTexts<Value>(value: Value, change: (text: string) => string): Value {
  // What it gives has the shape of what it got: only texts are replaced, by texts.
  return mapAny(value, change) as Value;
}

function mapAny(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return mapList(value, change);
  // Dates, buffers and the like are no plain data and hold no text of ours.
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return mapObject(value as Readonly<Record<string, unknown>>, change);
}

function mapList(list: readonly unknown[], change: (text: string) => string): readonly unknown[] {
  let changed: unknown[] | undefined;
  for (const [at, each] of list.entries()) {
    const next = mapAny(each, change);
    if (next !== each) changed ??= list.slice(0, at);
    changed?.push(next);
  }
  return changed ?? list;
}

function mapObject(object: Readonly<Record<string, unknown>>, change: (text: string) => string): object {
  const entries = Object.entries(object);
  let isChanged = false;
  const next = entries.map(([key, each]): [string, unknown] => {
    const entry: [string, unknown] = [change(key), mapAny(each, change)];
    isChanged ||= entry[0] !== key || entry[1] !== each;
    return entry;
  });
  return isChanged ? Object.fromEntries(next) : object;
}
