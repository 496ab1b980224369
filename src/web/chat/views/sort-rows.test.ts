import { expect, test } from 'vitest';
import { csvOf, sortRows } from './sort-rows.ts';

const rows = [
  ['ten', '10'],
  ['nine', '9'],
  ['minus', '-1.5'],
  ['Äpfel', ''],
  ['none', 'n/a'],
];

test('numbers go by their size and words by the language', () => {
  const names = (column: number, isDown = false) => sortRows(rows, { column, isDown }, 'de').map(([name]) => name);
  expect(names(1)).toEqual(['Äpfel', 'minus', 'nine', 'ten', 'none']);
  expect(names(0)).toEqual(['Äpfel', 'minus', 'nine', 'none', 'ten']);
  expect(names(0, true)).toEqual(['ten', 'none', 'nine', 'minus', 'Äpfel']);
  expect(sortRows(rows, undefined, 'en')).toBe(rows);
});

test('a table is copied as CSV, with nothing in it that a spreadsheet would run', () => {
  expect(
    csvOf(
      ['a', 'b"c'],
      [
        ['1,5', 'two\nlines'],
        ['=1+1', '-2'],
        ['@x', '+49 30'],
        ['-2+3', ''],
      ],
    ),
  ).toBe('a,"b""c"\r\n"1,5","two\nlines"\r\n\'=1+1,-2\r\n\'@x,\'+49 30\r\n\'-2+3,\r\n');
});
