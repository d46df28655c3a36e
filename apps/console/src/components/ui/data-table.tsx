import { memo, type MouseEvent, startTransition, useMemo, useState, type ReactNode } from 'react';
import { classNames } from '../../lib/class-names.ts';
import { DEFAULT_PAGE_SIZE, pageOf, pageSizes, type PageSize } from '../../lib/paging.ts';
import { sortRows, toggleSorting, type Sorting, type SortValue } from '../../lib/sort.ts';
import { PagingBar } from './paging-bar.tsx';
import { Skeleton } from './skeleton.tsx';
import { SortHeading, SortPicker } from './table-sorting.tsx';

export interface Column<Row> {
  readonly id: string;
  readonly heading: string;
  readonly cell: (row: Row) => ReactNode;
  readonly sortBy: (row: Row) => SortValue;
  readonly align?: 'end';
}

interface DataTableProps<Row> {
  /** Accessible name of the table. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined while the first load runs: skeleton rows show. */
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  readonly onRowClick?: (row: Row) => void;
  /** Shown in the table's place when there are no rows. */
  readonly empty: ReactNode;
}

const cellClass =
  'px-3 first:pl-5 last:pr-5 md:h-11 max-md:flex max-md:min-h-8 max-md:items-center max-md:justify-between max-md:gap-4 max-md:px-4! max-md:text-right max-md:before:shrink-0 max-md:before:text-xs max-md:before:text-muted max-md:before:content-[attr(data-label)]';

/** Whether a click was meant for something inside the row, or for selecting its text. */
function isInnerClick(target: EventTarget): boolean {
  const inner = target instanceof Element && target.closest('a, button, input, [role="menuitem"]') !== null;
  return inner || (window.getSelection()?.toString() ?? '') !== '';
}

interface TableRowProps<Row> {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly onRowClick: ((row: Row) => void) | undefined;
}

/** Drawn anew only when the row itself has changed, which of a list that is fetched again most have not. */
const TableRow = memo(function TableRow<Row>({ row, columns, onRowClick }: TableRowProps<Row>) {
  const onClick =
    onRowClick &&
    ((event: MouseEvent): void => {
      if (!isInnerClick(event.target)) onRowClick(row);
    });
  return (
    <tr
      role="row"
      onClick={onClick}
      className={classNames(
        'border-b border-line last:border-0 max-md:block max-md:py-2',
        onRowClick && 'cursor-pointer transition-colors duration-100 hover:bg-ink/3',
      )}
    >
      {columns.map((column) => (
        <td
          key={column.id}
          role="cell"
          data-label={column.heading}
          className={classNames(cellClass, column.align === 'end' && 'md:text-right')}
        >
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}) as <Row>(props: TableRowProps<Row>) => ReactNode;

/** A sortable, paged table; on phones each row becomes a stack of label and value. */
export function DataTable<Row>({ label, columns, rows, rowKey, onRowClick, empty }: DataTableProps<Row>) {
  const [sorting, setSorting] = useState<Sorting>();
  const [pageIndex, setPageIndex] = useState(0);
  const [size, setSize] = useState<PageSize>(DEFAULT_PAGE_SIZE);

  const sorted = useMemo(() => {
    const column = columns.find(({ id }) => id === sorting?.column);
    return rows && column && sorting ? sortRows(rows, column.sortBy, sorting.direction) : (rows ?? []);
  }, [rows, columns, sorting]);

  if (rows?.length === 0) return empty;
  const page = pageOf(sorted, pageIndex, size);
  // Here and below: the button that was pressed shows it at once, the rows follow when they are ready.
  const sort = (column: string): void =>
    startTransition(() => setSorting((current) => toggleSorting(current, column)));

  return (
    <>
      <SortPicker columns={columns} sorting={sorting} onSorting={setSorting} />
      <table
        role="table"
        aria-label={label}
        aria-busy={rows === undefined}
        className="w-full text-left max-md:block"
      >
        <thead role="rowgroup" className="max-md:hidden">
          <tr role="row" className="border-y border-line">
            {columns.map((column) => (
              <SortHeading key={column.id} column={column} sorting={sorting} onSort={() => sort(column.id)} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="max-md:block">
          {rows === undefined &&
            Array.from({ length: DEFAULT_PAGE_SIZE }, (_, row) => (
              <tr
                key={row}
                role="row"
                className="border-b border-line last:border-0 max-md:block max-md:py-2"
              >
                {columns.map((column) => (
                  <td key={column.id} role="cell" data-label={column.heading} className={cellClass}>
                    <Skeleton className="w-3/4 max-md:w-1/2" />
                  </td>
                ))}
              </tr>
            ))}
          {page.rows.map((row) => (
            <TableRow key={rowKey(row)} row={row} columns={columns} onRowClick={onRowClick} />
          ))}
        </tbody>
      </table>
      {rows !== undefined && (
        <PagingBar
          page={page}
          total={rows.length}
          sizes={pageSizes}
          size={size}
          onPage={(index) => startTransition(() => setPageIndex(index))}
          onSize={(next) => {
            setSize(next);
            setPageIndex(0);
          }}
        />
      )}
    </>
  );
}
