/** Reads the tables in ARCHITECTURE.md that the checks enforce. */

/** The rows between `<!-- name:start -->` and `<!-- name:end -->`, heading and rule left out. Throws when there is no such table. */
export function readTable(markdown: string, name: string): readonly (readonly string[])[] {
  const [, body] = new RegExp(`<!-- ${name}:start -->\\n([\\s\\S]*?)<!-- ${name}:end -->`).exec(markdown) ?? [];
  if (body === undefined) throw new Error(`ARCHITECTURE.md has no table between the markers "${name}"`);
  return body
    .trim()
    .split('\n')
    .slice(2)
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** `a, b` → ['a', 'b']; an empty cell is an empty list. */
export function readList(cell: string): readonly string[] {
  return cell
    .split(',')
    .map((word) => word.trim().replaceAll('`', ''))
    .filter((word) => word !== '');
}
