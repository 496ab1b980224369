/** A table of a result: sorted by a press on a column's name, copied as CSV; long ones show their beginning until asked for more. */
import { useMemo, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useWords } from '../../words/use-words.ts';
import { exactLine } from '../exact-text.ts';
import { csvOf, sortRows, type SortOrder } from './sort-rows.ts';

const firstRows = 50;

export function TableView({
  columns,
  rows,
}: {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}) {
  const { t, counted, language } = useWords();
  const [isWhole, setWhole] = useState(rows.length <= firstRows);
  const [order, setOrder] = useState<SortOrder>();
  const sorted = useMemo(() => sortRows(rows, order, language), [rows, order, language]);
  if (rows.length === 0) return <p className="xs muted">{t('table.empty')}</p>;
  return (
    <>
      <div className="with-copy">
        <div className="scroll-x table-box" tabIndex={0} role="region" aria-label={t('table.label')}>
          <table className="table plain">
            <thead>
              <tr>
                {columns.map((column, at) => (
                  <Heading key={at} name={column} column={at} order={order} choose={setOrder} />
                ))}
              </tr>
            </thead>
            <tbody>
              {(isWhole ? sorted : sorted.slice(0, firstRows)).map((row, at) => (
                <tr key={at}>
                  {row.map((cell, column) => (
                    <td key={column} data-l={columns[column]}>
                      {exactLine(cell)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <CopyButton text={csvOf(columns, sorted)} label={t('table.copy')} />
      </div>
      {isWhole ? null : (
        <Button look="ghost" isSmall className="more" onClick={() => setWhole(true)}>
          {counted('table.all', rows.length)}
        </Button>
      )}
    </>
  );
}

/** Up, down, and back to the order in which they came. */
function Heading({
  name,
  column,
  order,
  choose,
}: {
  readonly name: string;
  readonly column: number;
  readonly order: SortOrder | undefined;
  readonly choose: (order: SortOrder | undefined) => void;
}) {
  const isMine = order?.column === column;
  const next = !isMine ? { column, isDown: false } : order.isDown ? undefined : { column, isDown: true };
  return (
    <th aria-sort={!isMine ? 'none' : order.isDown ? 'descending' : 'ascending'}>
      <button type="button" className="sort" onClick={() => choose(next)}>
        {exactLine(name)}
        <Icon name={isMine && order.isDown ? 'down' : 'up'} isSmall className={isMine ? '' : 'idle'} />
      </button>
    </th>
  );
}
