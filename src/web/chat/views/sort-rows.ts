/** Rows of a table in another order, and as text for a spreadsheet. Pure. */

export type SortOrder = { readonly column: number; readonly isDown: boolean };

/** Numbers by their size ("9" before "10"), words by the reader's language. Rows of equal value keep their order. */
export function sortRows(
  rows: readonly (readonly string[])[],
  order: SortOrder | undefined,
  language: string,
): readonly (readonly string[])[] {
  if (order === undefined) return rows;
  const collator = new Intl.Collator(language, { numeric: true });
  const { column, isDown } = order;
  const compare = (left: readonly string[], right: readonly string[]): number =>
    compareCells(left[column] ?? '', right[column] ?? '', collator);
  return rows.toSorted((left, right) => (isDown ? compare(right, left) : compare(left, right)));
}

function compareCells(left: string, right: string, collator: Intl.Collator): number {
  const [first, second] = [Number(left), Number(right)];
  const areNumbers = left.trim() !== '' && right.trim() !== '' && !Number.isNaN(first) && !Number.isNaN(second);
  return areNumbers ? first - second : collator.compare(left, right);
}

/**
 * RFC 4180. A cell that a spreadsheet would take for a formula gets an apostrophe before it, since the text may be of others
 * (https://owasp.org/www-community/attacks/CSV_Injection); numbers stay numbers.
 */
export function csvOf(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  return [columns, ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

function csvCell(text: string): string {
  const isFormula = /^[=+\-@\t\r]/.test(text) && !/^[+-]?[\d.,]+%?$/.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
