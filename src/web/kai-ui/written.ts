/** Reads single fields of what a model wrote, whatever kind of value stands there. */

export type Written = Readonly<Record<string, unknown>>;

export function recordOf(value: unknown): Written | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Written) : undefined;
}

export const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];

/** The first of the names that holds a text or a number; empty: none does. */
export function textOf(written: Written, ...names: readonly string[]): string {
  for (const name of names) {
    const value = Object.hasOwn(written, name) ? written[name] : undefined;
    if (typeof value === 'string') return value;
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  }
  return '';
}

export function numberOf(written: Written, ...names: readonly string[]): number | undefined {
  const text = textOf(written, ...names).trim();
  const value = Number(text.replace('%', ''));
  return text === '' || !Number.isFinite(value) ? undefined : value;
}

export function flagOf(written: Written, ...names: readonly string[]): boolean | undefined {
  const text = textOf(written, ...names).toLowerCase();
  if (['true', 'yes', 'on', '1'].includes(text)) return true;
  return ['false', 'no', 'off', '0'].includes(text) ? false : undefined;
}

export const oneOf = <Choice extends string>(text: string, choices: readonly Choice[]): Choice | undefined =>
  choices.find((each) => each === text.toLowerCase());
