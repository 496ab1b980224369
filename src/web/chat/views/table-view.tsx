/** A table of a result. Long ones show their beginning until asked for more. */
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { useWords } from '../../words/use-words.ts';

const firstRows = 50;

export function TableView({
  columns,
  rows,
}: {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}) {
  const { t, counted } = useWords();
  const [isWhole, setWhole] = useState(rows.length <= firstRows);
  return (
    <>
      <div className="scroll-x table-box" tabIndex={0} role="region" aria-label={t('table.label')}>
        <table className="table plain">
          <thead>
            <tr>
              {columns.map((column, at) => (
                <th key={at}>{column}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {(isWhole ? rows : rows.slice(0, firstRows)).map((row, at) => (
              <tr key={at}>
                {row.map((cell, column) => (
                  <td key={column} data-l={columns[column]}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {isWhole ? null : (
        <Button look="ghost" isSmall onClick={() => setWhole(true)}>
          {counted('table.all', rows.length)}
        </Button>
      )}
    </>
  );
}
