/** Reads comma-separated values (RFC 4180), as far as the eye wants them. */

export function readCsv(text: string, separator: string, maxRows: number): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  let field = '';
  let isQuoted = false;
  for (let at = 0; at < text.length && rows.length < maxRows; at += 1) {
    const sign = text.charAt(at);
    if (isQuoted) {
      if (sign !== '"') field += sign;
      else if (text.charAt(at + 1) === '"') {
        field += '"';
        at += 1;
      } else isQuoted = false;
    } else if (sign === '"' && field === '') isQuoted = true;
    else if (sign === separator) {
      row.push(field);
      field = '';
    } else if (sign === '\n') {
      rows.push([...row, field]);
      row = [];
      field = '';
    } else if (sign !== '\r') field += sign;
  }
  if (rows.length < maxRows && (field !== '' || row.length > 0)) rows.push([...row, field]);
  return rows;
}
