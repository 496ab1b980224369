/** Small means to write down a documented request shape: the first thing wrong is what the provider would complain about. */

export type Fields = Readonly<Record<string, unknown>>;

export class ShapeProblem extends Error {}

export function refuse(problem: string): never {
  throw new ShapeProblem(problem);
}

/** Runs a check that refuses by throwing; undefined when all is well. */
export function problemOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof ShapeProblem) return error.message;
    throw error;
  }
}

export function fields(value: unknown, where: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse(`${where}: expected an object`);
  return value as Fields;
}

export function list(value: unknown, where: string): readonly unknown[] {
  if (!Array.isArray(value)) refuse(`${where}: expected a list`);
  return value as unknown[];
}

export function filledList(value: unknown, where: string): readonly unknown[] {
  const items = list(value, where);
  if (items.length === 0) refuse(`${where}: empty list`);
  return items;
}

export function text(value: unknown, where: string): string {
  if (typeof value !== 'string') refuse(`${where}: expected a string`);
  return value as string;
}

export function filledText(value: unknown, where: string): string {
  const found = text(value, where);
  if (found.trim() === '') refuse(`${where}: text must not be empty`);
  return found;
}

export function onlyKeys(value: Fields, allowed: readonly string[], where: string): void {
  const extra = Object.keys(value).find((key) => value[key] !== undefined && !allowed.includes(key));
  if (extra !== undefined) refuse(`${where}: unknown field "${extra}"`);
}

export function oneOf<T extends string>(value: unknown, allowed: readonly T[], where: string): T {
  if (!allowed.includes(value as T)) refuse(`${where}: expected one of ${allowed.join(', ')}, got ${String(value)}`);
  return value as T;
}

/** A name as all providers take it. */
export function toolName(value: unknown, where: string): string {
  const name = text(value, where);
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name)) refuse(`${where}: "${name}" does not match ^[a-zA-Z0-9_-]{1,64}$`);
  return name;
}

export function jsonObjectText(value: unknown, where: string): void {
  const written = text(value, where);
  try {
    fields(JSON.parse(written), where);
  } catch (error) {
    if (error instanceof ShapeProblem) throw error;
    refuse(`${where}: not valid JSON`);
  }
}

/** A tool's parameters: a JSON Schema object; `check` looks at the tool around them. */
export function tools(
  value: unknown,
  where: string,
  read: (tool: Fields, where: string) => { name: unknown; schema: unknown },
): void {
  if (value === undefined) return;
  const names = new Set<string>();
  for (const [at, each] of filledList(value, where).entries()) {
    const place = `${where}[${at}]`;
    const { name, schema } = read(fields(each, place), place);
    const known = toolName(name, `${place}.name`);
    if (names.has(known)) refuse(`${place}: the name "${known}" is taken`);
    names.add(known);
    if (fields(schema, `${place}: schema`).type !== 'object') refuse(`${place}: schema type must be "object"`);
  }
}
